"""A least-squares step for any penalty from one factorisation, whatever the shape.

(AᵀA + ρ I)⁻¹ q = (q - V diag(s² / (s² + ρ)) Vᵀ q) / ρ     for A = U diag(s) Vᵀ
"""

from __future__ import annotations

import numpy as np


class RidgeStep:
    """``argmin ½ ‖A x - b‖² + ρ/2 ‖x - v‖²`` for any v and ρ; the singular values of A are found once."""

    def __init__(self, A: np.ndarray, b: np.ndarray) -> None:
        _, self._values, self._right = np.linalg.svd(A, full_matrices=False)
        self._correlation = A.T @ b

    def __call__(self, v: np.ndarray, rho: float) -> np.ndarray:
        q = self._correlation + rho * v
        squared = self._values**2
        return np.asarray((q - self._right.T @ ((squared / (squared + rho)) * (self._right @ q))) / rho)
