"""What estimators with a dictionary share: reading signals with gaps, coding them, and turning codes back."""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.sparse_codes.encode import encode
from unmix.core.arguments import whole_number
from unmix.core.canonical import canonical
from unmix.shell.estimator import Estimator

METHODS = ("omp", "mp", "lasso")


class Coding(NamedTuple):
    """How rows are coded; see `unmix.algorithms.sparse_codes.encode.encode`."""

    method: str = "omp"
    n_nonzero: int | None = None
    tol: float | None = None
    alpha: float = 1.0
    sparse: bool = False
    relative_tol: float | None = None


class InDictionary(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of estimators with atoms in ``components_``; a subclass says how it codes in ``_coding()``."""

    def transform(self, X):
        """Codes Z (n, k) of the rows of X."""
        check_is_fitted(self)
        rows, coding = self._signals(X, reset=False), self._coding()
        return encode(rows, self.components_, gaps=not rows.sparse, **coding._asdict())

    def inverse_transform(self, X):
        """``Z U``: rows from their codes, dense or CSR."""
        check_is_fitted(self)
        codes = check_array(X, dtype=[np.float64, np.float32], accept_sparse="csr")
        if codes.shape[1] != len(self.components_):
            raise ValueError(f"codes have {codes.shape[1]} columns, expected {len(self.components_)}: one an atom")
        codes = canonical(codes) if hasattr(codes, "tocsr") else codes
        return codes @ self.components_.astype(codes.dtype)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _signals(self, X, reset):
        """Rows in blocks; NaN, entries that were not observed, are let through where rows are dense."""
        gaps = not hasattr(X, "tocsr")
        blocks = self._blocks(X, reset=reset, allow_nan=gaps)
        if reset and gaps and not blocks.reduce(count_observed).total:
            raise ValueError("Input X has no observed value: every entry is NaN")
        return blocks


class Count(NamedTuple):
    total: int


def count_observed(block, rows) -> Count:
    return Count(block.shape[0] if hasattr(block, "tocsr") else int(block.size - np.isnan(block).sum()))


def check_coding(coding: Coding, prefix: str = "") -> None:
    """Refuse what cannot be a way to code, by the name of the parameter."""
    method, n_nonzero, tol, alpha, _, relative_tol = coding
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; choose {', '.join(map(repr, METHODS))}")
    if n_nonzero is not None:
        whole_number("transform_n_nonzero_coefs" if prefix else "n_nonzero", n_nonzero, 1, ", or None")
    if tol is not None and not (isinstance(tol, Real) and 0 <= tol < np.inf):
        raise ValueError(f"{prefix}tol={tol!r}: give the largest norm of a residual, a number from 0 up, or None")
    if relative_tol is not None and not (isinstance(relative_tol, Real) and 0 <= relative_tol < 1):
        raise ValueError(
            f"{prefix}relative_tol={relative_tol!r}: give a share of the norm of a row, 0 up to 1, or None"
        )
    if tol is not None and relative_tol is not None:
        raise ValueError(
            f"{prefix}tol={tol!r} and {prefix}relative_tol={relative_tol!r} both say when a code ends; give one of them"
        )
    if not (isinstance(alpha, Real) and 0 < alpha < np.inf):
        raise ValueError(f"alpha={alpha!r}: give a number above 0; without a price, use method='omp'")
