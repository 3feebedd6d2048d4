"""Non-negative least squares to the last digit: active sets, from codes that coordinate descent has brought near.

    minimise ½ z G zᵀ - b·z over z ≥ 0

On the support S = {z > 0} the optimum solves G_SS s = b_S.  If s > 0, take it and let the coordinate with the steepest
descent in, if there is one; else go towards s until a coordinate is zero.

Each move lowers the objective, so no support comes twice.  All in double precision; k³/3 operations a move.

Lawson & Hanson, Solving Least Squares Problems, 1974, chapter 23.
"""

import math

import numpy as np

from unmix.core.compiled.kernel import kernel

NEGLIGIBLE = 1e-13  # slopes and pivots below this share of their scale are rounding


@kernel(no_cpython_wrapper=True)
def solve_support(gram: np.ndarray, support: np.ndarray, size: int, lower: np.ndarray, x: np.ndarray) -> bool:
    """G_SS x = x in place, by the Cholesky factor of G_SS; False where that is singular."""
    for i in range(size):
        for j in range(i + 1):
            total = gram[support[i], support[j]]
            for p in range(j):
                total -= lower[i, p] * lower[j, p]
            if i > j:
                lower[i, j] = total / lower[j, j]
                x[i] -= lower[i, j] * x[j]
            elif total <= NEGLIGIBLE * gram[support[i], support[i]]:
                return False
            else:
                lower[i, i] = math.sqrt(total)
                x[i] /= lower[i, i]
    for i in range(size - 1, -1, -1):
        for p in range(i + 1, size):
            x[i] -= lower[p, i] * x[p]
        x[i] /= lower[i, i]
    return True


def solve_rows(gram: np.ndarray, linear: np.ndarray, codes: np.ndarray) -> None:
    """Every row of ``codes`` with one matrix (1, k, k), or with its own (n, k, k)."""
    k = codes.shape[1]
    solve_each(gram, linear, codes, np.empty((k, k)), np.empty(k, np.int64), *np.empty((4, k)))


@kernel
def solve_each(
    gram: np.ndarray, linear: np.ndarray, codes: np.ndarray, lower: np.ndarray, support: np.ndarray, z: np.ndarray,
    x: np.ndarray, slope: np.ndarray, scale: np.ndarray,
) -> None:  # fmt: skip
    """As `solve_rows`, in room for one row, which stays as it is from where its matrix is singular."""
    n, k = codes.shape
    for i in range(n):
        own, entered = gram[i % gram.shape[0]], -1
        for c in range(k):
            z[c] = codes[i, c]
        for _ in range(10 * k):
            size = np.int64(0)  # a literal would have the solver compiled for it, and once more for a number
            for c in range(k):
                if z[c] > 0 or c == entered:
                    support[size], x[size] = c, linear[i, c]
                    size += 1
            if not solve_support(own, support, size, lower, x):
                break
            share, blocked, entered = 1.0, -1, -1
            for p in range(size):
                old = z[support[p]]
                if x[p] <= 0 and old / (old - x[p] + 1e-300) < share:
                    share, blocked = old / (old - x[p] + 1e-300), p
            for p in range(size):
                old = z[support[p]]
                moved = x[p] if blocked < 0 else old + share * (x[p] - old)
                z[support[p]] = moved if moved > 0 and p != blocked else 0.0
            if blocked < 0:
                # the coordinate at zero along which the objective falls fastest, per unit of curvature
                for c in range(k):
                    slope[c], scale[c] = linear[i, c], abs(linear[i, c])
                for p in range(size):
                    other = support[p]
                    for c in range(k):
                        product = own[other, c] * z[other]
                        slope[c] -= product
                        scale[c] += abs(product)
                best = 0.0
                for c in range(k):
                    free = z[c] == 0 and own[c, c] > 0 and slope[c] > NEGLIGIBLE * scale[c]
                    if free and slope[c] * slope[c] / own[c, c] > best:
                        best, entered = slope[c] * slope[c] / own[c, c], c
                if entered < 0:
                    break
        for c in range(k):
            codes[i, c] = z[c]
