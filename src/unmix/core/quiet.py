"""Warnings left out of one piece of work, while every other thread goes on being warned.

`warnings.catch_warnings` exchanges the filters of the whole process: two of them that overlap in two threads leave the
filters of the one that came last behind. Here a filter is put in for as long as anybody wants it, and asks in whose
work it is called: it matches only in contexts that want the warnings of its category left out.
"""

from __future__ import annotations

import threading
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_lock = threading.Lock()
_wanted: Counter[type[Warning]] = Counter()
_muted: ContextVar[tuple[type[Warning], ...]] = ContextVar("unmix_muted", default=())


class _Here:
    """Stands where filters have a pattern for the message; whoever copies it as a pattern gets one without a match."""

    pattern = "(?!)"

    def __init__(self, category: type[Warning]) -> None:
        self.category = category

    def match(self, text: str) -> bool:
        return self.category in _muted.get()


@contextmanager
def without_warnings(*categories: type[Warning]) -> Iterator[None]:
    """Leave out warnings of these categories, in this context."""
    with filters_for(*categories), muted(*categories):
        yield


@contextmanager
def muted(*categories: type[Warning]) -> Iterator[None]:
    """The context part of `without_warnings`, for work that is run inside `filters_for`, in a context of its own."""
    token = _muted.set((*_muted.get(), *categories))
    try:
        yield
    finally:
        _muted.reset(token)


@contextmanager
def filters_for(*categories: type[Warning]) -> Iterator[None]:
    """Filters that `muted` can switch on; the last to leave takes them out."""
    _count(categories, 1)
    try:
        yield
    finally:
        _count(categories, -1)


def _count(categories: tuple[type[Warning], ...], by: int) -> None:
    with _lock:
        for category in categories:
            _wanted[category] += by
        ours = [entry for entry in warnings.filters if isinstance(entry[1], _Here)]
        there = {_category(entry) for entry in ours}
        for entry in ours:
            if _wanted[_category(entry)] <= 0:
                warnings.filters.remove(entry)  # type: ignore[attr-defined]
        for category in {*categories} - there:
            if _wanted[category] > 0:  # first, before whatever the user wants of such warnings
                warnings.filters.insert(0, ("ignore", _Here(category), category, None, 0))  # type: ignore[attr-defined]
        changed: Any = getattr(warnings, "_filters_mutated", None)
        if changed is not None:
            changed()


def _category(entry: Any) -> type[Warning]:
    pattern: _Here = entry[1]
    return pattern.category
