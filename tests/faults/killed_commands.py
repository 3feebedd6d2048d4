"""SIGKILL at each call by which a command keeps something: old results or new ones, whole, and the next run works."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.faults.broken_disk import failing
from tests.faults.commands import COMMANDS, WRITING, invoke, prepare, state_of, unclear
from tests.faults.disk import _changed, _fresh
from tests.faults.part import Case

# In a process of its own: that of the harness has threads, and a fork of it would wait for them.
ONE = """
import os, signal, sys
from pathlib import Path
from tests.faults.broken_disk import failing
from tests.faults.commands import COMMANDS, invoke
with failing(int(sys.argv[2]), lambda: os.kill(os.getpid(), signal.SIGKILL)):
    invoke(COMMANDS[sys.argv[1]], Path(sys.argv[3]))
"""
ROOT = Path(__file__).parents[2]


def killed_commands(folder: Path, short: bool) -> Iterator[Case]:
    prepare(folder)
    for name in ("roles",) if short else WRITING:
        _fresh(folder, name, earlier=True)
        old = state_of(folder)
        with failing(None, lambda: None) as counted:
            invoke(COMMANDS[name], folder)
        new = state_of(folder)
        for at in range(1, counted.seen + 1, 3 if short else 1):
            _fresh(folder, name, earlier=True)
            yield (
                f"{name} killed at call {at} of {counted.seen} that keep something",
                _killed(name, folder, at, old, new),
            )


def _killed(name: str, folder: Path, at: int, old: dict[str, bytes | None], new: dict[str, bytes | None]) -> str | None:
    words = [sys.executable, "-c", ONE, name, str(at), str(folder)]
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        words, cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode != -signal.SIGKILL:
        return f"it was not killed: {done.stderr[-200:]}"
    left = _cleaned(folder)
    if left.keys() not in (old.keys(), new.keys()):
        return f"neither the old results nor the new ones are there: {_changed(old, left)}"
    if problem := unclear(invoke(COMMANDS[name], folder), (0,)):
        return f"the next run fails: {problem}"
    return None if _cleaned(folder).keys() == new.keys() else "the next run writes something else"


def _cleaned(folder: Path) -> dict[str, bytes | None]:
    """What is there under its own name; what is half written has another, and goes by a later run."""
    for path in folder.rglob(".*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return state_of(folder)
