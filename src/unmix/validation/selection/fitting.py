"""The grid of models, each fitted once; where a model cannot say "nothing is there", the trivial one says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from unmix.validation.fits.no_structure import Constant, OneCluster, labels_rows, predicts_entries
from unmix.validation.fits.parallel import in_parallel
from unmix.validation.fits.refit import seed_parameters, size_of, size_parameter
from unmix.validation.fits.sampled_rows import weight_keywords


def fit_grid(
    estimator: Any, points: Sequence[Mapping[str, Any]], X: np.ndarray, weights: np.ndarray | None, seed: int
) -> list[Any]:
    def fit(i: int) -> Any:
        try:
            return fit_one(estimator, points[i], X, weights, seed)
        except Exception:
            # A model that needs two clusters is no reason not to ask whether there are any.
            if len(points) == 1 or size_of(configured(estimator, points[i], seed)) != 1 or not labels_rows(estimator):
                raise
            return OneCluster().fit(X, sample_weight=weights)

    return in_parallel(fit, len(points), "fits")


def fit_one(estimator: Any, point: Mapping[str, Any], X: np.ndarray, weights: np.ndarray | None, seed: int) -> Any:
    model = configured(estimator, point, seed)
    if size_of(model) == 0 and not predicts_entries(model):
        return Constant().fit(X, sample_weight=weights)
    given = {} if weights is None else dict.fromkeys(weight_keywords(estimator), weights)
    return model.fit(X, **given)


def configured(estimator: Any, point: Mapping[str, Any], seed: int) -> Any:
    """A clone with these settings; what would be random without a seed gets one."""
    model = clone(estimator).set_params(**point)
    parameters = model.get_params(deep=True)
    return model.set_params(**{name: seed for name in seed_parameters(model) if parameters[name] is None})


def lacks_one_cluster(estimator: Any, models: Sequence[Any]) -> bool:
    """Models that find their number themselves may all have found several: one cluster then joins the candidates."""
    return labels_rows(estimator) and size_parameter(estimator) is None and 1 not in map(size_of, models)
