"""Constraints on every entry a alone:  l1 |a| + ½ l2 a²  with  low ≤ a ≤ high.

The function of one number is convex, so limits come last:

    prox(v) = clip(soft(v, t l1) / (1 + t l2), low, high),    soft(v, s) = sign(v) max(|v| - s, 0)
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Entry, Step
from unmix.optimize.arguments import floats
from unmix.optimize.soft_threshold import prox_l1


class Entrywise(Constraint):
    """Base of the constraints on entries: all follows from their four numbers."""

    scope: ClassVar[str] = "entry"

    @property
    @abstractmethod
    def entry(self) -> Entry: ...

    @property
    def shrinks(self) -> bool:
        return self.entry.l1 > 0 or self.entry.l2 > 0

    @property
    def bounded(self) -> bool:
        return bool(np.isfinite(self.entry.low) and np.isfinite(self.entry.high))

    @property
    def symmetric(self) -> bool:
        return self.entry.low == -self.entry.high

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        W, (l1, l2, low, high) = floats(V, "V"), self.entry
        if l1 > 0:
            W = prox_l1(W, _price(l1, step, W.dtype))
        if l2 > 0:
            W = W / (1 + _price(l2, step, W.dtype))
        if np.isfinite(low) or np.isfinite(high):
            W = np.clip(W, _as(low, W.dtype), _as(high, W.dtype))
        return W.copy() if W is V else W

    def penalty(self, V: np.ndarray) -> np.ndarray:
        V, paid = np.asarray(V, order="C"), np.zeros(len(V))  # sums to the bit, however the memory lies
        if self.entry.l1 > 0:
            paid += self.entry.l1 * np.abs(V).sum(axis=1, dtype=np.float64)
        if self.entry.l2 > 0:
            paid += self.entry.l2 / 2 * np.square(V, dtype=np.float64).sum(axis=1)
        return paid

    def violation(self, V: np.ndarray) -> float:
        below, above = _as(self.entry.low, V.dtype) - V, V - _as(self.entry.high, V.dtype)
        return float(np.maximum(below, above).max(initial=0.0))


def _as(value: float, dtype: Any) -> np.ndarray:
    """The number in the precision of the factor: beyond its largest one it is infinity."""
    with np.errstate(over="ignore"):
        return np.asarray(value, np.float64).astype(dtype)


def _price(strength: float, step: Step, dtype: Any) -> np.ndarray:
    with np.errstate(over="ignore"):
        return (strength * np.asarray(step, np.float64)).astype(dtype)
