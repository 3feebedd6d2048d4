"""Calinski and Harabasz's ratio: variance between clusters over variance within.

CH = (B / (k - 1)) / (W / (n - k)),   W = Σ_i |x_i - u_c(i)|²,  B = T - W,  T = Σ_i |x_i - u|²   (1974)

Error: CH depends on the rows through R = T / W, and means minimise both sums, so to first order
se(R) = sqrt(Σ_i (t_i - R w_i)²) / W, with t_i and w_i the terms of T and W.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.validation.criteria.base import Score
from unmix.validation.evidence.grouped_rows import grouped_rows, squared_distances_to_own

ROUNDING = 8 * np.finfo(float).eps  # how far the mean of equal rows may lie from them


@dataclass(frozen=True)
class CalinskiHarabasz:
    """The variance ratio, with its standard error over rows for the labels given.

    Rows labelled -1 are left out. K = 1 has no value (NaN): on noise too, this criterion always finds clusters.
    Clusters without any spread have ratio infinity.

    Notes
    -----
    Cost: O(n d) for each grid point.

    References
    ----------
    Calinski and Harabasz, A dendrite method for cluster analysis, Communications in Statistics 3, 1974.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.metrics import calinski_harabasz_score
    >>> from unmix.datasets import blobs
    >>> X, y = blobs(120, 2, 3, random_state=0)
    >>> model = KMeans(3, n_init=5, random_state=0).fit(X)
    >>> bool(np.isclose(CalinskiHarabasz().evaluate(model, X).value, calinski_harabasz_score(X, model.labels_)))
    True
    """

    name = "Calinski-Harabasz"
    higher_is_better = True

    def evaluate(
        self, estimator: Any, X: np.ndarray, rng: np.random.Generator | None = None, sample_weight: Any = None
    ) -> Score:
        data = grouped_rows(estimator, X, sample_weight)
        n, k = data.sizes.sum(), data.k
        if not data.comparable or n <= k:
            return Score(float("nan"))
        total = data.squared_distances_to_mean()
        within = squared_distances_to_own(data.X, data.means(), data.labels)
        T, W = float(data.weight @ total), float(data.weight @ within)
        rounding = n * data.X.shape[1] * ROUNDING**2  # of rows of size one
        if rounding >= W:
            return Score(float("inf"))
        ratio, factor = T / W, (n - k) / (k - 1)
        error = np.sqrt(data.weight @ (total - ratio * within) ** 2) / W
        return Score(float(factor * (ratio - 1)), float(factor * error))
