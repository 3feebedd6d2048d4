"""Locally linear embedding from points to map: neighbours, weights, bottom eigenvectors, and what the map distorts.

Equal rows are one point: they would be neighbours of each other only, and get the same place.
Reference: Roweis & Saul, Nonlinear dimensionality reduction by locally linear embedding, Science 290 (2000).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.algorithms.locally_linear.bottom import AUTO, Solver, bottom_map, bottom_vectors
from unmix.algorithms.locally_linear.modified import LEAST_TURN, residual_rows
from unmix.algorithms.locally_linear.pieces import graph_of, join_pieces
from unmix.algorithms.locally_linear.tangent import tangent_rows
from unmix.algorithms.locally_linear.weights import reconstruction_weights, relative_errors
from unmix.algorithms.neighbors.points import distinct_rows, in_safe_units
from unmix.algorithms.neighbors.search import Neighbors, nearest, nearest_others

OVERLAP_ENTRIES = 10_000_000


class LocalMap(NamedTuple):
    points: np.ndarray  # (n, m) places of the rows in the map
    eigenvalues: np.ndarray  # (m,)
    errors: np.ndarray  # (n,) of the rows as means of their neighbours, relative
    distortion: np.ndarray  # (n,) share of map neighbours that are none in the data
    pieces: int  # of the neighbour graph, before they were joined
    distinct: int  # rows that differ


class Method(NamedTuple):
    """Which map: "standard", "modified" (many weights a point), "hessian" or "ltsa", and how it is solved for."""

    name: str = "standard"
    least_turn: float = LEAST_TURN
    solver: Solver = AUTO


STANDARD = Method()


def embed(
    rows: Any, k: int, n_components: int, reg: float, algorithm: str = "auto", method: Method = STANDARD
) -> LocalMap:
    """The map of rows (n, d), an array or a sparse table, by k neighbours each."""
    points, copies = in_safe_units(rows, rows), None
    neighbors = nearest_others(points, min(k, points.shape[0] - 1), algorithm)
    if (neighbors.distances[:, 0] == 0).any():
        points, copies = distinct_rows(points)
        if points.shape[0] > 1:
            neighbors = nearest_others(points, min(k, points.shape[0] - 1), algorithm)
    found = _embed_distinct(points, neighbors, n_components, reg, method)
    if copies is None:
        return found
    return found._replace(points=found.points[copies], errors=found.errors[copies], distortion=found.distortion[copies])


def place(queries: Any, rows: Any, places: np.ndarray, k: int, reg: float) -> np.ndarray:
    """New points as the weighted means, in the map, of their neighbours; a point of the fit gets its own place."""
    points, queries = in_safe_units(rows, rows), in_safe_units(queries, rows)
    found = nearest(points, queries, min(k, points.shape[0]))
    weights = reconstruction_weights(queries, points, found.indices, reg)
    same = found.distances[:, 0] == 0
    weights[same] = np.eye(1, weights.shape[1])
    return np.einsum("ij,ijl->il", weights, places[found.indices].astype(np.float64))


def _embed_distinct(points: Any, neighbors: Neighbors, n_components: int, reg: float, method: Method) -> LocalMap:
    n = points.shape[0]
    if n == 1:
        return LocalMap(np.zeros((1, n_components)), np.zeros(n_components), np.zeros(1), np.zeros(1), 1, 1)
    linked, pieces = join_pieces(points, neighbors.indices)
    weights = reconstruction_weights(points, points, linked, reg)
    m = min(n_components, n - 1)  # n points span n - 1 directions; the others are left at 0
    if method.name != "standard" and linked.shape[1] > least_neighbors(method.name, m):
        U, values = bottom_vectors(constraint_rows(points, linked, reg, m, method), m, method.solver)
    else:
        U, values = bottom_map(graph_of(linked, weights), m, method.solver)
    return LocalMap(
        np.pad(U, ((0, 0), (0, n_components - m))),
        np.pad(values, (0, n_components - m)),
        relative_errors(points, linked, weights),
        share_of_strangers(U, neighbors.indices),
        pieces,
        n,
    )


def least_neighbors(name: str, m: int) -> int:
    """What the number of neighbours has to exceed."""
    return m * (m + 3) // 2 if name == "hessian" else (m + 1 if name == "ltsa" else m)


def constraint_rows(points: Any, linked: np.ndarray, reg: float, m: int, method: Method) -> csr_array:
    """A, for which A U = 0 of a perfect map U."""
    if method.name == "modified":
        return residual_rows(points, linked, reg, m, method.least_turn)
    return tangent_rows(points, linked, m, method.name)


def share_of_strangers(places: np.ndarray, neighbors: np.ndarray) -> np.ndarray:
    """The share of the k nearest points in the map that are not among the k nearest in the data, for every point."""
    n, k = neighbors.shape
    mapped = nearest_others(places, k).indices
    share = np.empty(n)
    rows = max(1, OVERLAP_ENTRIES // (k * k))
    for start in range(0, n, rows):
        part = slice(start, start + rows)
        share[part] = 1 - (mapped[part, :, None] == neighbors[part, None, :]).any(axis=2).mean(axis=1)
    return share
