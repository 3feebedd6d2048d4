"""Vectors of length 1, or at most 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step
from unmix.optimize.ball import project_ball
from unmix.optimize.norm import directions, lengths


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
