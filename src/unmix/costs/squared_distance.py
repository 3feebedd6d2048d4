"""The K-means cost: the squared distance of every row to the mean of its cluster.

    R(c, X) = Σ_i w_i ||x_i - u_c(i)||² = Σ_i w_i ||x_i||² - Σ_c ||y_c||² / m_c

u_c is the weighted mean of the rows with label c, y_c = Σ_i w_i x_i their sum and m_c = Σ_i w_i their weight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.nearest.centers import Frame
from unmix.costs.nearest.differences import Points
from unmix.costs.nearest.small import FEW_WORK

FEW_COLUMNS = 64
NEGLIGIBLE_WEIGHT = 1e-12  # a cluster that holds less than this share of the weight of a row is empty to it


class Stats(NamedTuple):
    """Sums of rows and their weight, for each cluster."""

    sums: np.ndarray
    mass: np.ndarray


class Weighted(NamedTuple):
    """Dense rows (n, d) that count by their weights (n,); each has one label."""

    rows: np.ndarray
    weights: np.ndarray

    @property
    def n_objects(self) -> int:
        return len(self.weights)


class State(NamedTuple):
    """Rows with their weights, and for each cluster the sum of its rows and their weight."""

    rows: np.ndarray
    weights: np.ndarray
    sums: np.ndarray
    mass: np.ndarray


class Scatter(NamedTuple):
    """Second moments around the prototypes, and weights."""

    second: np.ndarray
    mass: np.ndarray


class SquaredDistance:
    """Squared Euclidean distance to prototypes that are means. Blocks are dense or CSR."""

    mean_is_bound = True  # ||y||² / m is convex in y and m, so that `expected` is never below the mean
    any_point = True  # may be a prototype, so that steps towards the means may be extrapolated

    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data), by definition."""
        rows, weights = weigh(data)
        cost = 0.0
        for c in np.unique(labels):
            part, share = rows[labels == c], weights[labels == c]
            cost += float(share @ ((part - share @ part / share.sum()) ** 2).sum(axis=1))
        return cost

    def distances(self, block: Any, prototypes: np.ndarray) -> np.ndarray:
        """(rows, k): ||x_i - u_k||², times the weight of rows that have one."""
        if isinstance(block, Weighted):
            return block.weights[:, None] * self.distances(block.rows, prototypes)
        frame = Frame(1.0, np.zeros(prototypes.shape[1]))
        return Points(block, None, frame).distances(np.asarray(prototypes, np.float64)).T

    def statistics(self, block: Any, q: np.ndarray, prototypes: np.ndarray) -> Stats:
        """Sums of the rows weighted by q (rows, k), in float64."""
        if isinstance(block, Weighted):
            block, q = block.rows, q * block.weights[:, None]
        weights = np.asarray(q, np.float64)
        return Stats(np.asarray(block.T @ weights).T, weights.sum(axis=0))

    def prototypes(self, stats: Stats, previous: np.ndarray) -> np.ndarray:
        """The means; a cluster without weight keeps its prototype."""
        alive = stats.mass[:, None] > 0
        return np.where(alive, stats.sums / np.where(alive, stats.mass[:, None], 1.0), previous)

    def fields(self, data: Any, q: np.ndarray) -> np.ndarray:
        """w m / (w + m) ||x - u||² for every row and cluster, m and u without what the row has there."""
        rows, weights = weigh(data)
        held, h = q * weights[:, None], np.empty(q.shape)
        for c, (y, m) in enumerate(zip(held.T @ rows, held.sum(axis=0), strict=True)):  # no (n, k, d) array
            mass = m - held[:, c]
            shared = mass > NEGLIGIBLE_WEIGHT * weights
            away = rows - (y - held[:, c : c + 1] * rows) / np.where(shared, mass, 1.0)[:, None]
            h[:, c] = np.where(shared, weights * mass / (weights + np.abs(mass)), 0.0) * (away * away).sum(axis=1)
        return h

    def expected(self, data: Any, q: np.ndarray) -> float:
        """R with the means of the shares, `total` at labels."""
        rows, weights = weigh(data)
        held = q * weights[:, None]
        means = self.prototypes(Stats(held.T @ rows, held.sum(axis=0)), np.zeros((q.shape[1], rows.shape[1])))
        return float(sum(held[:, c] @ ((rows - u) ** 2).sum(axis=1) for c, u in enumerate(means)))

    def critical_temperature(self, data: Any) -> float:
        """Of the first split: 2 λ_max of Σ w² (x - u)(x - u)ᵀ / Σ w, of the covariance where all weights are 1."""
        from unmix.core.linalg import largest_eigenvalue

        rows, weights = weigh(data)
        share = weights / weights.sum()
        rows = rows - share @ rows
        share = share * weights  # a heavy row pulls more, and decides more sharply
        return 2 * max(largest_eigenvalue(lambda v: rows.T @ (share * (rows @ v)), rows.shape[1]), 0.0)

    def state(self, data: Any, q: np.ndarray) -> State:
        """Running sums for moves of single rows, prototypes being means."""
        from unmix.costs.move_kernels import squared_distance as squared_distance_moves  # noqa: F401  registers the kernels

        rows, weights = weigh(data)
        held = q * weights[:, None]
        return State(np.ascontiguousarray(rows), weights, held.T @ rows, held.sum(axis=0))

    def perturbed(self, prototypes: np.ndarray, directions: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """u + sqrt(cost) v / ||v||."""
        length = np.linalg.norm(directions, axis=1, keepdims=True)
        return prototypes + np.sqrt(cost)[:, None] * directions / np.where(length > 0, length, 1.0)

    def separation(self, prototypes: np.ndarray) -> np.ndarray:
        """||u_a - u_b||²."""
        from scipy.spatial.distance import cdist

        return np.asarray(cdist(prototypes, prototypes, "sqeuclidean"))

    def closed_form(self, columns: int, sparse: bool) -> bool:
        """The scatter of every cluster is a d × d matrix."""
        return columns <= FEW_COLUMNS and not sparse

    def scatter(self, block: Any, q: np.ndarray, centers: np.ndarray) -> Scatter:
        """Σ q (x - u)(x - u)ᵀ and Σ q."""
        if block.size * len(centers) <= FEW_WORK:
            away = np.asarray(block, np.float64) - centers[:, None]  # (k, n, d)
            return Scatter(np.matmul((q.T[:, :, None] * away).swapaxes(1, 2), away), q.sum(axis=0, dtype=np.float64))
        from unmix.costs.gaussian.ellipsoid import add_moments

        (k, d), turned = centers.shape, np.ascontiguousarray(q.T, block.dtype)
        first, second = np.zeros((k, d)), np.zeros((k, d, d))
        add_moments(block, turned, centers.astype(block.dtype), first, second)
        return Scatter(second, q.sum(axis=0, dtype=np.float64))

    def critical_temperatures(self, stats: Scatter, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """T_c = 2 λ_max of the covariance of the cluster, and the eigenvector."""
        mass = np.where(stats.mass > 0, stats.mass, 1.0)[:, None, None]
        values, vectors = np.linalg.eigh(stats.second / mass)
        return 2 * np.maximum(values[:, -1], 0.0), vectors[:, :, -1]


def weigh(data: Any) -> tuple[np.ndarray, np.ndarray]:
    """Dense rows and their weights, in float64."""
    rows: Any = data.rows if isinstance(data, Weighted) else data
    weights = data.weights if isinstance(data, Weighted) else None
    rows = np.asarray(rows.toarray() if hasattr(rows, "tocsr") else rows, np.float64)
    return rows, np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)
