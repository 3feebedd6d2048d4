"""Maps by tangent coordinates: what a map must not do to the coordinates of every neighbourhood.

Centred on their mean, the k neighbours of a point have coordinates T (k, m), the leading left singular vectors. A map
that keeps the sheet flat is an affine function of T on every neighbourhood, so it is orthogonal to

    "ltsa"      everything orthogonal to 1 and T, k - m - 1 directions: local tangent space alignment;
    "hessian"   what products of two coordinates add to 1 and T, m (m + 1) / 2 directions: estimates of the second
                derivatives of the map.

A row of A for each direction of each neighbourhood, A U = 0 for a perfect map U, makes it a problem of bottom vectors.
A point in nobody's neighbourhood would be free to go anywhere; it takes the last place in its own.
References: Zhang & Zha, Principal manifolds and nonlinear dimension reduction via local tangent space alignment, SIAM
J. Scientific Computing 26 (2004). Donoho & Grimes, Hessian eigenmaps, Proc. Natl. Acad. Sci. 100 (2003).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.algorithms.locally_linear.weights import BLOCK_ENTRIES
from unmix.algorithms.neighbors.gather import difference_blocks


def tangent_rows(points: Any, neighbors: np.ndarray, n_components: int, method: str) -> csr_array:
    """A (rows, n), rows of zero sum; ``method`` is "ltsa" or "hessian"."""
    n, k = neighbors.shape
    neighbors = everyone_somewhere(neighbors)
    directions = [
        excluded(tangents(differences, n_components), method)
        for _, differences in difference_blocks(points, points, neighbors, BLOCK_ENTRIES)
    ]
    found = np.concatenate(directions)  # (n, k, r)
    data, columns = found.transpose(0, 2, 1).reshape(-1, k), np.repeat(neighbors, found.shape[2], axis=0)
    return csr_array((data.ravel(), columns.ravel(), np.arange(0, data.size + 1, k)), shape=(len(data), n))


def everyone_somewhere(neighbors: np.ndarray) -> np.ndarray:
    """Every point is in a neighbourhood, be it its own."""
    n = len(neighbors)
    while (alone := np.flatnonzero(np.bincount(neighbors.ravel(), minlength=n) == 0)).size:
        neighbors = neighbors.copy()
        neighbors[alone, -1] = alone
    return neighbors


def tangents(differences: np.ndarray, m: int) -> np.ndarray:
    """T (n, k, m) of neighbourhoods given by differences (n, k, d) to any one place each."""
    largest = np.abs(differences).max(axis=(1, 2), keepdims=True)
    centred = differences / np.where(largest > 0, largest, 1.0)
    centred -= centred.mean(axis=1, keepdims=True)
    k, d = centred.shape[1:]
    if k > d:
        return np.linalg.svd(centred, full_matrices=False)[0][:, :, :m]
    return np.linalg.eigh(centred @ centred.transpose(0, 2, 1))[1][:, :, : -m - 1 : -1]


def excluded(T: np.ndarray, method: str) -> np.ndarray:
    """Orthonormal directions (n, k, r) that a map must not have on a neighbourhood."""
    n, k, m = T.shape
    flat = np.concatenate([np.ones((n, k, 1)), T], axis=2)
    if method == "ltsa":
        return np.linalg.qr(flat, mode="complete")[0][:, :, m + 1 :]
    first, second = np.triu_indices(m)
    return np.linalg.qr(np.concatenate([flat, T[:, :, first] * T[:, :, second]], axis=2))[0][:, :, m + 1 :]
