"""Pieces of a neighbour graph that no neighbour leads out of, and the shortest links that join them.

With more than one such piece every function constant on each of them is a map without any error, and the true map is
lost among these. A piece is a closed class of the directed graph: its points reach each other and nothing else. In
every piece the point closest to where another piece is reached gives up its furthest neighbour for the point found
there. All points of the piece still reach the one that was changed (a path to it does not use its own links), so each
round at least halves the number of pieces.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from unmix.algorithms.neighbors.search import nearest


def graph_of(neighbors: np.ndarray, weights: np.ndarray | None = None) -> csr_array:
    """Row i holds the weights, or ones, of the neighbours of point i."""
    n, k = neighbors.shape
    data = np.ones(n * k) if weights is None else weights.ravel()
    return csr_array((data, neighbors.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))


def closed_pieces(neighbors: np.ndarray) -> list[np.ndarray]:
    """The points of every class that no link leaves."""
    _, labels = connected_components(graph_of(neighbors), directed=True, connection="strong")
    leaving = (labels[neighbors] != labels[:, None]).any(axis=1)
    closed = np.setdiff1d(labels, labels[leaving])
    return [np.flatnonzero(labels == label) for label in closed]


def join_pieces(points: Any, neighbors: np.ndarray) -> tuple[np.ndarray, int]:
    """Neighbours with one piece only, and the number of pieces there were."""
    pieces = closed_pieces(neighbors)
    found = len(pieces)
    while len(pieces) > 1:
        backward = graph_of(neighbors).T.tocsr()
        joined = neighbors.copy()
        for piece in pieces:
            reaching = breadth_first_order(backward, piece[0], return_predecessors=False)
            elsewhere = np.setdiff1d(np.arange(points.shape[0]), reaching)  # from here one comes to other pieces only
            ways = nearest(points[elsewhere], points[piece], 1)
            first = int(ways.distances[:, 0].argmin())
            joined[piece[first], -1] = elsewhere[ways.indices[first, 0]]
        neighbors = joined
        pieces = closed_pieces(neighbors)
    return neighbors, found
