"""Several sets of weights a point: one for every direction in which its neighbours hardly differ.

With Z the differences to k neighbours, Z Zᵀ = V Λ Vᵀ, and V the s directions of smallest eigenvalue, every column of

    W = (1 - a) w 1ᵀ + V H,    a = ||Vᵀ1|| / s^½,    H = I - 2 h hᵀ such that 1ᵀV H = a 1ᵀ

sums to 1 and puts the point together from its neighbours nearly as well as the regularised weights w do. One set of
weights leaves the map free to bend where k exceeds the dimension of the sheet; s of them together do not, and a flat
sheet that was rolled up comes back flat. s is as large as the small eigenvalues stay small against the others, by the
median over all points of what lies beyond the dimension of the map.
Reference: Zhang & Wang, MLLE: modified locally linear embedding using multiple weights, NIPS 2006.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.algorithms.locally_linear.weights import BLOCK_ENTRIES, reconstruction_weights
from unmix.algorithms.neighbors.gather import difference_blocks

LEAST_TURN = 1e-12  # of h: shorter, the directions need no turn
ROUNDING = 1e-12  # eigenvalues that are smaller, as shares of their sum, are zero: data that are flat as given


def residual_rows(
    points: Any, neighbors: np.ndarray, reg: float, n_components: int, least_turn: float = LEAST_TURN
) -> csr_array:
    """A (rows, n), rows of zero sum: every point minus its mean by each of its sets of weights."""
    n, k = neighbors.shape
    values, vectors = np.empty((n, k)), np.empty((n, k, k))
    for part, differences in difference_blocks(points, points, neighbors, BLOCK_ENTRIES):
        values[part], vectors[part] = _small_first(differences)
    counts = count_weights(values, n_components)
    weights = reconstruction_weights(points, points, neighbors, reg)
    rows = []
    for s in np.unique(counts):
        chosen = np.flatnonzero(counts == s)
        many = many_weights(vectors[chosen][:, :, :s], weights[chosen], least_turn)  # (chosen, k, s)
        owner = np.repeat(chosen, s)
        columns = np.concatenate([owner[:, None], neighbors[owner]], axis=1)
        data = np.concatenate([np.ones((len(owner), 1)), -many.transpose(0, 2, 1).reshape(-1, k)], axis=1)
        rows.append((data, columns))
    data, columns = (np.concatenate(parts) for parts in zip(*rows))
    return csr_array((data.ravel(), columns.ravel(), np.arange(0, data.size + 1, k + 1)), shape=(len(data), n))


def _small_first(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of Z Zᵀ, rising and scaled to sum to one, and its eigenvectors."""
    largest = np.abs(differences).max(axis=(1, 2), keepdims=True)
    scaled = differences / np.where(largest > 0, largest, 1.0)
    values, vectors = np.linalg.eigh(scaled @ scaled.transpose(0, 2, 1))
    values = np.maximum(values, 0.0)
    return values / np.maximum(values.sum(axis=1, keepdims=True), np.finfo(float).tiny), vectors


def count_weights(values: np.ndarray, n_components: int) -> np.ndarray:
    """How many sets of weights every point gets: 1 to k - n_components."""
    k = values.shape[1]
    below = np.cumsum(values, axis=1)  # the sum of the s smallest, s = 1 ... k
    beyond = below[:, k - n_components - 1]
    limit = max(np.median(beyond / np.maximum(1 - beyond, np.finfo(float).tiny)), ROUNDING)
    ratio = below / np.maximum(1 - below, np.finfo(float).tiny)
    return np.clip((ratio <= limit).sum(axis=1), 1, k - n_components)


def many_weights(V: np.ndarray, w: np.ndarray, least_turn: float = LEAST_TURN) -> np.ndarray:
    """W (m, k, s) from the directions V (m, k, s) and the weights w (m, k); every column sums to 1."""
    s = V.shape[2]
    sums = V.sum(axis=1)
    a = np.linalg.norm(sums, axis=1, keepdims=True) / s**0.5
    h = a - sums
    length = np.linalg.norm(h, axis=1, keepdims=True)
    turned = length > max(least_turn, np.finfo(float).tiny)
    h = np.where(turned, h / np.where(turned, length, 1.0), 0.0)
    moved = V - 2 * np.einsum("ijs,is->ij", V, h)[:, :, None] * h[:, None]
    return moved + ((1 - a) * w)[:, :, None]
