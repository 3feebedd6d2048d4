"""How many clusters, which row belongs to which, and how sure each of these is.

confidence of a row      how often it keeps its cluster when the model is fitted to half of the rows, drawn at random
stability of a cluster   how often its rows keep their cluster when the model is fitted to resampled rows
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.cluster import KMeans
from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.counting import Count, count_clusters
from unmix.exploration.structure.judged import Judged
from unmix.validation import row_stability

n_resamples = 25  # from which the confidence of a row is counted


class Clustering(NamedTuple):
    """The selection for the reader, the model, and per row: label and confidence; per cluster: stability."""

    selection: Selection
    model: Any
    labels: np.ndarray
    confidence: np.ndarray
    stability: list[float | None]


def find_clusters(
    X: np.ndarray, judged: Judged, max_k: int, seed: int, k: int | None = None, n_directions: int | None = None
) -> Clustering:
    """The count is made on the judged rows, the clusters from all of them; `k` is how many, where the user said so.

    `n_directions` is how many principal components carry more than chance, None where that is not known.
    """
    count = count_clusters(judged, max_k, seed, k, n_directions)
    k = count.selection.chosen_k
    model = KMeans(k, random_state=seed).fit(X)
    labels = np.asarray(model.labels_)
    part = 0.5 if len(X) >= 8 * k else 0.9  # of few rows a half may hold less than k clusters
    confidence = row_stability(model, X, n_resamples=n_resamples, fraction=part, random_state=seed)
    return Clustering(count.selection, model, labels, confidence, cluster_stability(count, labels[judged.rows], k))


def cluster_stability(count: Count, labels: np.ndarray, k: int) -> list[float | None]:
    """Mean over a cluster's rows of how often each kept its cluster; None where nothing was resampled."""
    if k == 1 or count.kept is None:
        return [None] * k
    kept = [count.kept[(labels == c) & np.isfinite(count.kept)] for c in range(k)]
    return [float(rows.mean()) if len(rows) else None for rows in kept]
