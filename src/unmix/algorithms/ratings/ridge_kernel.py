"""One small ridge regression for every row of a table with few known entries, compiled.

minimise over z   Σ_{j known} w_j (x_j - c_j - f_jᵀ z)² + λ_r |z|²,   f_j the known factors of column j
"""

import math

import numpy as np

from unmix.core.compiled.kernel import kernel

LEAST = 1e-14  # pivot, of the largest diagonal entry


@kernel
def solve_rows(
    indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, factors: np.ndarray, offsets: np.ndarray,
    weights: np.ndarray, penalty: float, per_entry: bool, start: int, stop: int, out: np.ndarray, A: np.ndarray,
) -> None:  # fmt: skip
    """Fill out[start:stop]; a row with no known entry gets zeros. ``per_entry``: λ_r is the penalty times Σ_j w_j.

    ``A`` is room for the matrix of a row.
    """
    p = factors.shape[1]
    for r in range(start, stop):
        b, mass = out[r], 0.0
        for s in range(p):
            b[s] = 0.0
            for t in range(s + 1):
                A[s, t] = 0.0
        for e in range(indptr[r], indptr[r + 1]):
            j = indices[e]
            w, x = weights[j], values[e] - offsets[j]
            mass += w
            for s in range(p):
                scaled = w * factors[j, s]
                b[s] += scaled * x
                for t in range(s + 1):
                    A[s, t] += scaled * factors[j, t]
        if mass == 0.0:
            for s in range(p):
                b[s] = 0.0
            continue
        for s in range(p):
            A[s, s] += penalty * mass if per_entry else penalty
        _solve_in_place(A, b)


@kernel
def _solve_in_place(A: np.ndarray, b: np.ndarray) -> None:
    """b <- A⁻¹ b by Cholesky on the lower triangle; a direction that A does not see gets 0."""
    p, least = b.size, 0.0
    for s in range(p):
        least = A[s, s] * LEAST if A[s, s] * LEAST > least else least
    for s in range(p):
        for t in range(s + 1):
            total = A[s, t]
            for u in range(t):
                total -= A[s, u] * A[t, u]
            if t < s:
                A[s, t] = total * A[t, t]  # the diagonal holds 1 / L_tt, or 0
                b[s] -= A[s, t] * b[t]
            else:
                A[s, s] = 1.0 / math.sqrt(total) if total > least else 0.0
                b[s] *= A[s, s]
    for s in range(p - 1, -1, -1):
        for u in range(s + 1, p):
            b[s] -= A[u, s] * b[u]
        b[s] *= A[s, s]


@kernel
def predict_entries(
    rows: np.ndarray, columns: np.ndarray, left: np.ndarray, right: np.ndarray, out: np.ndarray
) -> None:
    """out[e] = left[rows[e]] · right[columns[e]]."""
    for e in range(len(rows)):
        total = 0.0
        for s in range(left.shape[1]):
            total += left[rows[e], s] * right[columns[e], s]
        out[e] = total
