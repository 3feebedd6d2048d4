"""At most so many entries other than 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step
from unmix.core.arguments import whole_number


@dataclass(frozen=True)
class Sparse(Constraint):
    """Vectors of at most ``n_nonzero`` entries other than 0, of any size: the largest stay, of equal ones the first.

    Parameters
    ----------
    n_nonzero : int, default=1

    References
    ----------
    Blumensath & Davies, J. Fourier Analysis and Applications 14, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Sparse
    >>> Sparse(2).prox(np.array([[-3.0, 0.5, 2.0]]), 1.0)
    array([[-3.,  0.,  2.]])
    """

    n_nonzero: int = 1
    name: ClassVar[str] = "sparse"
    convex: ClassVar[bool] = False

    def __post_init__(self) -> None:
        whole_number("n_nonzero", self.n_nonzero)

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        falling = np.argsort(-np.abs(V), axis=1, kind="stable")
        W = V.copy()
        np.put_along_axis(W, falling[:, self.n_nonzero :], 0, axis=1)
        return W

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        """The largest entry that should be 0."""
        falling = -np.sort(-np.abs(V), axis=1)
        return float(falling[:, self.n_nonzero :].max(initial=0.0))
