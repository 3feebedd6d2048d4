"""Who is notified when a kernel compiles: observers of this process, none by default.

A command shows it beside its progress. This file knows nothing of numba, so that watching does not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Observer = Callable[[str], None]
_observers: list[Observer] = []


@contextmanager
def watch_compiling(observer: Observer) -> Iterator[None]:
    """Call ``observer(name)`` whenever a kernel begins to compile inside the ``with`` block."""
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.remove(observer)


def tell_compiling(name: str) -> None:
    for observer in tuple(_observers):
        observer(name)
