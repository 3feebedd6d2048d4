"""The problem of joint diagonalization, and the form in which its matrices are worked on.

    minimise  f(W) = Σ_τ α_τ Σ_{i≠j} (W C_τ Wᵀ)_ij²   subject to  (W C_0 Wᵀ)_ii = 1

The weights are taken into the matrices: α C² = (√α C)². The matrices stand as one array (d, m, d), C[i, τ, j], so that
a change of coordinates of all of them is two matrix products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Diagonalization(NamedTuple):
    transform: np.ndarray  # W (k, d), one row a component
    cost: float  # f(W)
    iteration: int
    converged: bool


def stack(matrices: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """(m, d, d) to (d, m, d), symmetric and weighted."""
    symmetric = (matrices + matrices.transpose(0, 2, 1)) / 2
    if weights is not None:
        symmetric = symmetric * np.sqrt(weights)[:, None, None]
    return np.ascontiguousarray(symmetric.transpose(1, 0, 2))


def change_coordinates(stacked: np.ndarray, A: np.ndarray) -> np.ndarray:
    """A C_τ Aᵀ of every matrix."""
    d, m, _ = stacked.shape
    left = (A @ stacked.reshape(d, m * d)).reshape(len(A) * m, d)
    return np.ascontiguousarray((left @ A.T).reshape(len(A), m, len(A)))


def diagonals(stacked: np.ndarray) -> np.ndarray:
    """(d, m): entry (i, i) of every matrix."""
    each = np.arange(len(stacked))
    return np.asarray(stacked[each, :, each])


def off_diagonal(stacked: np.ndarray) -> np.ndarray:
    """The same matrices with zeros on their diagonals."""
    off = stacked.copy()
    off[np.arange(len(off)), :, np.arange(len(off))] = 0.0
    return off


def cost(stacked: np.ndarray) -> float:
    """Σ_τ Σ_{i≠j} (C_τ)_ij²."""
    return float(np.square(off_diagonal(stacked)).sum())


def sphere(matrix: np.ndarray, least: float = 1e-12) -> np.ndarray:
    """S (k, d) with S C Sᵀ = I, and no direction in which C, scaled to a diagonal of 1, is smaller than ``least``."""
    symmetric = (matrix + matrix.T) / 2
    extents = np.sqrt(np.where(np.diag(symmetric) > 0, np.diag(symmetric), 1.0))
    values, vectors = np.linalg.eigh(symmetric / extents[:, None] / extents)
    kept = np.flatnonzero(values > least * max(values[-1], 0.0))[::-1]
    return np.asarray((vectors[:, kept] / np.sqrt(values[kept])).T / extents)
