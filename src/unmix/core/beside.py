"""Work that a second process does beside this one, where there is one: handed over by `later`, asked for when needed.

The second process is a fork made while this one has not begun to work, so it imports nothing again. Answers do not
depend on it: where there is none, it is busy, or it ends early, the same work is done here when it is asked for.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from unmix.core.execution import execution
from unmix.core.threads import default_threads

_helper: ContextVar[Helper | None] = ContextVar("unmix_helper", default=None)


class Helper:
    """One process, for one piece of work at a time."""

    def __init__(self) -> None:
        from multiprocessing import get_context

        fork = get_context("fork")
        self._here, there = fork.Pipe()
        self._process = fork.Process(target=_serve, args=(there, self._here), daemon=True)
        self._process.start()
        there.close()
        self._busy = False

    def take(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
        """Whether the work was handed over."""
        if self._busy:
            return False
        try:
            self._here.send((function, arguments))
        except OSError:
            return False
        self._busy = True
        return True

    def answer(self) -> tuple[bool, Any]:
        """Whether the work was done, and its result."""
        self._busy = False
        try:
            done, result = self._here.recv()
        except (OSError, EOFError):
            return False, None
        return bool(done), result

    def end(self) -> None:
        self._here.close()
        self._process.terminate()
        self._process.join()


@contextmanager
def beside(wanted: bool = True) -> Iterator[None]:
    """A second process for what is handed over inside, where it is wanted and the machine has a processor for it.

    Wanted is it only where no other thread has begun to work: a fork has none of them, but the locks they held.
    """
    if not wanted or sys.platform != "linux" or default_threads() < 2:
        yield
        return
    helper = Helper()
    token = _helper.set(helper)
    try:
        yield
    finally:
        _helper.reset(token)
        helper.end()


def later(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    """What gives function(*arguments) when it is called, once: computed meanwhile, if there is a second process."""
    helper = _helper.get()
    if helper is None or not helper.take(function, arguments):
        return lambda: function(*arguments)

    def result() -> Any:
        done, found = helper.answer()
        return found if done else function(*arguments)

    return result


def _serve(there: Any, here: Any) -> None:
    """In the second process: work until nobody asks any more; what fails is left to the first, which then says why."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    here.close()
    while True:
        try:
            function, arguments = there.recv()
        except EOFError:
            return
        try:
            with execution(threads=1):
                answer = True, function(*arguments)
        except Exception:
            answer = False, None
        there.send(answer)
