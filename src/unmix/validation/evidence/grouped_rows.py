"""The rows that have a label, in clusters 0 … k - 1: what measures of compact and separated clusters look at."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.validation.evidence.resampled.distance import numbered
from unmix.validation.fits.refit import labels_of


class GroupedRows(NamedTuple):
    """Labelled rows about their mean and of size one, so that no square overflows; `scale` undoes the latter."""

    X: np.ndarray
    labels: np.ndarray
    weight: np.ndarray
    sizes: np.ndarray  # sum of weights of each cluster
    rows: np.ndarray  # their places in the table
    scale: float

    @property
    def k(self) -> int:
        return len(self.sizes)

    @property
    def comparable(self) -> bool:
        """There are at least two clusters, and not every row is one."""
        return 2 <= self.k < len(self.X)

    def means(self, weight: np.ndarray | None = None) -> np.ndarray:
        """Means (k, d) of the clusters, under other weights if given."""
        weight = self.weight if weight is None else weight
        return sums(self.X, self.labels, weight, self.k) / np.bincount(self.labels, weight, self.k)[:, None]

    def squared_distances_to_mean(self) -> np.ndarray:
        """|x_i - u|² for every row, u being the weighted mean of all."""
        return squared_distances_to_own(
            self.X, (self.weight @ self.X / self.weight.sum())[None], np.zeros_like(self.labels)
        )


def grouped_rows(estimator: Any, X: np.ndarray, sample_weight: Any = None) -> GroupedRows:
    """Rows labelled -1 and rows of weight 0 are as if absent."""
    labels = labels_of(estimator, X)
    weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    rows = np.flatnonzero((labels != -1) & (weight > 0))
    kept = slice(None) if len(rows) == len(X) else rows  # all of them need no copy
    names, labels = numbered(labels[kept])
    data = np.asarray(X[kept], dtype=np.float64)
    scale = float(max(data.max(initial=0.0), -data.min(initial=0.0))) or 1.0
    data = data / scale
    if len(data):
        data -= data.mean(axis=0)
    return GroupedRows(data, labels, weight[rows], np.bincount(labels, weight[rows], len(names)), rows, scale)


def sums(X: np.ndarray, labels: np.ndarray, weight: np.ndarray, k: int) -> np.ndarray:
    """Weighted sums (k, d) of the rows of each cluster."""
    from scipy.sparse import csr_array

    n = len(X)
    return csr_array((weight, labels, np.arange(n + 1)), shape=(n, k)).T @ X


def squared_distances_to_own(X: np.ndarray, centers: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """|x_i - u_c(i)|² for every row, in blocks of rows."""
    found = np.empty(len(X))
    for first in range(0, len(X), 4096):
        block = slice(first, first + 4096)
        away = centers.take(labels[block], axis=0)
        away -= X[block]
        np.einsum("ij,ij->i", away, away, out=found[block])
    return found
