"""The K-means cost: the squared distance of every row to the mean of its cluster.

R(c, X) = sum_i ||x_i - u_c(i)||²,   u_k = mean of the rows with label k
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.nearest import Frame
from unmix.core.points import Points


class Stats(NamedTuple):
    """Sums of rows and their weight, for each cluster."""

    sums: np.ndarray
    mass: np.ndarray


class State(NamedTuple):
    """Rows, and for each cluster the sum of its rows and their number."""

    rows: np.ndarray
    sums: np.ndarray
    mass: np.ndarray


class SquaredDistance:
    """Squared Euclidean distance to prototypes that are means. Blocks are dense or CSR."""

    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data), by definition."""
        rows = np.asarray(data.toarray() if hasattr(data, "tocsr") else data, np.float64)
        parts = [rows[labels == c] for c in np.unique(labels)]
        return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))

    def distances(self, block: Any, prototypes: np.ndarray) -> np.ndarray:
        """(rows, k): ||x_i - u_k||²."""
        frame = Frame(1.0, np.zeros(prototypes.shape[1]))
        return np.ascontiguousarray(Points(block, None, frame).distances(np.asarray(prototypes, np.float64)).T)

    def statistics(self, block: Any, q: np.ndarray, prototypes: np.ndarray) -> Stats:
        """Sums of the rows weighted by q (rows, k), in float64."""
        weights = np.asarray(q, np.float64)
        return Stats(np.asarray(block.T @ weights).T, weights.sum(axis=0))

    def prototypes(self, stats: Stats, previous: np.ndarray) -> np.ndarray:
        """The means; a cluster without weight keeps its prototype."""
        alive = stats.mass[:, None] > 0
        return np.where(alive, stats.sums / np.where(alive, stats.mass[:, None], 1.0), previous)

    def state(self, data: Any, q: np.ndarray) -> State:
        """Running sums for moves of single rows, prototypes being means."""
        from unmix.costs import squared_distance_moves  # noqa: F401  registers the kernels

        rows = np.ascontiguousarray(data, np.float64)
        return State(rows, q.T @ rows, q.sum(axis=0))
