"""Distances of rows from Gaussians with full covariances, compiled.

    h_ic = ½ ||Wᵀ(x_i - u_c)||² - constant_c     with W upper triangular, W Wᵀ = Σ⁻¹

The lanes of a register are rows. Two registers of rows times four columns of W need eight accumulators for six loads,
and only the triangle of W, in blocks of four columns, is gone through. Nothing cancels, because u is subtracted first.
"""

import numpy as np

from unmix.core.kernel import kernel
from unmix.core.simd import fill, load, minus, multiply_add, spread, store
from unmix.costs.gaussian.turned_rows import LINES, SPAN, padded, turn_rows


@kernel
def pack_factor(W: np.ndarray, packed: np.ndarray) -> None:
    """For every four columns the entries down to the diagonal, in the order in which they are read."""
    d, at = W.shape[0], 0
    for j in range(0, padded(d), LINES):
        for i in range(j + LINES):
            for m in range(j, j + LINES):
                packed[at] = W[i, m] if i < d and m < d else 0
                at += 1


@kernel
def half_norms(
    turned: np.ndarray, mean: np.ndarray, factor: np.ndarray, rows: int, z: np.ndarray, out: np.ndarray, lanes: int
) -> None:
    """out[r] = ½ ||Wᵀ(x_r - u)||²; z, as large as two registers of every column, holds x - u."""
    half = fill(out.dtype.type(0.5))
    zero = minus(half, half)
    for r in range(0, rows, 2 * lanes):
        for j in range(mean.size):
            u = spread(mean, j)
            store(z, 2 * j * lanes, minus(load(turned, j * SPAN + r), u))
            store(z, (2 * j + 1) * lanes, minus(load(turned, j * SPAN + r + lanes), u))
        n_0, n_1, at = zero, zero, 0
        for j in range(0, mean.size, LINES):
            a_0 = a_1 = b_0 = b_1 = c_0 = c_1 = d_0 = d_1 = zero
            for i in range(j + LINES):
                z_0, z_1 = load(z, 2 * i * lanes), load(z, (2 * i + 1) * lanes)
                w = spread(factor, at)
                a_0, a_1 = multiply_add(w, z_0, a_0), multiply_add(w, z_1, a_1)
                w = spread(factor, at + 1)
                b_0, b_1 = multiply_add(w, z_0, b_0), multiply_add(w, z_1, b_1)
                w = spread(factor, at + 2)
                c_0, c_1 = multiply_add(w, z_0, c_0), multiply_add(w, z_1, c_1)
                w = spread(factor, at + 3)
                d_0, d_1 = multiply_add(w, z_0, d_0), multiply_add(w, z_1, d_1)
                at += LINES
            n_0, n_1 = multiply_add(a_0, a_0, n_0), multiply_add(a_1, a_1, n_1)
            n_0, n_1 = multiply_add(b_0, b_0, n_0), multiply_add(b_1, b_1, n_1)
            n_0, n_1 = multiply_add(c_0, c_0, n_0), multiply_add(c_1, c_1, n_1)
            n_0, n_1 = multiply_add(d_0, d_0, n_0), multiply_add(d_1, d_1, n_1)
        store(out, r, multiply_add(n_0, half, zero))
        store(out, r + lanes, multiply_add(n_1, half, zero))


@kernel
def find_distances(X: np.ndarray, means: np.ndarray, W: np.ndarray, constants: np.ndarray, out: np.ndarray) -> None:
    """out[c, i] = the distance of row i from component c."""
    (n, d), k, lanes = X.shape, means.shape[0], 32 // X.itemsize
    width = padded(d)
    turned, z, norms = np.zeros((width, SPAN), X.dtype), np.empty(2 * lanes * width, X.dtype), np.empty(SPAN, X.dtype)
    factors, centers = np.empty((k, width * (width + LINES) // 2), X.dtype), np.zeros((k, width), X.dtype)
    everyone, starts = np.arange(n), np.empty(lanes, np.intp)
    for c in range(k):
        pack_factor(W[c], factors[c])
        for j in range(d):
            centers[c, j] = means[c, j]
    for start in range(0, n, SPAN):
        rows = min(SPAN, n - start)
        turn_rows(X, everyone[start : start + rows], turned, starts)
        for c in range(k):
            half_norms(turned, centers[c], factors[c], rows, z, norms, lanes)
            constant, distance = constants[c], out[c, start : start + rows]
            for r in range(rows):
                distance[r] = norms[r] - constant
