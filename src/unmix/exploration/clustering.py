"""How many clusters, which row belongs to which, and how sure each of these is.

confidence of a row      p(c | x) ∝ exp(-|x - u_c|² / 2σ²),  σ² = mean squared distance to the own centre per feature
stability of a cluster   how often its rows keep their cluster when the model is fitted to resampled rows
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.cluster import KMeans
from unmix.core.random import spawn
from unmix.exploration.counting import Count, count_clusters
from unmix.exploration.findings import Selection

most_rows = 2000  # for choosing k; the final fit sees every row


class Clustering(NamedTuple):
    """The selection for the reader, the model, and per row: label and confidence; per cluster: stability."""

    selection: Selection
    model: Any
    labels: np.ndarray
    confidence: np.ndarray
    stability: list[float | None]


def find_clusters(
    X: np.ndarray, space: np.ndarray, owner: np.ndarray, category: np.ndarray, max_k: int, seed: int
) -> Clustering:
    """`space` are coordinates with the distances of X, in which the count is made: X itself, or its components."""
    rows = sample_rows(len(X), most_rows, seed)
    count = count_clusters(space[rows], owner, category, max_k, seed)
    k = count.selection.chosen_k
    model = KMeans(k, random_state=seed).fit(X)
    labels = np.asarray(model.labels_)
    confidence = row_confidence(X, labels, np.asarray(model.cluster_centers_))
    return Clustering(count.selection, model, labels, confidence, cluster_stability(count, labels[rows], k))


def sample_rows(n: int, most: int, seed: int) -> np.ndarray:
    return np.arange(n) if n <= most else np.sort(spawn(seed, 4).choice(n, most, replace=False))


def row_confidence(X: np.ndarray, labels: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Probability of the own cluster among round clusters of equal spread."""
    distance = np.stack([((X - center) ** 2).sum(axis=1) for center in centers], axis=1)
    own = distance[np.arange(len(X)), labels]
    variance = max(own.mean() / X.shape[1], 1e-12)
    # A row may lie nearer to another centre by rounding only, so differences are not negative.
    return 1.0 / np.exp(-np.maximum(distance - own[:, None], 0.0) / (2 * variance)).sum(axis=1)


def cluster_stability(count: Count, labels: np.ndarray, k: int) -> list[float | None]:
    """Mean over a cluster's rows of how often each kept its cluster; None where nothing was resampled."""
    if k == 1 or count.kept is None:
        return [None] * k
    kept = [count.kept[(labels == c) & np.isfinite(count.kept)] for c in range(k)]
    return [float(rows.mean()) if len(rows) else None for rows in kept]
