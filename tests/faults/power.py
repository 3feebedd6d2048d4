"""Power lost at any moment: nothing gets its name before it is on disk, and no name is told before it is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import unmix
from tests.faults.commands import COMMANDS, WRITING, invoke, prepare, unclear
from tests.faults.part import Case
from unmix.cluster import KMeans
from unmix.core.storage import folder


class Ledger:
    """Which files and folders were synced, and which new names wait for their folder to be."""

    def __init__(self) -> None:
        self.synced: set[int] = set()
        self.waiting: dict[int, str] = {}
        self.problems: list[str] = []

    def sync(self, handle: int) -> None:
        inode = os.fstat(handle).st_ino
        self.synced.add(inode)
        self.waiting.pop(inode, None)

    def name(self, source: Path, target: Path) -> None:
        """A file, or a folder with files, takes a new name."""
        files = [source] if source.is_file() else [path for path in source.rglob("*") if path.is_file()]
        early = [path.name for path in files if path.stat().st_ino not in self.synced]
        early += [source.name] if source.is_dir() and source.stat().st_ino not in self.synced else []
        if early and not source.name.endswith("-old") and not target.name.endswith("-old"):
            self.problems.append(f"{', '.join(early)} took the name {target.name} before being on disk")
        self.waiting[target.parent.stat().st_ino] = target.name


@contextmanager
def watched() -> Iterator[Ledger]:
    ledger, fsync, calls = Ledger(), os.fsync, {"replace": os.replace, "rename": os.rename}
    swap = folder.swap

    def sync(handle: int) -> None:
        fsync(handle)
        ledger.sync(handle)

    def naming(call: Callable[..., Any]) -> Callable[..., Any]:
        def put(source: Any, target: Any, **options: Any) -> Any:
            ledger.name(Path(source), Path(target).absolute())
            return call(source, target, **options)

        return put

    def swapped(one: Path, other: Path) -> bool:
        done = swap(one, other)
        if done:
            ledger.name(other, other)
        return done

    with (
        patch.object(folder, "swap", swapped),
        patch.object(os, "fsync", sync),
        patch.object(os, "replace", naming(calls["replace"])),
        patch.object(os, "rename", naming(calls["rename"])),
    ):
        yield ledger


def power(place: Path, short: bool) -> Iterator[Case]:
    prepare(place)
    for name in WRITING:
        for time in ("first", "again", "beside files of others"):
            if time == "beside files of others" and (place / "out").is_dir():
                (place / "out" / "mine.txt").write_text("x")
            with watched() as ledger:
                result = invoke(COMMANDS[name], place)
            yield f"power lost in {name}, {time}", unclear(result, (0,)) or _lost(ledger)
        shutil.rmtree(place / "out", ignore_errors=True)
    X = np.arange(40.0).reshape(20, 2)
    with watched() as ledger:
        KMeans(2, random_state=0).fit(X).save(place / "model.unmix")
    yield "power lost as a model is saved", _lost(ledger)
    with watched() as ledger, unmix.execution(checkpoint=place / "fit.checkpoint", checkpoint_seconds=0):
        KMeans(2, random_state=0).fit(X)
    yield "power lost as checkpoints are saved", _lost(ledger)


def _lost(ledger: Ledger) -> str | None:
    if ledger.problems:
        return ledger.problems[0]
    return f"the name {next(iter(ledger.waiting.values()))} was not synced" if ledger.waiting else None
