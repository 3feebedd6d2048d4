"""A child process from the server's side: started when needed, asked and answered in JSON lines, ended for sure."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import unmix

LONGEST_LINE = 2**27
PATIENCE = 3.0  # seconds between asking a process to end and ending it


class ChildGone(Exception):
    """The process ended without an answer."""


def surroundings() -> dict[str, str]:
    """Those of the server, and the same unmix: a file in the folder of a table must not be taken for a module."""
    own, others = str(Path(unmix.__file__).parents[1]), os.environ.get("PYTHONPATH")
    return os.environ | {"PYTHONPATH": f"{own}{os.pathsep}{others}" if others else own, "PYTHONSAFEPATH": "1"}


class Child:
    """`python -m MODULE` in a folder: one process, which starts when it is first told something and ends once."""

    def __init__(self, module: str, folder: Path) -> None:
        self.module, self.folder, self.over = module, folder, False
        self.process: asyncio.subprocess.Process | None = None
        self.starting = asyncio.Lock()

    async def started(self) -> asyncio.subprocess.Process:
        async with self.starting:
            if self.over:
                raise ChildGone(self.module)
            if self.process is None:
                self.process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", self.module, cwd=self.folder, limit=LONGEST_LINE, env=surroundings(),
                    stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                )  # fmt: skip
        return self.process

    async def send(self, **words: Any) -> None:
        process = await self.started()
        assert process.stdin is not None
        with suppress(ConnectionError):
            process.stdin.write(json.dumps(words).encode() + b"\n")
            await process.stdin.drain()

    async def hear(self) -> dict[str, Any]:
        process = await self.started()
        assert process.stdout is not None
        try:
            line = await process.stdout.readline()
        except ValueError:  # longer than LONGEST_LINE
            raise ValueError("This is more than a page can show; the command writes it to files.") from None
        if not line:
            raise ChildGone(self.module)
        heard: dict[str, Any] = json.loads(line)
        return heard

    async def end(self) -> None:
        """Ask it to, then make it; it is gone when this returns, and no other takes its place."""
        async with self.starting:  # one that is being started is waited for
            self.over = True
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), PATIENCE)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()


class Reader:
    """Answers questions about tables, one at a time, from a process that is replaced when it breaks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lock = folder, asyncio.Lock()
        self.child = self.make()

    def make(self) -> Child:
        return Child("unmix.studio.children.reader", self.folder)

    async def ask(self, what: str, **arguments: Any) -> Any:
        """The answer; ValueError with a sentence if it is refused."""
        async with self.lock:
            heard = await self.answer(what, arguments)
        if "refused" in heard:
            raise ValueError(heard["refused"])
        return heard["answer"]

    async def answer(self, what: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            await self.child.send(what=what, **arguments)
            return await self.child.hear()
        except BaseException as error:  # also of one who went away: the answer would be taken for the next one's
            broken, self.child = self.child, self.make()
            await broken.end()
            if isinstance(error, ChildGone):
                raise ValueError("This could not be read: it takes more memory than this machine has.") from None
            raise

    async def end(self) -> None:
        await self.child.end()
