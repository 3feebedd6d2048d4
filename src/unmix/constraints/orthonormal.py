"""Vectors, or the columns of the matrix, at right angles and of length 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step


@dataclass(frozen=True)
class Orthonormal(Constraint):
    """V Vᵀ = I where V has no more rows than columns, VᵀV = I where it has more.

        prox(V) = P Q   for V = P Σ Q   (the polar factor, the answer of Procrustes)

    References
    ----------
    Fan & Hoffman, Proc. American Mathematical Society 6, 1955; Schönemann, Psychometrika 31, 1966.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Orthonormal
    >>> Orthonormal().prox(np.array([[0.0, 3.0], [-0.1, 0.0]]), 1.0).round(12) + 0.0
    array([[ 0.,  1.],
           [-1.,  0.]])
    """

    name: ClassVar[str] = "orthonormal"
    scope: ClassVar[str] = "matrix"
    convex: ClassVar[bool] = False
    bounded: ClassVar[bool] = True
    rotates: ClassVar[bool] = True

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        # in double precision: with many entries the angles would be off by more than one of them is rounded
        left, _, right = np.linalg.svd(V.astype(np.float64, copy=False), full_matrices=False)
        return (left @ right).astype(V.dtype, copy=False)

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        """The largest entry of V Vᵀ - I, or of VᵀV - I."""
        W = V.astype(np.float64, copy=False)
        gram = W @ W.T if W.shape[0] <= W.shape[1] else W.T @ W
        return float(np.abs(gram - np.eye(len(gram))).max(initial=0.0))
