"""Vectors of length 1, or at most 1.

The least of ½ v·G v - c·v on the sphere is v = (G + μ I)⁻¹ c with the μ, no less than minus the smallest eigenvalue of
G, for which ‖v‖ = 1; where c has no part along its axis, what is missing of the length lies there.  Moré & Sorensen,
SIAM J. Scientific and Statistical Computing 4, 1983.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step
from unmix.optimize.ball import project_ball
from unmix.optimize.norm import directions, lengths

MOST_STEPS = 100  # far more than are needed: a handful is usual
ROUNDING = 16 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class UnitNorm(Constraint):
    """Vectors of length ‖v‖ ≤ 1, or of length 1: all that they say is their direction.

        prox(v) = v / max(‖v‖, 1)    or    v / ‖v‖,   where v = 0 becomes the first axis

    Parameters
    ----------
    at_most : bool, default=True
        Whether shorter vectors are allowed, too; only then the constraint is convex.

    References
    ----------
    Olshausen & Field, Nature 381, 1996; Mairal, Bach, Ponce & Sapiro, J. Machine Learning Research 11, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import UnitNorm
    >>> UnitNorm().prox(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0)
    array([[0.6, 0.8],
           [0.3, 0.4]])
    """

    at_most: bool = True
    name: ClassVar[str] = "unit_norm"
    bounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.at_most, bool):
            raise ValueError(f"at_most={self.at_most!r}: give True or False")

    @property
    def convex(self) -> bool:
        return self.at_most

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        if self.at_most:
            return project_ball(V, 1.0, axis=1)
        W = directions(V, axis=1)
        W[~W.any(axis=1), :1] = 1  # all directions are equally near
        return W

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        excess = lengths(V, axis=1) - 1
        return float((excess if self.at_most else np.abs(excess)).max(initial=0.0))

    def solve(self, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
        bends, axes = np.linalg.eigh(gram.astype(np.float64, copy=False))
        along = cross @ axes[0] if len(gram) == 1 else np.matmul(cross[:, None, :], axes)[:, 0]
        bends = np.broadcast_to(np.maximum(bends, 0.0), along.shape)
        along = np.where(bends > ROUNDING * bends[:, -1:] * along.shape[1], along, 0.0)  # G says nothing there
        inside = np.divide(along, bends, out=np.zeros_like(along), where=along != 0)
        on_sphere = of_length_one(bends, along)
        found = np.where((lengths(inside, axis=1) <= 1)[:, None], inside, on_sphere) if self.at_most else on_sphere
        back = found @ axes[0].T if len(gram) == 1 else np.matmul(axes, found[:, :, None])[:, :, 0]
        return self.prox(back.astype(V.dtype, copy=False), 0.0)


def of_length_one(bends: np.ndarray, along: np.ndarray) -> np.ndarray:
    """along / (bends + μ) with the μ that makes it of length 1; bends rise along the rows."""
    low = (np.abs(along) - bends).max(axis=1)  # there one entry alone is as long
    high = lengths(along, axis=1) - bends[:, 0]
    shift = low
    for _ in range(MOST_STEPS):
        v, total = shifted(bends, along, shift)
        size = lengths(v, axis=1)
        low, high = np.where(size >= 1, shift, low), np.where(size <= 1, shift, high)
        falls = np.divide(v * v, total, out=np.zeros_like(v), where=total > 0).sum(axis=1)
        step = np.divide(size**2 * (size - 1), falls, out=np.zeros_like(size), where=falls > 0)
        new = shift + step  # Newton's step for 1 / ‖v‖
        new = np.where((new >= low) & (new <= high), new, 0.5 * (low + high))
        if (np.abs(new - shift) <= ROUNDING * np.maximum(np.abs(shift), bends[:, -1])).all():
            break
        shift = new
    v, _ = shifted(bends, along, shift)
    missing = np.maximum(1 - lengths(v, axis=1) ** 2, 0.0)
    flat = (shift <= -bends[:, 0] + ROUNDING * bends[:, -1]) & (missing > 0)
    v[:, 0] = np.where(flat, np.copysign(np.sqrt(v[:, 0] ** 2 + missing), v[:, 0]), v[:, 0])
    return v


def shifted(bends: np.ndarray, along: np.ndarray, shift: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    total = bends + shift[:, None]
    return np.divide(along, total, out=np.zeros_like(along), where=(along != 0) & (total > 0)), total
