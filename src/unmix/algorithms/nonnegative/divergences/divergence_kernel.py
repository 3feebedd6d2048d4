"""Loops of the Kullback-Leibler divergence: fitted values at stored entries, ratios, and row sums of the divergence."""

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def products_at(
    indices: np.ndarray, indptr: np.ndarray, codes: np.ndarray, turned: np.ndarray, out: np.ndarray
) -> None:
    """``out[p] = z_i·u_j`` for each stored entry p = (i, j); ``turned`` is Uᵀ (d, k)."""
    for i in range(codes.shape[0]):
        for p in range(indptr[i], indptr[i + 1]):
            total = codes.dtype.type(0)
            for c in range(codes.shape[1]):
                total += codes[i, c] * turned[indices[p], c]
            out[p] = total


@kernel
def ratios(values: np.ndarray, fitted: np.ndarray, floor: float) -> None:
    """``fitted`` ← values / fitted; zero where nothing was observed, and where the fit is, which no factor mends."""
    zero = fitted.dtype.type(0)
    for p in range(values.size):
        fitted[p] = values[p] / fitted[p] if values[p] > zero and fitted[p] > floor else zero


@kernel
def row_divergence(values: np.ndarray, fitted: np.ndarray, indptr: np.ndarray, floor: float, rows: np.ndarray) -> None:
    """``rows[i] = Σ x log(x / y) - x + y`` over the entries given of each row, but NaN."""
    for i in range(rows.size):
        total = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            x, y = np.float64(values[p]), np.float64(fitted[p])
            if x > 0:
                total += x * np.log(x / max(y, floor)) - x + y
            elif x == 0:
                total += y
        rows[i] = total
