"""Sums of statistics in one fixed order: a tree of fan-in eight over the leaves, in index order.

Nodes may be computed anywhere; a worker that owns an aligned subtree returns its node, and the order of additions
is the same as if every leaf had been sent to one place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FAN_IN = 8


def merge(a: Any, b: Any) -> Any:
    """Add statistics field by field, arrays in place into ``a``; a class with a ``merge`` method brings its rule."""
    if isinstance(a, np.ndarray) and a.flags.writeable and _fits(b.dtype, a.dtype):  # first: it is the usual thing
        a += b
        return a
    if hasattr(a, "merge"):
        return a.merge(b)
    if isinstance(a, tuple):
        fields = [merge(x, y) for x, y in zip(a, b, strict=True)]
        return type(a)(*fields) if hasattr(a, "_fields") else tuple(fields)
    if a is None:
        return None
    return a + b


def _fits(new: np.dtype[Any], old: np.dtype[Any]) -> bool:
    return new == old or np.can_cast(new, old, "same_kind")  # the comparison is much the faster


class TreeSum:
    """Takes nodes of one level in index order and keeps at most seven of each level above."""

    def __init__(self) -> None:
        self._levels: list[tuple[int, Any]] = []  # per level: how many nodes are in the running sum, and the sum

    def push(self, node: Any, level: int = 0) -> None:
        while len(self._levels) <= level:
            self._levels.append((0, None))
        count, total = self._levels[level]
        total = node if count == 0 else merge(total, node)
        if count + 1 == FAN_IN:
            self._levels[level] = (0, None)
            self.push(total, level + 1)
        else:
            self._levels[level] = (count + 1, total)

    def total(self) -> Any:
        """Close the unfinished groups from the bottom up."""
        level = 0
        while level < len(self._levels):
            count, total = self._levels[level]
            self._levels[level] = (0, None)
            if count and not any(c for c, _ in self._levels[level + 1 :]):
                return total
            if count:
                self.push(total, level + 1)
            level += 1
        raise ValueError("a sum over no leaves has no value")
