"""Tables without groups for models of any kind: clouds of the same covariance, or counts of one distribution.

x_ref ~ Multinomial(n_i, p),   n_i = Σ_j x_ij,   p_j = Σ_i x_ij / Σ_i n_i
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import get_tags

from unmix.validation.evidence.gibbs import takes_dissimilarities
from unmix.validation.evidence.references.reference import Reference, uniform_reference
from unmix.validation.fits.refit import last_step


def takes_no_negative_values(estimator: Any) -> bool:
    """Models of counts, of shares and of spectra, also behind the other steps of a pipeline that leave the sign."""
    first = estimator.steps[0][1] if last_step(estimator) is not estimator else estimator
    return bool(get_tags(first).input_tags.positive_only) if hasattr(first, "__sklearn_tags__") else False


def chance_table(estimators: Sequence[Any], X: np.ndarray) -> Reference | None:
    """What draws tables like X without groups; None for dissimilarities, for which there is no such thing."""
    if any(takes_dissimilarities(estimator) for estimator in estimators):
        return None
    if any(takes_no_negative_values(estimator) for estimator in estimators):
        return profile_reference(X)
    return uniform_reference(X)


def with_suitable_reference(criterion: Any, estimator: Any) -> Any:
    """The criterion, comparing with tables that this model can be fitted on, unless it was told with which."""
    default = getattr(criterion, "reference", None)
    if (default is uniform_reference or default == "pca") and takes_no_negative_values(estimator):
        return replace(criterion, reference=profile_reference)
    return criterion


def profile_reference(X: np.ndarray) -> Reference:
    """A function that draws counts with the row sums of X, all from the distribution of all rows together.

    Tables that hold no whole numbers have no counts to draw: theirs are clouds of the same covariance, cut off at 0.
    """
    sums, total = np.rint(X.sum(axis=1)).astype(np.int64), X.sum(axis=0, dtype=np.float64)
    if (np.rint(X) != X).any():
        cloud = uniform_reference(X)
        return lambda rng: np.maximum(cloud(rng), X[X > 0].min(initial=1.0))

    def table(rng: np.random.Generator) -> np.ndarray:
        return rng.multinomial(sums, total / total.sum()).astype(X.dtype)

    return table
