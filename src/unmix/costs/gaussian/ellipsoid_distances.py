"""Distances of rows from Gaussians with full covariances, compiled.

    h_ic = ½ ||Wᵀ(x_i - u_c)||² - constant_c     with W upper triangular, W Wᵀ = Σ⁻¹

The lanes of a register are rows. Two registers of rows times four columns of W need eight accumulators for six loads,
and only the triangle of W, in blocks of four columns, is gone through. Nothing cancels, because u is subtracted first.
"""

import numpy as np

from unmix.core.compiled.cache_lines import rooms_at_line
from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import BYTES, WIDE_BYTES, minus, multiply_add, store
from unmix.core.compiled.simd import fill_wide as fill
from unmix.core.compiled.simd import load_wide as load
from unmix.core.compiled.simd import spread_wide as spread
from unmix.costs.gaussian.turned_rows import LINES, SPAN, pad_columns, padded, turn_rows


@kernel
def pack_factor(W: np.ndarray, packed: np.ndarray) -> None:
    """For every four columns the entries down to the diagonal, in the order in which they are read."""
    d, at, j = W.shape[0], 0, 0
    while at < packed.size:
        for i in range(j + LINES):
            for m in range(j, j + LINES):
                packed[at] = W[i, m] if i < d and m < d else 0
                at += 1
        j += LINES


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


def find_distances(X: np.ndarray, means: np.ndarray, W: np.ndarray, constants: np.ndarray, out: np.ndarray) -> None:
    """out[c, i] = the distance of row i from component c."""
    width, lanes = padded(X.shape[1]), WIDE_BYTES // X.itemsize
    shapes = (width, SPAN), (2 * lanes * width,), (SPAN,), (len(W), width * (width + LINES) // 2)
    turned, z, norms, factors = rooms_at_line(X.dtype, *shapes)
    starts = np.empty(BYTES // X.itemsize, np.intp)
    measure(X, pad_columns(means), W, factors, constants, turned, z, norms, np.arange(len(X)), starts, out)


@kernel
def measure(
    X: np.ndarray, centers: np.ndarray, W: np.ndarray, factors: np.ndarray, constants: np.ndarray,
    turned: np.ndarray, z: np.ndarray, norms: np.ndarray, everyone: np.ndarray, starts: np.ndarray, out: np.ndarray,
) -> None:  # fmt: skip
    """As `find_distances`, in the room that it gives."""
    n, k, lanes = X.shape[0], centers.shape[0], WIDE_BYTES // X.itemsize
    for c in range(k):
        pack_factor(W[c], factors[c])
    for start in range(0, n, SPAN):
        rows = min(SPAN, n - start)
        turn_rows(X, everyone[start : start + rows], turned, starts)
        for c in range(k):
            half_norms(turned, centers[c], factors[c], rows, z, norms, lanes)
            constant, distance = constants[c], out[c, start : start + rows]
            for r in range(rows):
                distance[r] = norms[r] - constant
