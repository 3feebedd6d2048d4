"""Non-negative least squares to the last digit: active sets, from codes that coordinate descent has brought near.

    minimise ½ z G zᵀ - b·z over z ≥ 0

On the support S = {z > 0} the optimum solves G_SS s = b_S.  If s > 0, take it and let the coordinate with the steepest
descent in, if there is one; else go towards s until a coordinate is zero.

Each move lowers the objective, so no support comes twice.  All in double precision; k³/3 operations a move.

Lawson & Hanson, Solving Least Squares Problems, 1974, chapter 23.
"""

import numpy as np
from numba import njit

NEGLIGIBLE = 1e-13  # slopes and pivots below this share of their scale are rounding


@njit(cache=True, nogil=True)
def factor(gram: np.ndarray, support: np.ndarray, size: int, lower: np.ndarray) -> bool:
    """Cholesky factor of G_SS; False where it is singular."""
    for i in range(size):
        for j in range(i + 1):
            total = gram[support[i], support[j]]
            for p in range(j):
                total -= lower[i, p] * lower[j, p]
            if i > j:
                lower[i, j] = total / lower[j, j]
            elif total <= NEGLIGIBLE * gram[support[i], support[i]]:
                return False
            else:
                lower[i, i] = np.sqrt(total)
    return True


@njit(cache=True, nogil=True)
def substitute(lower: np.ndarray, size: int, x: np.ndarray) -> None:
    for i in range(size):
        for p in range(i):
            x[i] -= lower[i, p] * x[p]
        x[i] /= lower[i, i]
    for i in range(size - 1, -1, -1):
        for p in range(i + 1, size):
            x[i] -= lower[p, i] * x[p]
        x[i] /= lower[i, i]


@njit(cache=True, nogil=True)
def steepest(gram: np.ndarray, linear: np.ndarray, z: np.ndarray) -> int:
    """The coordinate at zero that the objective falls fastest along, per unit of curvature; -1 if there is none."""
    best, found = 0.0, -1
    for c in range(z.size):
        if z[c] == 0 and gram[c, c] > 0:
            slope, scale = linear[c], abs(linear[c])
            for other in range(z.size):
                slope -= gram[c, other] * z[other]
                scale += abs(gram[c, other] * z[other])
            if slope > NEGLIGIBLE * scale and slope * slope / gram[c, c] > best:
                best, found = slope * slope / gram[c, c], c
    return found


@njit(cache=True, nogil=True)
def solve_row(
    gram: np.ndarray, linear: np.ndarray, z: np.ndarray, lower: np.ndarray, support: np.ndarray, x: np.ndarray
) -> None:
    """The optimum of one row, in place; what was there if the matrix is singular on the way."""
    k = z.size
    entered = -1
    for _ in range(10 * k):
        size = 0
        for c in range(k):
            if z[c] > 0 or c == entered:
                support[size], x[size] = c, linear[c]
                size += 1
        if not factor(gram, support, size, lower):
            return
        substitute(lower, size, x)
        share, blocked = 1.0, -1
        for i in range(size):
            old = z[support[i]]
            if x[i] <= 0 and old / (old - x[i] + 1e-300) < share:
                share, blocked = old / (old - x[i] + 1e-300), i
        for i in range(size):
            c = support[i]
            z[c] = 0.0 if i == blocked else max(z[c] + share * (x[i] - z[c]), 0.0)
        entered = -1
        if blocked < 0:
            for i in range(size):
                z[support[i]] = x[i]
            entered = steepest(gram, linear, z)
            if entered < 0:
                return


@njit(cache=True, nogil=True)
def solve_rows(gram: np.ndarray, linear: np.ndarray, codes: np.ndarray) -> None:
    """Every row of ``codes`` with one matrix (1, k, k), or with its own (n, k, k)."""
    n, k = codes.shape
    z, b, x = np.empty(k), np.empty(k), np.empty(k)
    lower, support = np.empty((k, k)), np.empty(k, np.int64)
    for i in range(n):
        for c in range(k):
            z[c], b[c] = codes[i, c], linear[i, c]
        solve_row(gram[0] if len(gram) == 1 else gram[i], b, z, lower, support, x)
        for c in range(k):
            codes[i, c] = z[c]
