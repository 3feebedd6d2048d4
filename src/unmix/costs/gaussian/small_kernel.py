"""Distances and moments of few rows under Gaussians, compiled in a moment: few plain loops, one signature for all.

    half norms  ½ ||Wᵀ(x_i - u_c)||²     with W upper triangular, diagonal where columns are independent
    moments     Σ_i q_i (x_i - u),  Σ_i q_i (x_i - u)(x_i - u)ᵀ or its diagonal

Rows lie as columns (d, n) in float64; arrays to write to and to work with are handed in. Nothing cancels, because u is
subtracted first. An entry that is NaN counts as u.
"""

import numpy as np

from unmix.core.compiled.kernel import kernel

FAST = {"contract", "nsz", "reassoc"}  # sums may be reordered; infinities and NaN keep their meaning


@kernel(fastmath=FAST)
def find_half_norms(
    columns: np.ndarray, means: np.ndarray, W: np.ndarray, diagonal: bool, z: np.ndarray, out: np.ndarray
) -> None:
    """out[c, i] = ½ ||Wᵀ(x - u)||² for W (k, d, d) or (1, d, d); z, one line more than columns, is to work with."""
    d, n = columns.shape
    for c in range(means.shape[0]):
        shape = c % W.shape[0]
        for j in range(d):
            for m in range(j if diagonal else 0, j):
                w = W[shape, m, j]
                for i in range(n):
                    z[d, i] = (z[d, i] if m > 0 else 0.0) + w * z[m, i]
            u, w, turned = means[c, j], W[shape, j, j], j > 0 and not diagonal
            for i in range(n):
                away = columns[j, i] - u
                away = away if away == away else 0.0
                z[j, i] = away
                away = w * away + (z[d, i] if turned else 0.0)
                out[c, i] = (out[c, i] if j > 0 else 0.0) + 0.5 * away * away


@kernel(fastmath=FAST)
def find_moments(
    columns: np.ndarray,
    q: np.ndarray,
    means: np.ndarray,
    diagonal: bool,
    z: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """first[c, :d] and second[c] (k, d, d), or the diagonal of it, become the sums above; q (k, n), z as above."""
    d, n = columns.shape
    for c in range(means.shape[0]):
        for j in range(d):
            u, total, square = means[c, j], 0.0, 0.0
            for i in range(n):
                away = columns[j, i] - u
                away = away if away == away else 0.0
                share = q[c, i] * away
                z[j, i], z[d, i] = away, share
                total += share
                square += share * away
            first[c, j], second[c, j, j] = total, square
            for m in range(j if diagonal else 0, j):
                total = 0.0
                for i in range(n):
                    total += z[d, i] * z[m, i]
                second[c, j, m] = second[c, m, j] = total
