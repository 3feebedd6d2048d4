"""Histogram clustering: counts of rows that share a cluster come from one distribution.

    R(c, X) = Σ_i (n_i / s) KL(p_i ‖ u_c(i)),   p_i = x_i / n_i,   n_i = Σ_j x_ij
    u_c = (C_c + a b) / (N_c + a),   C_c = Σ_i x_i,   N_c = Σ_i n_i   over the rows of the cluster

b is the distribution of all rows and a the weight of it, in counts: a prototype is never zero where any row has a
count, so that every distance is finite. With the prototypes put in, clusters are all that is left,

    s R(c, X) = Σ_ij x_ij log p_ij + Σ_c g(C_c),   g(C) = N log(N + a) - Σ_j C_j log(C_j + a b_j)

and a row that comes or goes changes g only by the columns in which it has counts (costs/move_kernels/histogram.py).

Pereira, Tishby and Lee, Distributional clustering of English words, ACL 1993; Hofmann and Puzicha (1998).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.costs.distributions.relative_entropy import RelativeEntropy, Stats, entropies

FEW_COLUMNS = 64


class State(NamedTuple):
    """The rows as CSR, and for each cluster the counts pooled and their number."""

    counts: np.ndarray
    columns: np.ndarray
    starts: np.ndarray
    sizes: np.ndarray  # (n,) n_i
    pooled: np.ndarray  # (k, m) C
    mass: np.ndarray  # (k,) N
    prior: np.ndarray  # (m,) a b
    smoothing: np.ndarray  # (1,) a
    unit: np.ndarray  # (1,) s


class Scatter(NamedTuple):
    """Second moments of the rows around the distributions of the clusters, and the counts of each."""

    second: np.ndarray
    mass: np.ndarray


class Histogram(RelativeEntropy):
    """Prototypes are the pooled, smoothed distributions of the rows. Data are dense or CSR counts."""

    any_point = True  # on the sphere of `flatten`

    def __init__(self, background: np.ndarray, smoothing: float, unit: float) -> None:
        super().__init__(background, unit)
        self.smoothing = smoothing

    def in_unit(self, factor: float) -> Histogram:
        return Histogram(self.background, self.smoothing * factor, self.unit * factor)

    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data), by definition."""
        rows = np.asarray(data.toarray() if hasattr(data, "tocsr") else data, np.float64)
        total = 0.0
        for c in np.unique(labels):
            part = rows[labels == c]
            mass = part.sum() + self.smoothing
            u = (part.sum(axis=0) + self.smoothing * self.background) / (mass if mass > 0 else 1.0)
            p, u = part / np.maximum(part.sum(axis=1, keepdims=True), 1e-300), np.where(u > 0, u, 1.0)
            total += float((part * np.log(np.where(p > 0, p, 1.0) / np.where(p > 0, u, 1.0))).sum())
        return total / self.unit

    def start(self, k: int = 1) -> np.ndarray:
        """k times the distribution of all rows."""
        return np.tile(self.background, (k, 1))

    def prototypes(self, stats: Stats, previous: np.ndarray) -> np.ndarray:
        """The mean distributions, smoothed; a cluster without counts keeps its prototype."""
        mass = stats.mass[:, None] + self.smoothing
        fresh = (stats.counts + self.smoothing * self.background) / np.where(mass > 0, mass, 1.0)
        return np.asarray(np.where(stats.mass[:, None] > 0, fresh, previous), np.float64)

    def fields(self, data: Any, q: np.ndarray) -> np.ndarray:
        """g(C + x_i) - g(C) for every row and cluster, C without what the row has there; only its own columns count."""
        rows, prior, a = csr_array(data, dtype=np.float64), self.smoothing * self.background, self.smoothing
        n, sizes, x, j = rows.shape[0], np.asarray(rows.sum(axis=1)), rows.data, rows.indices
        owner, pooled, h = np.repeat(np.arange(n), np.diff(rows.indptr)), self._pool(rows, q), np.empty(q.shape)
        for c, counts in enumerate(pooled):  # one cluster at a time: no (entries, k) array
            without = np.maximum(counts[j] - q[owner, c] * x, 0.0)
            mass = np.maximum(counts.sum() - q[:, c] * sizes, 0.0)
            rise = x_log_y(without + x, without + x + prior[j]) - x_log_y(without, without + prior[j])
            h[:, c] = x_log_y(mass + sizes, mass + sizes + a) - x_log_y(mass, mass + a)
            h[:, c] -= np.bincount(owner, rise, minlength=n)
        return h / self.unit

    def expected(self, data: Any, q: np.ndarray) -> float:
        """R with the prototypes that suit the shares best, `total` at labels."""
        pooled, a = self._pool(csr_array(data, dtype=np.float64), q), self.smoothing
        mass = pooled.sum(axis=1)
        g = x_log_y(mass, mass + a).sum() - x_log_y(pooled, pooled + a * self.background).sum()
        return float(g - entropies(data).sum()) / self.unit

    @property
    def mean_is_bound(self) -> bool:
        """Of prototypes that are not smoothed the cost is the least of linear functions of the shares: concave."""
        return self.smoothing == 0

    def critical_temperature(self, data: Any) -> float:
        """Of the first split: the largest eigenvalue of Σ_i n_i² (p_i - u)(p_i - u)ᵀ diag(1/u) / (s Σ_i n_i)."""
        from unmix.core.linalg import largest_eigenvalue

        rows = csr_array(data, dtype=np.float64)
        sizes = np.asarray(rows.sum(axis=1))
        u = np.asarray(rows.sum(axis=0)) / sizes.sum()
        root = np.sqrt(np.where(u > 0, u, 1.0))

        def product(v: np.ndarray) -> np.ndarray:
            v = v / root
            image = rows @ v - sizes * (u @ v)
            return np.asarray((rows.T @ image - u * (sizes @ image)) / (root * self.unit * sizes.sum()))

        return max(largest_eigenvalue(product, rows.shape[1]), 0.0)

    def flatten(self, prototypes: np.ndarray) -> np.ndarray:
        """Coordinates in which close prototypes are as far apart as they cost: KL(u ‖ v) ≈ ||√2u - √2v||²."""
        return np.sqrt(2 * prototypes)

    def bend(self, points: np.ndarray) -> np.ndarray:
        """The prototypes of such coordinates; those beside the sphere are brought back to it."""
        squares = points * points
        return squares / squares.sum(axis=1, keepdims=True)

    def closed_form(self, columns: int, sparse: bool) -> bool:
        """The scatter of every cluster is an m × m matrix."""
        return columns <= FEW_COLUMNS and not sparse

    def centers(self, stats: Stats) -> np.ndarray:
        """(k, m): the distributions of the clusters, not smoothed, so that equal rows do not scatter at all."""
        return stats.counts / np.where(stats.mass > 0, stats.mass, 1.0)[:, None]

    def scatter(self, block: Any, q: np.ndarray, centers: np.ndarray) -> Scatter:
        """Σ q n² (p - u)(p - u)ᵀ and Σ q n."""
        from unmix.costs.gaussian.ellipsoid import add_moments

        rows = np.asarray(block[:, :-1] if self.carried else block, np.float64)
        (k, m), sizes = centers.shape, rows.sum(axis=1)
        rows = rows / np.where(sizes > 0, sizes, 1.0)[:, None]
        first, second = np.zeros((k, m)), np.zeros((k, m, m))
        add_moments(rows, np.ascontiguousarray(q.T * sizes**2), centers, first, second)
        return Scatter(second, sizes @ q)

    def critical_temperatures(self, stats: Scatter, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As that of the first split; of two copies each takes half of the counts, and all of the smoothing."""
        root = np.sqrt(centers)
        scale = 1 / np.where(root > 0, root, 1.0)
        weight = np.where(stats.mass > 0, stats.mass, 1.0) + 2 * self.smoothing
        second = stats.second * scale[:, :, None] * scale[:, None] / (self.unit * weight)[:, None, None]
        values, vectors = np.linalg.eigh(second)
        return np.maximum(values[:, -1], 0.0), vectors[:, :, -1] * root

    def state(self, data: Any, q: np.ndarray) -> State:
        """Running sums for moves of single rows."""
        from unmix.costs.move_kernels import histogram as histogram_moves  # noqa: F401  registers the kernels

        rows = csr_array(data, dtype=np.float64)
        pooled, a, unit = self._pool(rows, q), np.array([self.smoothing]), np.array([self.unit])
        parts = rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64), np.asarray(rows.sum(axis=1))
        return State(*parts, pooled, pooled.sum(axis=1), self.smoothing * self.background, a, unit)

    def _pool(self, rows: Any, q: np.ndarray) -> np.ndarray:
        return self.statistics(rows, q, self.background).counts


def x_log_y(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x log y, 0 where x is."""
    return np.asarray(x * np.log(np.where(x > 0, y, 1.0)))
