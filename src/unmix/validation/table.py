"""The data of a selection: checked, weighted, and drawn down to a size that can be judged."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_array, get_tags

from unmix.core.random import spawn
from unmix.validation.judged import sample_rows, weight_keywords
from unmix.validation.refit import last_step


class Table(NamedTuple):
    """What the grid was fitted on: the data, weights of rows, how many rows there were before sampling."""

    X: np.ndarray
    weights: np.ndarray | None
    n_rows: int


def read_table(estimator: Any, X: Any) -> np.ndarray:
    X = check_array(X, dtype=[np.float64, np.float32], ensure_all_finite=False, ensure_min_samples=2, input_name="X")
    bad = ~np.isfinite(X)
    if bad.any():
        missing = np.isnan(X)
        what = "missing values (NaN)" if missing.any() else "infinite values"
        first = estimator.steps[0][1] if last_step(estimator) is not estimator else estimator
        if (bad & ~missing).any() or not get_tags(first).input_tags.allow_nan:
            raise ValueError(f"X contains {what} in {bad.any(axis=1).sum()} of {len(X)} rows; fill or drop them first")
    return X


def read_weights(estimator: Any, sample_weight: Any, n: int) -> np.ndarray | None:
    if sample_weight is None:
        return None
    if not weight_keywords(estimator):
        raise TypeError(
            f"sample_weight was given, but the fit of {type(last_step(estimator)).__name__} takes none; "
            "repeat the rows instead, or choose another model"
        )
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,) or not np.isfinite(weights).all() or (weights < 0).any() or not (weights > 0).any():
        raise ValueError(
            f"sample_weight has shape {weights.shape}; give {n} finite weights, none negative and not all zero"
        )
    return weights


def sampled(X: np.ndarray, weights: np.ndarray | None, max_rows: int, seed: int) -> Table:
    if isinstance(max_rows, bool) or not isinstance(max_rows, int | np.integer) or max_rows < 2:
        raise ValueError(f"max_rows={max_rows!r} is not a number of rows; give a whole number from 2 up")
    if len(X) <= max_rows:
        return Table(X, weights, len(X))
    rows = sample_rows(X, weights, int(max_rows), spawn(seed, 2**20))
    return Table(X[rows], None, len(X))  # rows were drawn as often as they count
