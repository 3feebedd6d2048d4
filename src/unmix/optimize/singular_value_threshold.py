"""Shrinking every singular value: the proximal operator of the nuclear norm.

    prox(V) = argmin_X  t ‖X‖_* + ½ ‖X - V‖²  =  U max(Σ - t, 0) Wᵀ     for V = U Σ Wᵀ

Cai, Candès & Shen, SIAM Journal on Optimization 20, 2010.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import checked_size, floats, refuse_infinity


def prox_nuclear(V: Any, t: float = 1.0) -> np.ndarray:
    """The matrix with every singular value lowered by ``t``, but not below zero: its rank falls.

    Parameters
    ----------
    V : (n, d) array
    t : float
        Weight of the norm, 0 or more.

    Examples
    --------
    >>> prox_nuclear([[3.0, 0.0], [0.0, 0.5]], 1.0)
    array([[2., 0.],
           [0., 0.]])
    """
    matrix = floats(V, "V")
    if matrix.ndim != 2:
        raise ValueError(f"V has {matrix.ndim} dimension(s), expected a matrix")
    refuse_infinity(matrix, "V")
    size = float(checked_size(t, "t"))
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    kept = values > size
    return np.asarray((left[:, kept] * (values[kept] - values.dtype.type(size))) @ right[kept])
