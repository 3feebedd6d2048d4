"""Tables without groups for a comparison of bits: clouds of the same covariance, or counts of one distribution.

x_ref ~ Multinomial(n_i, p),   n_i = Σ_j x_ij,   p_j = Σ_i x_ij / Σ_i n_i
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unmix.validation.gibbs import takes_dissimilarities
from unmix.validation.reference import Reference, uniform_reference


def chance_table(estimators: Sequence[Any], X: np.ndarray) -> Reference | None:
    """What draws tables like X without groups; None for dissimilarities, for which there is no such thing."""
    if any(takes_dissimilarities(estimator) for estimator in estimators):
        return None
    if any(type(estimator).__name__ == "HistogramClustering" for estimator in estimators):
        return profile_reference(X)
    return uniform_reference(X)


def profile_reference(X: np.ndarray) -> Reference:
    """A function that draws counts with the row sums of X, all from the distribution of all rows together."""
    sums, total = np.rint(X.sum(axis=1)).astype(np.int64), X.sum(axis=0, dtype=np.float64)

    def table(rng: np.random.Generator) -> np.ndarray:
        return rng.multinomial(sums, total / total.sum()).astype(X.dtype)

    return table
