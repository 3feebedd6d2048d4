"""The same model again on other rows that carry weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from unmix.validation.refit import refit


def weighted_refit(estimator: Any, X: np.ndarray, seed: int, weight: np.ndarray | None) -> Any:
    """A clone fitted on X; as `refit` where there are no weights."""
    if weight is None:
        return refit(estimator, X, seed)
    if not has_fit_parameter(estimator, "sample_weight"):
        raise TypeError(f"{type(estimator).__name__} takes no sample_weight; repeat rows instead")
    model = clone(estimator)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=int(seed))
    return model.fit(X, sample_weight=weight)
