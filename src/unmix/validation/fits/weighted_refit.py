"""The same model again on other rows that carry weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from unmix.validation.fits.refit import last_step, refit, seed_parameters
from unmix.validation.fits.sampled_rows import weight_keywords


def weighted_refit(estimator: Any, X: np.ndarray, seed: int, weight: np.ndarray | None) -> Any:
    """A clone fitted on X; as `refit` where there are no weights."""
    if weight is None:
        return refit(estimator, X, seed)
    keywords = weight_keywords(estimator)
    if not keywords:
        raise TypeError(f"{type(last_step(estimator)).__name__} takes no sample_weight; repeat rows instead")
    model = clone(estimator)
    model.set_params(**{name: int(seed) for name in seed_parameters(model)})
    return model.fit(X, **dict.fromkeys(keywords, weight))
