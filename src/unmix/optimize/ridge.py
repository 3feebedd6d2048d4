"""A least-squares step for any penalty from one factorisation, whatever the shape.

(AᵀA + ρ I)⁻¹ (Aᵀb + ρ v) = V diag(1 / (s² + ρ)) (s Uᵀb + ρ Vᵀv) + (v - V Vᵀv)     for A = U diag(s) Vᵀ

The last term is what A does not see; nothing is divided by ρ alone, so a small ρ loses no digits.
"""

from __future__ import annotations

import numpy as np


class RidgeStep:
    """``argmin ½ ‖A x - b‖² + ρ/2 ‖x - v‖²`` for any v and ρ; the singular values of A are found once."""

    def __init__(self, A: np.ndarray, b: np.ndarray) -> None:
        left, values, self._right = np.linalg.svd(A, full_matrices=False)
        self._squared, self._correlation = values**2, values * (left.T @ b)
        self._seen = len(self._right) == A.shape[1]

    @property
    def curvature(self) -> float:
        """The mean of the singular values' squares: a penalty of that size weighs both terms alike."""
        return float(self._squared.mean())

    def __call__(self, v: np.ndarray, rho: float) -> np.ndarray:
        turned = self._right @ v
        x = self._right.T @ ((self._correlation + rho * turned) / (self._squared + rho))
        return np.asarray(x if self._seen else x + (v - self._right.T @ turned))
