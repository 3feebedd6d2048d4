"""What every entry of a vector may be and pays, as arrays for the solvers of quadratic problems."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.constraints.base import Constraint


class Limits(NamedTuple):
    """Of every entry of a vector: l1 |a| + ½ l2 a², low ≤ a ≤ high; each (k,)."""

    l1: np.ndarray
    l2: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def linear(self) -> bool:
        return not self.l1.any() and bool(np.isinf(self.low).all() and np.isinf(self.high).all())

    @property
    def non_negative(self) -> bool:
        return bool((self.low == 0).all() and np.isinf(self.high).all()) and same(self.l1) and same(self.l2)


def same(values: np.ndarray) -> bool:
    return bool((values == values[0]).all())


def limits_of(constraint: Constraint, k: int, free: int = 0) -> Limits | None:
    """Of k entries under the constraint and ``free`` more without any; None where it is none on entries."""
    entry = constraint.entry
    if entry is None:
        return None
    nothing = (0.0, 0.0, -np.inf, np.inf)
    return Limits(*(np.array([value] * k + [none] * free) for value, none in zip(entry, nothing)))
