"""Davies and Bouldin's index: how much each cluster overlaps the one it overlaps most.

DB = mean over c of max over c' of (s_c + s_c') / |u_c - u_c'|,  s_c the mean distance of a cluster's rows to u_c (1979)

Error: the spread of DB over bootstrap samples of the rows, labels as given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.validation.criteria.base import Score
from unmix.validation.criteria.settings import at_least
from unmix.validation.evidence.grouped_rows import GroupedRows, grouped_rows, squared_distances_to_own


@dataclass(frozen=True)
class DaviesBouldin:
    """Davies-Bouldin index, the mean over clusters of the worst ratio of spread to separation; smaller is better.

    Rows labelled -1 are left out. K = 1 has no value (NaN): on noise too, this criterion always finds clusters. Two
    clusters around the same centre overlap infinitely.

    Parameters
    ----------
    n_bootstrap : int
        Samples for the standard error; 0 or 1 for none.

    Notes
    -----
    Cost: O(n d + k² d) for each grid point and bootstrap sample.

    References
    ----------
    Davies and Bouldin, A cluster separation measure, IEEE PAMI 1, 1979.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.metrics import davies_bouldin_score
    >>> from unmix.datasets import blobs
    >>> X, y = blobs(120, 2, 3, random_state=0)
    >>> model = KMeans(3, n_init=5, random_state=0).fit(X)
    >>> bool(np.isclose(DaviesBouldin().evaluate(model, X).value, davies_bouldin_score(X, model.labels_)))
    True
    """

    n_bootstrap: int = 25

    name = "Davies-Bouldin"
    higher_is_better = False

    def __post_init__(self) -> None:
        at_least(self, n_bootstrap=0)

    def evaluate(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator | None = None, sample_weight: Any = None
    ) -> Score:
        data = grouped_rows(estimator, X, sample_weight)
        if not data.comparable:
            return Score(float("nan"))
        value = davies_bouldin(data, data.weight)
        if self.n_bootstrap < 2 or not np.isfinite(value):
            return Score(value)
        rng = np.random.default_rng(0) if rng is None else rng
        # Weights of mean and variance w, as of w rows drawn one by one, leave no cluster empty, as drawing rows might.
        weights = (np.maximum(rng.gamma(data.weight), 1e-100) for _ in range(self.n_bootstrap))
        drawn = [davies_bouldin(data, weight) for weight in weights]
        return Score(value, float(np.std(drawn, ddof=1)))


def davies_bouldin(data: GroupedRows, weight: np.ndarray) -> float:
    """The index under these weights of the rows."""
    means = data.means(weight)
    distance = np.sqrt(squared_distances_to_own(data.X, means, data.labels))
    spread = np.bincount(data.labels, weight * distance, data.k) / np.bincount(data.labels, weight, data.k)
    apart = np.sqrt(((means[:, None] - means) ** 2).sum(axis=2))
    np.fill_diagonal(apart, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        overlap = np.where(apart > 0, (spread[:, None] + spread) / apart, np.inf)
    return float(overlap.max(axis=1).mean())
