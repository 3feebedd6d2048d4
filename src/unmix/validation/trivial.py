"""The models of no structure at all: every row in one cluster, every row at the mean.

They stand in where a model cannot be asked for one cluster or for rank 0, so that "nothing" is always a candidate.

rank 0:  x ~ N(u, σ² I),  u the column means, σ² the mean variance: probabilistic PCA without components
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin


class OneCluster(ClusterMixin, BaseEstimator):
    """All rows in cluster 0, at their mean: what stands in for a clusterer that cannot be asked for one cluster.

    Parameters
    ----------
    n_clusters : 1
        Its size; no other is possible.

    Attributes
    ----------
    cluster_centers_ : (1, d), the mean of the entries that are there
    labels_ : (n,), zeros
    inertia_ : Σ_i w_i |x_i - u|²

    Examples
    --------
    >>> OneCluster().fit([[0.0], [2.0]]).cluster_centers_
    array([[1.]])
    """

    def __init__(self, n_clusters: int = 1) -> None:
        self.n_clusters = n_clusters

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> OneCluster:
        X = _table(X)
        self.cluster_centers_ = _mean(X, sample_weight)[None]
        self.labels_ = np.zeros(len(X), dtype=np.int32)
        with np.errstate(over="ignore"):  # of 1e300 it is infinite
            self.inertia_ = float(np.nansum(_weights(X, sample_weight)[:, None] * (X - self.cluster_centers_) ** 2))
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.zeros(len(X), dtype=np.int32)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class Constant(TransformerMixin, BaseEstimator):
    """Rank 0: codes without columns, every row rebuilt as the column means; the density is N(u, σ² I).

    The model every other has to beat. Missing values (NaN) are left out; one pass over the table.

    Parameters
    ----------
    n_components : 0
        Its size; no other is possible.

    Attributes
    ----------
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

    def __init__(self, n_components: int = 0) -> None:
        self.n_components = n_components

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Constant:
        if self.n_components != 0:
            raise ValueError(f"n_components={self.n_components!r}: the column means have 0")
        X = _table(X)
        self.mean_ = _mean(X, sample_weight)
        self.components_ = np.zeros((0, X.shape[1]), dtype=X.dtype)
        weights = _weights(X, sample_weight)[:, None] * ~np.isnan(X)
        self.noise_variance_, self.log_noise_variance_ = variance_of(X - self.mean_, weights)
        self.n_parameters_ = X.shape[1] + 1
        return self

    def transform(self, X: Any) -> np.ndarray:
        return np.zeros((len(X), 0), dtype=self.mean_.dtype)

    def inverse_transform(self, Z: Any) -> np.ndarray:
        return np.tile(self.mean_, (len(Z), 1))

    def score_samples(self, X: Any) -> np.ndarray:
        """log N(x; u, σ² I) of the entries that are there."""
        return log_normal(_table(X) - self.mean_, self.log_noise_variance_)

    def score(self, X: Any, y: Any = None) -> float:
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
    unit = residual * np.exp(-0.5 * log_variance)
    return -0.5 * np.nansum(unit**2 + log_variance + np.log(2 * np.pi), axis=1)


def labels_rows(estimator: Any) -> bool:
    """Whether a model sorts rows into clusters; a decomposition does not."""
    return hasattr(estimator, "fit_predict") or hasattr(estimator, "predict")


def _table(X: Any) -> np.ndarray:
    X = np.asarray(X)
    return X if X.dtype.kind == "f" else X.astype(np.float64)


def _weights(X: np.ndarray, sample_weight: Any) -> np.ndarray:
    return np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)


def _mean(X: np.ndarray, sample_weight: Any) -> np.ndarray:
    """Weighted column means over the entries that are there."""
    weights = _weights(X, sample_weight)[:, None] * ~np.isnan(X)
    return (np.nansum(weights * X, axis=0) / np.maximum(weights.sum(axis=0), np.finfo(float).tiny)).astype(X.dtype)
