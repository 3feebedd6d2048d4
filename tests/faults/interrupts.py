"""Ctrl-C at each stage of every command, and at each call that writes: exit code 130, and nothing changed.

A command that gives the best so far may have written that instead, whole.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.faults.broken_disk import failing
from tests.faults.commands import COMMANDS, WRITING, invoke, prepare, state_of, unclear
from tests.faults.disk import _changed, _fresh
from tests.faults.part import Case
from unmix.cli.terminal.stages import Stages

BEST_SO_FAR = {"roles"}


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


@contextmanager
def at_stage(number: int | None) -> Iterator[list[str]]:
    """Ctrl-C when stage ``number`` begins; the list tells which have begun."""
    begun: list[str] = []
    begin = Stages.begin

    def begin_or_stop(self: Stages, words: str) -> str:
        begun.append(words)
        if len(begun) == number:
            interrupt()
        return begin(self, words)

    with patch.object(Stages, "begin", begin_or_stop):
        yield begun


def interrupts(folder: Path, short: bool) -> Iterator[Case]:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores the key
    prepare(folder)
    for name, words in COMMANDS.items():
        _fresh(folder, name, earlier=True)
        with at_stage(None) as stages:
            invoke(words, folder)
        whole = state_of(folder).keys()
        _fresh(folder, name, earlier=True)
        for number in range(1, len(stages) + 1, 4 if short else 1):
            before = state_of(folder)
            with at_stage(number):
                result = invoke(words, folder)
            after = state_of(folder)
            best = name in BEST_SO_FAR and after.keys() == whole and "unmix: stopped" in result.output
            problem = unclear(result, (130,)) or (None if best else _differs(before, after))
            yield f"Ctrl-C in {name} at stage {number}, {stages[number - 1]}", problem
    for name in WRITING[:1] if short else WRITING:
        yield from _while_writing(name, folder, short)


def _while_writing(name: str, folder: Path, short: bool) -> Iterator[Case]:
    """Old results or new ones, whole; and 130, or 0 where all was written before the key was seen."""
    _fresh(folder, name, earlier=True)
    old = state_of(folder)
    with failing(None, interrupt) as counted:
        invoke(COMMANDS[name], folder)
    new = state_of(folder)
    for at in range(1, counted.seen + 1, 3 if short else 1):
        _fresh(folder, name, earlier=True)
        with failing(at, interrupt):
            result = invoke(COMMANDS[name], folder)
        after = state_of(folder)
        whole = after.keys() in (old.keys(), new.keys()) and not any(".unmix-" in path for path in after)
        problem = unclear(result, (0, 130)) or (None if whole else f"left {_changed(old, after)}")
        yield f"Ctrl-C in {name} at call {at} that writes", problem


def _differs(before: dict[str, bytes | None], after: dict[str, bytes | None]) -> str | None:
    return None if before == after else f"{_changed(before, after)} changed"
