"""Fourth-order cumulants of whitened rows, as symmetric matrices.

    Q_pq[i, j] = cum(z_p, z_q, z_i, z_j) = E[z_p z_q z_i z_j] - δ_pq δ_ij - δ_pi δ_qj - δ_pj δ_qi

For z = Bᵀ s with independent sources s every one of them is Bᵀ diag(b_ip b_iq kurt(s_i)) B, so B diagonalizes all. The
k (k + 1) / 2 matrices with p ≤ q are all there are; those with p < q stand for two and get the weight √2.
Cardoso & Souloumiac, Blind beamforming for non-Gaussian signals, IEE Proceedings F 140, 1993.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.independent.whitening import Whitening, unmixed
from unmix.core.blocks import RowBlocks

PRODUCTS_AT_ONCE = 2**18  # products of pairs held at a time


class Sums(NamedTuple):
    fourth: np.ndarray  # (K, K), K = k (k + 1) / 2: Σ w z_p z_q z_i z_j by pairs


def cumulant_matrices(X: RowBlocks, frame: Whitening, weights: np.ndarray | None) -> np.ndarray:
    """(K, k, k), in one pass of n K² operations."""
    k = len(frame.matrix)
    fourth = X.reduce(sum_fourth, frame.mean, frame.matrix, rows=weights).fourth / frame.weight
    first, second = np.triu_indices(k)
    matrices = np.empty((len(first), k, k))
    matrices[:, first, second] = matrices[:, second, first] = fourth
    each, one = np.arange(len(first)), np.eye(k)
    matrices -= one[first, second][:, None, None] * one
    matrices[each, first, second] -= 1.0
    matrices[each, second, first] -= 1.0
    out: np.ndarray = matrices * np.where(first == second, 1.0, np.sqrt(2.0))[:, None, None]
    return out


def sum_fourth(block: Any, weights: Any, mean: np.ndarray, matrix: np.ndarray) -> Sums:
    first, second = np.triu_indices(len(matrix))
    total, rows = np.zeros((len(first), len(first))), max(256, PRODUCTS_AT_ONCE // len(first))
    for start in range(0, block.shape[0], rows):
        part = slice(start, start + rows)
        z = unmixed(block[part], mean, matrix).astype(np.float64)
        pairs = z[first] * z[second]
        total += pairs @ (pairs if weights is None else pairs * weights[part]).T
    return Sums(total)
