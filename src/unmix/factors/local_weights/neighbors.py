"""The k nearest points of every point: by k-d tree in few dimensions, by blocks of all distances in many.

    ||x - y||² = ||x||² - 2 x·y + ||y||²

picks a few candidates more than k, whose distances are then computed from differences, so that points close together
far from the origin keep their order. Reference: Bentley, Multidimensional binary search trees, Comm. ACM 18 (1975).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

TREE_COLUMNS = 12  # with more columns a k-d tree looks at most points anyway
BLOCK_ENTRIES = 4_000_000
SPARE = 8  # candidates beyond k, in case rounding has changed the order


class Neighbors(NamedTuple):
    indices: np.ndarray  # (n, k), nearest first
    distances: np.ndarray  # (n, k)


def nearest(points: np.ndarray, queries: np.ndarray, k: int) -> Neighbors:
    """The k nearest of ``points`` (n, d) for every query (m, d)."""
    if points.shape[1] <= TREE_COLUMNS:
        distances, indices = cKDTree(points).query(queries, np.arange(1, k + 1))
        return Neighbors(np.asarray(indices), np.asarray(distances))
    return _by_blocks(points, queries, k)


def nearest_others(points: np.ndarray, k: int) -> Neighbors:
    """The k nearest of every point but itself."""
    found = nearest(points, points, k + 1)
    own = found.indices == np.arange(len(points))[:, None]
    own[~own.any(axis=1), -1] = True  # more than k points at no distance: the point itself was not among those found
    others = ~own
    return Neighbors(found.indices[others].reshape(-1, k), found.distances[others].reshape(-1, k))


def _by_blocks(points: np.ndarray, queries: np.ndarray, k: int) -> Neighbors:
    n, m = len(points), len(queries)
    candidates = min(n, k + SPARE)
    half_norms = 0.5 * np.einsum("ij,ij->i", points, points)
    indices, distances = np.empty((m, k), dtype=np.intp), np.empty((m, k))
    rows = max(1, BLOCK_ENTRIES // max(n, candidates * points.shape[1]))
    for start in range(0, m, rows):
        block = queries[start : start + rows]
        closeness = half_norms - block @ points.T
        chosen = np.argpartition(closeness, candidates - 1, axis=1)[:, :candidates]
        exact = np.linalg.norm(points[chosen] - block[:, None], axis=2)
        order = np.lexsort((chosen, exact), axis=1)[:, :k]
        indices[start : start + rows] = np.take_along_axis(chosen, order, axis=1)
        distances[start : start + rows] = np.take_along_axis(exact, order, axis=1)
    return Neighbors(indices, distances)
