"""The models of no structure at all: every row in one cluster, every row at the mean.

They stand in where a model cannot be asked for one cluster or for rank 0, so that "nothing" is always a candidate.

rank 0:  x ~ N(u, σ² I),  u the column means, σ² the mean variance: probabilistic PCA without components
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from unmix.shell.data import to_array


class OneCluster(BaseEstimator):
    """All rows in cluster 0, at their mean: what stands in for a clusterer that cannot be asked for one cluster.

    Missing values (NaN) are left out.

    Attributes
    ----------
    n_clusters : 1
        Its size, which is no choice.
    cluster_centers_ : (1, d), the mean of the entries that are there
    labels_ : (n,), zeros
    inertia_ : Σ_i w_i |x_i - u|²

    Examples
    --------
    >>> OneCluster().fit([[0.0], [2.0]]).cluster_centers_
    array([[1.]])
    """

    n_clusters = 1

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> OneCluster:
        X = _table(self, X, reset=True)
        self.labels_ = np.zeros(len(X), dtype=np.int32)
        X, weights = _counted(X, sample_weight)
        self.cluster_centers_ = _mean(X, weights)[None]
        with np.errstate(over="ignore"):  # of 1e300 it is infinite
            self.inertia_ = float(np.nansum(weights[:, None] * (X - self.cluster_centers_) ** 2))
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        return self.fit(X, y, sample_weight).labels_

    def predict(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return np.zeros(len(_table(self, X)), dtype=np.int32)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class Constant(TransformerMixin, BaseEstimator):
    """Rank 0: codes without columns, every row rebuilt as the column means; the density is N(u, σ² I).

    The model every other has to beat. Missing values (NaN) are left out; one pass over the table.

    Attributes
    ----------
    n_components : 0
        Its size, which is no choice.
    mean_ : (d,), the column means
    components_ : (0, d)
    noise_variance_ : σ², the mean variance of the columns
    n_parameters_ : d + 1, for `BIC` and the like

    Examples
    --------
    >>> model = Constant().fit([[0.0, 1.0], [2.0, 3.0]])
    >>> model.inverse_transform(model.transform([[5.0, 5.0]]))
    array([[1., 2.]])
    """

    n_components = 0

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Constant:
        X, weights = _counted(_table(self, X, reset=True), sample_weight)
        self.mean_ = _mean(X, weights)
        self.components_ = np.zeros((0, X.shape[1]), dtype=X.dtype)
        self.noise_variance_, self.log_noise_variance_ = variance_of(X - self.mean_, weights[:, None] * ~np.isnan(X))
        self.n_parameters_ = X.shape[1] + 1
        return self

    def transform(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return np.zeros((len(_table(self, X)), 0), dtype=self.mean_.dtype)

    def inverse_transform(self, Z: Any) -> np.ndarray:
        check_is_fitted(self)
        return np.tile(self.mean_, (len(Z), 1))

    def score_samples(self, X: Any) -> np.ndarray:
        """log N(x; u, σ² I) of the entries that are there."""
        check_is_fitted(self)
        return log_normal(_table(self, X) - self.mean_, self.log_noise_variance_)

    def score(self, X: Any, y: Any = None) -> float:
        with np.errstate(over="ignore"):  # the density of a row very far out is 0
            return float(self.score_samples(X).mean())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


ColumnMeans = Constant  # what it is called where it is the model to beat


def variance_of(residual: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Mean square of the entries that are there (weights of the same shape), and its logarithm, which squares of 1e300
    do not overflow.
    """
    scale = float(np.nanmax(np.abs(residual), initial=0.0)) or 1.0
    share = float(np.nansum(weight * (residual / scale) ** 2) / max(weight.sum(), np.finfo(float).tiny))
    logarithm = float(np.log(share) + 2 * np.log(scale)) if share > 0 else float(np.log(np.finfo(float).tiny))
    with np.errstate(over="ignore"):
        return float(np.square(np.sqrt(share) * scale)), logarithm


def log_normal(residual: np.ndarray, log_variance: float) -> np.ndarray:
    """log N(residual; 0, σ² I) of the entries of each row that are there."""
    with np.errstate(over="ignore"):  # the density of a row very far out is 0
        square = (residual * np.exp(-0.5 * log_variance)) ** 2
        return -0.5 * np.nansum(square + log_variance + np.log(2 * np.pi), axis=1)


def labels_rows(estimator: Any) -> bool:
    """Whether a model sorts rows into clusters; a decomposition does not."""
    return not predicts_entries(estimator) and (hasattr(estimator, "fit_predict") or hasattr(estimator, "predict"))


def predicts_entries(estimator: Any) -> bool:
    """Whether `predict` tells the entries of the table, known and unknown; such a model says so by this name.

    Rank 0 then is a setting of its own: what it tells without components.
    """
    return bool(getattr(estimator, "predicts_entries", False))


def _table(estimator: Any, X: Any, reset: bool = False) -> np.ndarray:
    return to_array(estimator, X, reset=reset, allow_nan=True)


def _counted(X: np.ndarray, sample_weight: Any) -> tuple[np.ndarray, np.ndarray]:
    """The rows of weight above 0, and their weights."""
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return X[weights > 0], weights[weights > 0]


def _mean(X: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted column means over the entries that are there."""
    known = weights[:, None] * ~np.isnan(X)
    return (np.nansum(known * X, axis=0) / np.maximum(known.sum(axis=0), np.finfo(float).tiny)).astype(X.dtype)
