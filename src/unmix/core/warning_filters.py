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

Kind = tuple[type[Warning], str]  # a category, and how the message begins

_lock = threading.Lock()
_wanted: Counter[Kind] = Counter()
_muted: ContextVar[tuple[Kind, ...]] = ContextVar("unmix_muted", default=())


class _Here:
    """Stands where filters have a pattern for the message; whoever copies it as a pattern gets one without a match."""

    pattern = "(?!)"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def match(self, text: str) -> bool:
        return self.kind in _muted.get() and text.startswith(self.kind[1])


@contextmanager
def without_warnings(*categories: type[Warning], message: str = "") -> Iterator[None]:
    """Leave out warnings of these categories, in this context; only those that begin with the message, if given."""
    with filters_for(*categories, message=message), muted(*categories, message=message):
        yield


@contextmanager
def muted(*categories: type[Warning], message: str = "") -> Iterator[None]:
    """The context part of `without_warnings`, for work that is run inside `filters_for`, in a context of its own."""
    token = _muted.set((*_muted.get(), *((category, message) for category in categories)))
    try:
        yield
    finally:
        _muted.reset(token)


@contextmanager
def filters_for(*categories: type[Warning], message: str = "") -> Iterator[None]:
    """Filters that `muted` can switch on; the last to leave takes them out."""
    kinds = [(category, message) for category in categories]
    _count(kinds, 1)
    try:
        yield
    finally:
        _count(kinds, -1)


def _count(kinds: list[Kind], by: int) -> None:
    with _lock:
        _wanted.update(dict.fromkeys(kinds, by))
        filters: Any = warnings.filters
        ours = {entry[1].kind: entry for entry in filters if isinstance(entry[1], _Here)}
        for kind, entry in ours.items():
            if _wanted[kind] <= 0:
                filters.remove(entry)
        for kind in kinds:
            if _wanted[kind] > 0 and kind not in ours:  # first, before whatever the user wants of such warnings
                filters.insert(0, ("ignore", _Here(kind), kind[0], None, 0))
        changed: Any = getattr(warnings, "_filters_mutated", None)
        if changed is not None:
            changed()
