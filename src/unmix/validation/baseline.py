"""Nothing found: every row is the mean of the columns, with round noise. Rank 0, or one cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from unmix.validation.trivial import log_normal, variance_of


class ColumnMeans(TransformerMixin, BaseEstimator):
    """The model every other has to beat: x = mean + noise N(0, σ² I), codes of no columns.

    Missing values (NaN) are left out of the means. One pass over the table.

    Parameters
    ----------
    n_components : 0
        Its size; no other is possible.

    Attributes
    ----------
    mean_ : (d,), the column means
    noise_variance_ : σ², the mean square of what they leave

    Examples
    --------
    >>> model = ColumnMeans().fit(np.array([[0.0, 2.0], [2.0, 4.0]]))
    >>> model.inverse_transform(model.transform(np.zeros((1, 2))))
    array([[1., 3.]])
    """

    def __init__(self, n_components: int = 0) -> None:
        self.n_components = n_components  # its size; no other is possible

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ColumnMeans:
        if self.n_components != 0:
            raise ValueError(f"n_components={self.n_components!r}: the column means have 0")
        X = np.asarray(X, dtype=np.float64)
        weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        seen = weight[:, None] * ~np.isnan(X)
        self.mean_ = np.nansum(seen * np.nan_to_num(X), axis=0) / np.maximum(seen.sum(axis=0), 1e-300)
        self.noise_variance_, self.log_noise_variance_ = variance_of(X - self.mean_, seen)
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: Any) -> np.ndarray:
        return np.empty((len(X), 0))

    def inverse_transform(self, X: Any) -> np.ndarray:
        return np.tile(self.mean_, (len(X), 1))

    def score_samples(self, X: Any) -> np.ndarray:
        """Log-likelihood of what was observed of each row."""
        X = np.asarray(X, dtype=np.float64)
        return log_normal(X - self.mean_, self.log_noise_variance_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
