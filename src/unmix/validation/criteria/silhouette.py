"""Silhouette: is a row nearer to its own cluster than to the next?

a_i = mean distance to the other rows of its cluster,  b_i = the least mean distance to the rows of another
s_i = (b_i - a_i) / max(a_i, b_i),  0 for a cluster of one;  the criterion is the mean of s_i (Rousseeuw 1987)

Distances are made and summed in tiles that fit the cache: n² d operations, memory n k. For squared distances
mean_j |x - x_j|² = |x - u_c|² + v_c, v_c the mean squared distance within c: n k d operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.validation.criteria.base import Score
from unmix.validation.criteria.settings import at_least, one_of
from unmix.validation.evidence.grouped_rows import GroupedRows, grouped_rows, squared_distances_to_own
from unmix.validation.fits.refit import in_parallel

_block, _width = 256, 4096  # rows and columns of a tile

METRICS = ("euclidean", "sqeuclidean", "precomputed")


@dataclass(frozen=True)
class Silhouette:
    """Mean silhouette of the rows, from -1 to 1, with its standard error over rows.

    Rows labelled -1 are left out. K = 1 has no silhouette (NaN), so this criterion always finds clusters: on pure noise
    too. It prefers round clusters of equal size.

    Parameters
    ----------
    metric : "euclidean", "sqeuclidean" or "precomputed"
        "precomputed": the table judged is itself one of dissimilarities, (n, n).
    max_rows : int
        Larger tables: the mean over this many random rows, each compared with all others. The error says how far the
        mean over all rows may be.

    Notes
    -----
    Cost: min(n, max_rows) n d operations and O(n k) memory; O(n k d) with "sqeuclidean".

    References
    ----------
    Rousseeuw, Silhouettes: a graphical aid to the interpretation and validation of cluster analysis, J. Computational
    and Applied Mathematics 20, 1987.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.metrics import silhouette_score
    >>> from unmix.datasets import blobs
    >>> X, y = blobs(120, 2, 3, random_state=0)
    >>> model = KMeans(3, n_init=5, random_state=0).fit(X)
    >>> value = Silhouette().evaluate(model, X).value
    >>> bool(np.isclose(value, silhouette_score(X, model.labels_)))
    True
    """

    metric: str = "euclidean"
    max_rows: int = 20_000

    name = "silhouette"
    higher_is_better = True

    def __post_init__(self) -> None:
        one_of(self, metric=METRICS)
        at_least(self, max_rows=1)

    def evaluate(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator | None = None, sample_weight: Any = None
    ) -> Score:
        rows = self.rows(estimator, X, rng, sample_weight)
        known = np.isfinite(rows)
        if not known.any():
            return Score(float("nan"))
        weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        mean = float(np.average(rows[known], weights=weight[known]))
        spread = np.average((rows[known] - mean) ** 2, weights=weight[known])
        return Score(mean, float(np.sqrt(spread / max(weight[known].sum() - 1, 1))))

    def rows(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator | None = None, sample_weight: Any = None
    ) -> np.ndarray:
        """Silhouette of each row; NaN for rows without a label, rows not drawn, or where there are no two clusters."""
        data = grouped_rows(estimator, X, sample_weight)
        found = np.full(len(X), np.nan)
        if not data.comparable:
            return found
        drawn = np.arange(len(data.X))
        if len(drawn) > self.max_rows and self.metric != "sqeuclidean":
            rng = np.random.default_rng(0) if rng is None else rng
            drawn = np.sort(rng.choice(len(drawn), self.max_rows, replace=False))
        found[data.rows[drawn]] = _silhouettes(self._sums(data, X, drawn), data, data.labels[drawn])
        return found

    def _sums(self, data: GroupedRows, X: np.ndarray, drawn: np.ndarray) -> np.ndarray:
        if self.metric == "precomputed":
            near = np.asarray(X, dtype=np.float64)[np.ix_(data.rows[drawn], data.rows)] / data.scale
            return near @ (data.weight[:, None] * (data.labels[:, None] == np.arange(data.k)))
        return squared_sums(data) if self.metric == "sqeuclidean" else euclidean_sums(data, drawn)


def _silhouettes(total: np.ndarray, data: GroupedRows, labels: np.ndarray) -> np.ndarray:
    """From the sum of distances (m, k) of rows to clusters."""
    every = np.arange(len(labels))
    others = data.sizes[labels] - 1  # a row is no neighbour of its own
    within = total[every, labels] / np.where(others > 0, others, 1.0)
    means = total / data.sizes
    means[every, labels] = np.inf
    outside = means.min(axis=1)
    largest = np.maximum(within, outside)
    return np.where((others > 0) & (largest > 0), (outside - within) / np.where(largest > 0, largest, 1.0), 0.0)


def euclidean_sums(data: GroupedRows, drawn: np.ndarray) -> np.ndarray:
    """Σ_j w_j |x_i - x_j| over the rows j of each cluster, for the rows i drawn."""
    from unmix.validation.criteria.silhouette_kernel import add_distances

    order = np.argsort(data.labels, kind="stable")
    columns, weight = data.X[order], data.weight[order]
    bounds = np.searchsorted(data.labels[order], np.arange(data.k + 1))
    norms, position = (columns**2).sum(axis=1), np.argsort(order)

    def block(b: int) -> np.ndarray:
        rows = data.X[drawn[b * _block : (b + 1) * _block]]
        place = position[drawn[b * _block : (b + 1) * _block]]
        own, out = (rows**2).sum(axis=1), np.zeros((len(rows), data.k))
        for first in range(0, len(columns), _width):
            last = min(first + _width, len(columns))
            cut = np.clip(bounds, first, last) - first
            products = rows @ columns[first:last].T
            itself = np.flatnonzero((place >= first) & (place < last))  # at distance 0, which rounding would miss
            products[itself, place[itself] - first] = (own[itself] + norms[place[itself]]) / 2
            add_distances(products, own, norms[first:last], weight[first:last], cut, out)
        return out

    return np.concatenate(in_parallel(block, -(-len(drawn) // _block), "silhouette"))


def squared_sums(data: GroupedRows) -> np.ndarray:
    """Σ_j w_j |x_i - x_j|² = n_c (|x_i - u_c|² + v_c), for every row."""
    means = data.means()
    own = squared_distances_to_own(data.X, means, data.labels)
    spread = np.bincount(data.labels, data.weight * own, data.k) / data.sizes
    distance = np.stack([((data.X - mean) ** 2).sum(axis=1) for mean in means], axis=1)
    return data.sizes * (distance + spread)
