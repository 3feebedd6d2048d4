"""Shares of a whole."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step
from unmix.optimize.simplex import project_simplex


@dataclass(frozen=True)
class Simplex(Constraint):
    """Vectors without negative entries that sum to ``total``: probabilities, mixing proportions, shares.

        prox(v) = max(v - θ, 0)   with the θ for which the sum is right

    Parameters
    ----------
    total : float, default=1.0

    References
    ----------
    Duchi, Shalev-Shwartz, Singer & Chandra, ICML 2008; Cutler & Breiman, Archetypal Analysis, Technometrics 36, 1994.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Simplex
    >>> Simplex().prox(np.array([[0.5, 1.2, -3.0]]), 1.0)
    array([[0.15, 0.85, 0.  ]])
    """

    total: float = 1.0
    name: ClassVar[str] = "simplex"
    symmetric: ClassVar[bool] = False
    bounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.total, Real) or not 0 < self.total < float("inf"):
            raise ValueError(f"total={self.total!r}: give a positive number")

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        return project_simplex(V, self.total)

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        """The largest negative entry or error of a sum."""
        missing = np.abs(V.sum(axis=1, dtype=np.float64) - self.total)
        return max(float((-V).max(initial=0.0)), float(missing.max(initial=0.0)))
