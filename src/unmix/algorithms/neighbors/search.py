"""The k nearest points of every point: by k-d tree in few dimensions, by blocks of all distances or a search in many.

    ||x - y||² = ||x||² - 2 x·y + ||y||²

picks a few candidates more than k, whose distances are then computed from differences, so that points close together
far from the origin keep their order. Points are rows of an array or of a sparse table.
Reference: Bentley, Multidimensional binary search trees, Comm. ACM 18 (1975).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from unmix.algorithms.neighbors.gather import difference_blocks, is_sparse

ALGORITHMS = ("auto", "kd_tree", "brute", "approximate")
MOST_TREE_COLUMNS = 12  # with more columns a k-d tree looks at most points anyway
SEARCH_WORK = 6e11  # n² (d + 100): a minute of distances; as long as the search takes to be compiled
BLOCK_ENTRIES = 4_000_000
EXTRA_CANDIDATES = 8  # candidates beyond k, in case rounding has changed the order


class Neighbors(NamedTuple):
    indices: np.ndarray  # (n, k), nearest first
    distances: np.ndarray  # (n, k)


def choose_algorithm(algorithm: str, points: Any) -> str:
    """What "auto" means for these points."""
    from unmix.algorithms.neighbors.approximate import is_installed

    if algorithm != "auto":
        return algorithm
    if is_sparse(points):
        return "brute"
    if points.shape[1] <= MOST_TREE_COLUMNS:
        return "kd_tree"
    n, d = points.shape
    return "approximate" if n**2 * (d + 100) > SEARCH_WORK and is_installed() else "brute"


def nearest(points: Any, queries: Any, k: int, algorithm: str = "auto") -> Neighbors:
    """The k nearest of ``points`` (n, d) for every query (m, d), exactly."""
    if is_sparse(points) or algorithm == "brute" or (algorithm != "kd_tree" and points.shape[1] > MOST_TREE_COLUMNS):
        return _by_blocks(points, queries, k)
    distances, indices = cKDTree(points).query(queries, np.arange(1, k + 1))
    if (lost := np.flatnonzero(np.isinf(distances).any(axis=1))).size:
        raise ValueError(f"row {lost[0]} is so far from all others that its distances overflow; leave such rows out")
    return Neighbors(np.asarray(indices), np.asarray(distances))


def nearest_others(points: Any, k: int, algorithm: str = "auto") -> Neighbors:
    """The k nearest of every point but itself; for "approximate", most of them."""
    if algorithm == "approximate":
        from unmix.algorithms.neighbors.approximate import search_candidates

        return _nearest_of(points, search_candidates(points, k), k)
    found = nearest(points, points, k + 1, algorithm)
    own = found.indices == np.arange(points.shape[0])[:, None]
    own[~own.any(axis=1), -1] = True  # more than k points at no distance: the point itself was not among those found
    others = ~own
    return Neighbors(found.indices[others].reshape(-1, k), found.distances[others].reshape(-1, k))


def distances_between(points: Any, queries: Any, indices: np.ndarray) -> np.ndarray:
    """‖query_i - points[indices_ij]‖ from differences."""
    distances = np.empty(indices.shape)
    if not is_sparse(points):
        from unmix.algorithms.neighbors.rank_kernel import distances_to

        distances_to(points, queries, indices, distances)
        return distances
    for part, differences in difference_blocks(points, queries, indices, BLOCK_ENTRIES):
        distances[part] = np.linalg.norm(differences, axis=2)
    return distances


def _nearest_of(points: Any, candidates: np.ndarray, k: int) -> Neighbors:
    exact = distances_between(points, points, candidates)
    order = np.lexsort((candidates, exact), axis=1)[:, :k]
    return Neighbors(np.take_along_axis(candidates, order, axis=1), np.take_along_axis(exact, order, axis=1))


def _by_blocks(points: Any, queries: Any, k: int) -> Neighbors:
    from unmix.algorithms.neighbors.rank_kernel import smallest

    n, m = points.shape[0], queries.shape[0]
    candidates = min(n, k + EXTRA_CANDIDATES)
    half_norms = 0.5 * squared_norms(points)
    indices, distances = np.empty((m, k), dtype=np.intp), np.empty((m, k))
    rows = max(1, BLOCK_ENTRIES // n)
    for start in range(0, m, rows):
        block = queries[start : start + rows]
        closeness = block @ points.T
        closeness = closeness.toarray() if is_sparse(closeness) else closeness
        np.subtract(half_norms, closeness, out=closeness)
        chosen = np.empty((closeness.shape[0], candidates), dtype=np.intp)
        smallest(closeness, candidates, chosen)
        exact = distances_between(points, block, chosen)
        order = np.lexsort((chosen, exact), axis=1)[:, :k]
        indices[start : start + rows] = np.take_along_axis(chosen, order, axis=1)
        distances[start : start + rows] = np.take_along_axis(exact, order, axis=1)
    return Neighbors(indices, distances)


def squared_norms(points: Any) -> np.ndarray:
    if is_sparse(points):
        return np.asarray(points.multiply(points).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", points, points)
