"""Compiled sums for Gaussians with a full covariance and few columns.

    distance  ½ ||Wᵀ(x - u)||²          with W upper triangular, W Wᵀ = Σ⁻¹
    scatter   Σ_i q_i (x_i - u)(x_i - u)ᵀ

Rows are the lanes: a tile of rows is turned to (column, row), and every innermost loop runs over rows, so that the
compiler fills vector registers whatever the number of columns. Two columns times four columns are worked on
together: eight products for six loads. Nothing cancels, because u is subtracted first.
"""

import numpy as np
from numba import njit

TILE = 352  # rows, a multiple of a register but of no power of two, which would put all columns into one cache set
STEP = 4  # columns are padded with zeros to a multiple of it
FAST = {"contract", "nsz", "reassoc"}  # sums may be reordered; infinities and NaN keep their meaning


@njit(cache=True, nogil=True)
def padded(columns: int) -> int:
    return -(-columns // STEP) * STEP


@njit(cache=True, nogil=True, fastmath=FAST)
def turn(X: np.ndarray, start: int, tile: np.ndarray, rows: int) -> None:
    """tile[j, r] = X[start + r, j]."""
    for r in range(rows):
        for j in range(X.shape[1]):
            tile[j, r] = X[start + r, j]


@njit(cache=True, nogil=True, fastmath=FAST)
def subtract(tile: np.ndarray, mean: np.ndarray, out: np.ndarray, rows: int) -> None:
    """out[j, r] = tile[j, r] - mean[j]."""
    for j in range(mean.size):
        x, z, u = tile[j], out[j], mean[j]
        for r in range(rows):
            z[r] = x[r] - u


@njit(cache=True, nogil=True, fastmath=FAST)
def add_squared_norms(tile: np.ndarray, W: np.ndarray, pair: np.ndarray, out: np.ndarray, rows: int) -> None:
    """out[r] += ½ Σ_j (Σ_{l ≤ j} W[l, j] tile[l, r])²."""
    half = W.dtype.type(0.5)
    for j in range(0, W.shape[0], 2):
        y_0, y_1 = pair[0], pair[1]
        for r in range(rows):
            y_0[r] = 0
            y_1[r] = 0
        for i in range(0, j + 2, STEP):
            z_0, z_1, z_2, z_3 = tile[i], tile[i + 1], tile[i + 2], tile[i + 3]
            a_0, a_1, a_2, a_3 = W[i, j], W[i + 1, j], W[i + 2, j], W[i + 3, j]
            b_0, b_1, b_2, b_3 = W[i, j + 1], W[i + 1, j + 1], W[i + 2, j + 1], W[i + 3, j + 1]
            for r in range(rows):
                y_0[r] += a_0 * z_0[r] + a_1 * z_1[r] + a_2 * z_2[r] + a_3 * z_3[r]
                y_1[r] += b_0 * z_0[r] + b_1 * z_1[r] + b_2 * z_2[r] + b_3 * z_3[r]
        for r in range(rows):
            out[r] += half * (y_0[r] * y_0[r] + y_1[r] * y_1[r])


@njit(cache=True, nogil=True, fastmath=FAST)
def add_scatter(
    tile: np.ndarray, q: np.ndarray, pair: np.ndarray, first: np.ndarray, second: np.ndarray, rows: int
) -> None:
    """first[j] += Σ_r q[r] tile[j, r] and second[j, l] += Σ_r q[r] tile[j, r] tile[l, r] for l ≤ j."""
    for j in range(0, second.shape[0], 2):
        t_0, t_1, z_0, z_1 = pair[0], pair[1], tile[j], tile[j + 1]
        f_0 = f_1 = tile.dtype.type(0)
        for r in range(rows):
            t_0[r] = q[r] * z_0[r]
            t_1[r] = q[r] * z_1[r]
            f_0 += t_0[r]
            f_1 += t_1[r]
        first[j] += f_0
        first[j + 1] += f_1
        for i in range(0, j + 2, STEP):
            z_0, z_1, z_2, z_3 = tile[i], tile[i + 1], tile[i + 2], tile[i + 3]
            a_0 = a_1 = a_2 = a_3 = b_0 = b_1 = b_2 = b_3 = tile.dtype.type(0)
            for r in range(rows):
                a_0 += t_0[r] * z_0[r]
                a_1 += t_0[r] * z_1[r]
                a_2 += t_0[r] * z_2[r]
                a_3 += t_0[r] * z_3[r]
                b_0 += t_1[r] * z_0[r]
                b_1 += t_1[r] * z_1[r]
                b_2 += t_1[r] * z_2[r]
                b_3 += t_1[r] * z_3[r]
            second[j, i] += a_0
            second[j, i + 1] += a_1
            second[j, i + 2] += a_2
            second[j, i + 3] += a_3
            second[j + 1, i] += b_0
            second[j + 1, i + 1] += b_1
            second[j + 1, i + 2] += b_2
            second[j + 1, i + 3] += b_3


@njit(cache=True, nogil=True, fastmath=FAST)
def add_distances(X: np.ndarray, means: np.ndarray, W: np.ndarray, out: np.ndarray) -> None:
    """out[c, i] += the distance of row i from component c."""
    d, width = X.shape[1], padded(X.shape[1])
    turned, tile = np.zeros((width, TILE), W.dtype), np.zeros((width, TILE), W.dtype)
    pair, factors = np.empty((2, TILE), W.dtype), np.zeros((W.shape[0], width, width), W.dtype)
    for c in range(W.shape[0]):
        for i in range(d):
            for j in range(d):
                factors[c, i, j] = W[c, i, j]
    for start in range(0, X.shape[0], TILE):
        rows = min(TILE, X.shape[0] - start)
        turn(X, start, turned, rows)
        for c in range(means.shape[0]):
            subtract(turned, means[c], tile, rows)
            add_squared_norms(tile, factors[c], pair, out[c, start : start + rows], rows)


@njit(cache=True, nogil=True, fastmath=FAST)
def add_moments(X: np.ndarray, q: np.ndarray, means: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """Sums over the rows that a component has a share in; the others cost nothing."""
    (n, d), width = X.shape, padded(X.shape[1])
    tile, pair, share = np.zeros((width, TILE), q.dtype), np.empty((2, TILE), q.dtype), np.empty(TILE, q.dtype)
    for c in range(means.shape[0]):
        sums, lower = np.zeros(width), np.zeros((width, width))
        filled = 0
        for i in range(n):
            if q[c, i] != 0:
                for j in range(d):
                    tile[j, filled] = X[i, j] - means[c, j]
                share[filled] = q[c, i]
                filled += 1
            if filled == TILE or (i == n - 1 and filled):
                add_scatter(tile, share, pair, sums, lower, filled)
                filled = 0
        for j in range(d):
            first[c, j] += sums[j]
            for m in range(d):
                second[c, j, m] += lower[max(j, m), min(j, m)]
