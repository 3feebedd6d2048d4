"""Compiled sums for Gaussians whose columns are independent, over the entries that are there.

    distance  Σ_j ½ (x_j - u_j)² p_j - ½ log p_j + ½ log 2π    over observed j, with precisions p_j
    moments   Σ_i q_i [x_ij is there] {1, x_ij - u_j, (x_ij - u_j)²}

A missing entry of an axis-parallel Gaussian integrates to one, so it is simply left out. Rows are the lanes of the
innermost loops: a tile of rows is turned to (column, row), and the compiler fills vector registers whatever the
number of columns.
"""

import numpy as np

from unmix.core.compiled.kernel import kernel

TILE = 352  # rows, a multiple of a register but of no power of two, which would put all columns into one cache set
FAST = {"contract", "nsz", "reassoc"}  # sums may be reordered; infinities and NaN keep their meaning


@kernel(fastmath=FAST)
def turn(X: np.ndarray, start: int, tile: np.ndarray, rows: int) -> None:
    """tile[j, r] = X[start + r, j]."""
    for r in range(rows):
        for j in range(X.shape[1]):
            tile[j, r] = X[start + r, j]


@kernel(fastmath=FAST)
def add_distances(
    X: np.ndarray, means: np.ndarray, precisions: np.ndarray, constants: np.ndarray, out: np.ndarray
) -> None:
    """out[c, i] += the distance of row i from component c; constants[c, j] = ½ log(2π / p)."""
    half = means.dtype.type(0.5)
    tile = np.empty((X.shape[1], TILE), means.dtype)
    for start in range(0, X.shape[0], TILE):
        rows = min(TILE, X.shape[0] - start)
        turn(X, start, tile, rows)
        for c in range(means.shape[0]):
            target = out[c, start : start + rows]
            for j in range(X.shape[1]):
                x, u, p, constant = tile[j], means[c, j], half * precisions[c, j], constants[c, j]
                for r in range(rows):
                    z = x[r] - u
                    target[r] += z * z * p + constant if z == z else means.dtype.type(0)


@kernel(fastmath=FAST)
def add_moments(
    X: np.ndarray, q: np.ndarray, means: np.ndarray, observed: np.ndarray, first: np.ndarray, second: np.ndarray
) -> None:
    zero = q.dtype.type(0)
    tile = np.empty((X.shape[1], TILE), q.dtype)
    for start in range(0, X.shape[0], TILE):
        rows = min(TILE, X.shape[0] - start)
        turn(X, start, tile, rows)
        for c in range(means.shape[0]):
            share = q[c, start : start + rows]
            for j in range(X.shape[1]):
                x, u = tile[j], means[c, j]
                s_0, s_1, s_2 = zero, zero, zero
                for r in range(rows):
                    there = x[r] == x[r]
                    z = x[r] - u if there else zero
                    w = share[r] if there else zero
                    s_0 += w
                    s_1 += w * z
                    s_2 += w * z * z
                observed[c, j] += s_0
                first[c, j] += s_1
                second[c, j] += s_2
