"""Work that a second process does beside this one, where there is one: handed over by `later`, asked for when needed.

The second process is a fork made while this one has not begun to work, so it imports nothing again. Answers do not
depend on it: where there is none, it is busy, or it ends early, the same work is done here when it is asked for.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from unmix.core.execution import current_execution, execution
from unmix.core.threads import default_threads

_helper: ContextVar[Helper | None] = ContextVar("unmix_helper", default=None)


class Piece:
    """Work that was handed over: whether it was done, and its result."""

    done, result = False, None


class Helper:
    """One process, for one piece of work at a time; what it has finished is kept until it is asked for."""

    def __init__(self) -> None:
        from multiprocessing import get_context

        fork = get_context("fork")
        self._here, there = fork.Pipe()
        self._process = fork.Process(target=_serve, args=(there, self._here), daemon=True)
        self._process.start()
        there.close()
        self._doing: Piece | None = None
        self._ended = False

    def take(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Piece | None:
        """The piece of work, if it was handed over."""
        if not self.is_free():
            return None
        try:
            self._here.send((function, arguments))
        except OSError:
            self._ended = True
            return None
        self._doing = Piece()
        return self._doing

    def is_free(self) -> bool:
        """Whether there is a process, and it has nothing to do: what it has done is taken from it."""
        if self._doing is not None and self._here.poll():
            self.receive(self._doing)
        return self._doing is None and not self._ended

    def is_doing(self, piece: Piece) -> bool:
        return self._doing is piece

    def receive(self, piece: Piece) -> None:
        """Wait for the piece that is being done."""
        self._doing = None
        try:
            piece.done, piece.result = self._here.recv()
        except (OSError, EOFError):
            self._ended = True

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
    piece = None if helper is None else helper.take(function, arguments)
    if helper is None or piece is None:
        return lambda: function(*arguments)

    def result() -> Any:
        if helper.is_doing(piece):
            helper.receive(piece)
        return piece.result if piece.done else function(*arguments)

    return result


def shared(function: Callable[[Any], Any], pieces: Sequence[Any]) -> list[Any]:
    """[function(piece), …]: from the first on here, meanwhile from the last on in the second process, where it is free.

    Where several threads work already, they have the processors.
    """
    found: dict[int, Any] = {}
    asked: dict[int, Callable[[], Any]] = {}
    helper = _helper.get() if current_execution().n_threads == 1 else None
    while (left := len(pieces) - len(found) - len(asked)) > 0:
        last = len(found) + left - 1
        if left > 1 and helper is not None and helper.is_free():
            asked[last] = later(function, pieces[last])
        else:
            found[len(found)] = function(pieces[len(found)])
    found |= {i: ask() for i, ask in asked.items()}
    return [found[i] for i in range(len(pieces))]


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
