"""What every estimator with X ≈ Z U shares: rows back from their codes, names of codes, and its tags."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.shell.estimator import Estimator


class LinearCode(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of estimators whose ``components_`` are U and whose ``transform`` gives Z."""

    def inverse_transform(self, X):
        """``Z U``: rows of the table from their codes."""
        codes = self._codes(X)
        return codes @ self.components_.astype(codes.dtype)

    def _codes(self, X):
        """Codes given by the user, one column a component."""
        check_is_fitted(self)
        codes = check_array(X, dtype=[np.float64, np.float32], ensure_min_features=0)
        if codes.shape[1] != len(self.components_):
            raise ValueError(f"codes have {codes.shape[1]} columns, expected {len(self.components_)}: one a component")
        return codes

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.components_)
