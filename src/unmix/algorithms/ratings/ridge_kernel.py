"""One small ridge regression for every row of a table with few known entries, compiled.

minimise over z   Σ_{j known} w_j (x_j - c_j - f_jᵀ z)² + λ_r |z|²,   f_j the known factors of column j
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def solve_rows(
    indptr: np.ndarray,
    indices: np.ndarray,
    values: np.ndarray,
    factors: np.ndarray,
    offsets: np.ndarray,
    weights: np.ndarray,
    penalty: float,
    per_entry: bool,
    start: int,
    stop: int,
    out: np.ndarray,
) -> None:
    """Fill out[start:stop]; a row with no known entry gets zeros. ``per_entry``: λ_r is the penalty times Σ_j w_j."""
    p = factors.shape[1]
    A, b = np.empty((p, p)), np.empty(p)
    for r in range(start, stop):
        A[:], b[:] = 0.0, 0.0
        mass = 0.0
        for e in range(indptr[r], indptr[r + 1]):
            j = indices[e]
            w, x = weights[j], values[e] - offsets[j]
            mass += w
            for s in range(p):
                scaled = w * factors[j, s]
                b[s] += scaled * x
                for t in range(s + 1):
                    A[s, t] += scaled * factors[j, t]
        ridge = penalty * mass if per_entry else penalty
        if mass == 0.0:
            out[r] = 0.0
            continue
        for s in range(p):
            A[s, s] += ridge
        _solve_in_place(A, b)
        out[r] = b


@njit(cache=True, nogil=True)
def _solve_in_place(A: np.ndarray, b: np.ndarray) -> None:
    """b <- A⁻¹ b by Cholesky on the lower triangle; a direction that A does not see gets 0."""
    p = len(b)
    least = 0.0
    for s in range(p):
        least = max(least, A[s, s])
    least *= 1e-14
    for s in range(p):
        for t in range(s):
            total = A[s, t]
            for u in range(t):
                total -= A[s, u] * A[t, u]
            A[s, t] = total * A[t, t]  # the diagonal holds 1 / L_tt, or 0
        pivot = A[s, s]
        for u in range(s):
            pivot -= A[s, u] * A[s, u]
        A[s, s] = 1.0 / np.sqrt(pivot) if pivot > least else 0.0
    for s in range(p):
        total = b[s]
        for u in range(s):
            total -= A[s, u] * b[u]
        b[s] = total * A[s, s]
    for s in range(p - 1, -1, -1):
        total = b[s]
        for u in range(s + 1, p):
            total -= A[u, s] * b[u]
        b[s] = total * A[s, s]


@njit(cache=True, nogil=True)
def predict_entries(
    rows: np.ndarray, columns: np.ndarray, left: np.ndarray, right: np.ndarray, out: np.ndarray
) -> None:
    """out[e] = left[rows[e]] · right[columns[e]]."""
    for e in range(len(rows)):
        total = 0.0
        for s in range(left.shape[1]):
            total += left[rows[e], s] * right[columns[e], s]
        out[e] = total
