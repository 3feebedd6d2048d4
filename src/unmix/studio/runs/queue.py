"""Runs, one at a time, each in a process of its own; whoever watches hears of every change.

queued → running → done | failed | cancelled, and interrupted where the server ended first.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from unmix.core.memory import free_bytes
from unmix.studio.runs.memory import lacking
from unmix.studio.runs.process import Child, ChildGone
from unmix.studio.runs.question import bytes_of, question
from unmix.studio.store.workspace import OPEN_STATES, Record, Workspace, now

WORKER = "unmix.studio.children.worker"
LONGEST_SILENCE = 15.0  # seconds after which a watcher is told that nothing changed


class Queue:
    """`add` and `cancel` runs, `watch` one; `work` until cancelled."""

    def __init__(self, workspace: Workspace, dask: str | None = None) -> None:
        self.workspace, self.dask = workspace, dask
        self.waiting: deque[str] = deque()
        self.running: str | None = None
        self.progress: dict[str, Any] = {}
        self.child: Child | None = None
        self.bell, self.awake = asyncio.Event(), asyncio.Event()

    def add(self, run: str) -> None:
        self.workspace.update("runs", run, state="queued", error=None, ended=None)
        self.waiting.append(run)
        self.awake.set()
        self.ring()

    async def cancel(self, run: str) -> None:
        """A waiting run leaves the queue; the process of a running one is ended."""
        if run in self.waiting:
            self.waiting.remove(run)
            self.end(run, "cancelled")
        elif run == self.running and self.child is not None:
            self.end(run, "cancelled")
            await self.child.end()

    async def work(self) -> None:
        try:
            while True:
                await self.awake.wait()
                if not self.waiting:
                    self.awake.clear()
                    continue
                self.running, self.progress = self.waiting.popleft(), {}
                await self.answer(self.running)
                self.running = None
                self.ring()
        finally:
            if self.child is not None:
                await self.child.end()

    async def answer(self, run: str) -> None:
        record = self.workspace.get("runs", run)
        table = self.workspace.get("tables", record["of"]) if record else None
        if record is None or table is None:
            return
        if (why := lacking(bytes_of(self.workspace, record, table), free_bytes())) is not None:
            self.end(run, "failed", why)
            return
        self.workspace.update("runs", run, state="running")
        self.ring()
        self.child = Child(WORKER, self.workspace.table_path(table).parent)
        try:
            await self.follow(self.child, record, table)
        except ValueError as error:  # a file that it asks for is gone
            self.end(run, "failed", str(error))
        except ChildGone:
            if self.state(run)["state"] == "running":  # and was not cancelled
                self.end(run, "failed", "The run was ended by the system; most likely memory ran out.")
        except Exception as error:  # the queue goes on
            self.end(run, "failed", f"The run could not be followed ({type(error).__name__}: {error}).")
        finally:
            await self.child.end()
            self.child = None
            self.tidy(run)

    async def follow(self, child: Child, record: Record, table: Record) -> None:
        """Start the run and pass on what its process says, until it says that it is over."""
        await child.send(**question(self.workspace, record, table, self.dask))
        while True:
            heard = await child.hear()
            if heard.get("state") == "done":
                self.workspace.finish(record["id"])
                return
            if heard.get("state") == "failed":
                self.workspace.forget(record["id"])  # it would only lead to the same sentence
                self.end(record["id"], "failed", heard["error"])
                return
            self.progress = {**self.progress, "compiling": None, **heard}
            self.ring()

    def tidy(self, run: str) -> None:
        """Half a result is none; what was finished on the way stays, to go on from."""
        if self.state(run)["state"] != "done":
            shutil.rmtree(self.workspace.run_folder(run), ignore_errors=True)

    def end(self, run: str, state: str, error: str | None = None) -> None:
        self.workspace.update("runs", run, state=state, error=error, ended=now())
        self.ring()

    def ring(self) -> None:
        self.bell.set()
        self.bell = asyncio.Event()

    def state(self, run: str) -> dict[str, Any]:
        """What a watcher sees: the state, how many runs are before it, and how far it is."""
        record = self.workspace.get("runs", run) or {"state": "gone", "error": None}
        found = {"state": record["state"], "error": record["error"]}
        if run in self.waiting:
            found["before"] = self.waiting.index(run) + (self.running is not None)
        return found | (self.progress if run == self.running and found["state"] == "running" else {})

    async def watch(self, run: str) -> AsyncIterator[dict[str, Any] | None]:
        """Every new state until the last one; None now and then, if nothing changes."""
        sent: dict[str, Any] | None = None
        while True:
            bell, found = self.bell, self.state(run)
            if found != sent:
                yield found
            sent = found
            if found["state"] not in OPEN_STATES:
                return
            try:
                await asyncio.wait_for(bell.wait(), LONGEST_SILENCE)
            except TimeoutError:
                yield None
