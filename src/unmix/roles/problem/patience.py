"""Ctrl-C and the end of the time, where a search would not notice: between stages, and inside a solver."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from unmix.roles.problem.budget import Budget

T = TypeVar("T")
_model_budget: ContextVar[Budget | None] = ContextVar("model_budget", default=None)


class TimeOver(Exception):
    """The budget of a model ended before the model was fitted."""


@contextmanager
def ending(budget: Budget) -> Iterator[None]:
    """Inside, `check_time` raises `TimeOver` once the budget is over: for models that know of no budget themselves."""
    token = _model_budget.set(budget)
    try:
        yield
    finally:
        _model_budget.reset(token)


def check_time() -> None:
    """Called between the steps of a model that may take long."""
    budget = _model_budget.get()
    if budget is not None and budget.over:
        raise TimeOver


LOOK = 0.05  # seconds between two looks at the budget


@contextmanager
def listening(budget: Budget) -> Iterator[Budget]:
    """Inside, the first Ctrl-C ends the budget and every stage returns its best so far; the second one is an error.

    Where a programme handles the signal itself, or this is not its main thread, that stays as it is.
    """
    usual = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield budget
        return

    def end(number: int, frame: Any) -> None:
        if budget.interrupted:
            usual(number, frame)
        budget.interrupt()

    signal.signal(signal.SIGINT, end)
    try:
        yield budget
    finally:
        signal.signal(signal.SIGINT, usual)


def patiently(work: Callable[[], T], budget: Budget) -> T | None:
    """What ``work`` returns, or None if all the time is over first or Ctrl-C is pressed.

    A solver in compiled code does not hear of Ctrl-C: it works in a thread, and where nobody waits for it any more it
    comes to its end unheard, as its own time limit says.

    >>> patiently(lambda: 6 * 7, Budget(None))
    42
    """
    answer: dict[str, Any] = {}

    def run() -> None:
        try:
            answer["found"] = work()
        except BaseException as error:
            answer["error"] = error

    thread, whole = threading.Thread(target=run), budget.root
    thread.start()
    while thread.is_alive() and not whole.over:
        thread.join(LOOK if whole.left is None else min(LOOK, whole.left))
    if "error" in answer:
        raise answer["error"]
    found: T | None = answer.get("found")
    return found
