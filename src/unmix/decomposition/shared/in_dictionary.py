"""What estimators with a dictionary share: reading signals with gaps, coding them, and turning codes back."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.algorithms.sparse_codes.encode import encode
from unmix.algorithms.sparse_codes.lasso import Price
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.core.canonical import canonical
from unmix.shell.estimator import Estimator
from unmix.shell.missing import check_missing, ignores_missing

PURSUITS = ("omp", "mp")
LASSOS = ("lasso_lars", "lasso_cd")  # one problem, one exact answer
ALGORITHMS = (*LASSOS, "lars", "omp", "threshold", "mp")
WITH_GAPS = (*PURSUITS, *LASSOS)


class InDictionary(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of estimators with atoms in ``components_`` and parameters ``transform_…`` that say how rows are coded."""

    alpha = 1.0  # the price of a code where `transform_alpha` is None
    output = "dense"

    def transform(self, X):
        """Codes Z (n, k) of the rows of X, or (n, 2 k) with ``split_sign``."""
        check_is_fitted(self)
        return self._encoded(self._signals(X, reset=False), self.components_)

    def inverse_transform(self, X):
        """``Z U``: rows from their codes, dense or CSR."""
        check_is_fitted(self)
        return self._decoded(X, self.components_)

    def _encoded(self, rows, atoms):
        check_coding(self)
        check_sign(self)
        tol = None if self.transform_tol is None else float(self.transform_tol)  # kernels take no endless integers
        stops = {"tol": tol, "relative_tol": self.transform_relative_tol}
        count, sparse, algorithm = self.transform_n_nonzero_coefs, self.output == "sparse", self.transform_algorithm
        if algorithm == "lars":
            codes = rows.map(least_angle_block, np.asarray(atoms, rows.dtype), count)
            codes = csr_array(codes) if sparse else codes
        elif algorithm in PURSUITS:
            codes = encode(rows, atoms, algorithm, n_nonzero=count, **stops, gaps=not rows.sparse, sparse=sparse)
        else:
            alpha = self.alpha if self.transform_alpha is None else self.transform_alpha
            method, price = "threshold" if algorithm == "threshold" else "lasso", self._price(alpha)
            codes = encode(rows, atoms, method, price=price, gaps=not rows.sparse, sparse=sparse)
        return split(codes) if self.split_sign else codes

    def _price(self, alpha):
        return Price(float(alpha), bool(self.positive_code), int(self.transform_max_iter), warn_unfinished)

    def _decoded(self, codes, atoms):
        codes = check_array(codes, dtype=[np.float64, np.float32], accept_sparse="csr")
        expected = len(atoms) * (2 if self.split_sign else 1)
        if codes.shape[1] != expected:
            raise ValueError(
                f"codes have one column for each atom{' and sign' if self.split_sign else ''}. Expected {expected}, "
                f"got {codes.shape[1]}."
            )
        codes = canonical(codes) if hasattr(codes, "tocsr") else codes
        if self.split_sign:
            codes = codes[:, : len(atoms)] - codes[:, len(atoms) :]
        return codes @ atoms.astype(codes.dtype)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._takes_gaps()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.components_) * (2 if self.split_sign else 1)

    def _takes_gaps(self) -> bool:
        check_missing(self)
        return ignores_missing(self) and self.transform_algorithm in WITH_GAPS

    def _signals(self, X, reset):
        """Rows in blocks; NaN, entries that were not observed, are let through where rows are dense."""
        gaps = not hasattr(X, "tocsr") and self._takes_gaps()
        blocks = self._blocks(X, reset=reset, allow_nan=gaps)
        if reset and gaps and not blocks.reduce(count_observed).total:
            raise ValueError("Input X has no observed value: every entry is NaN")
        return blocks


class Count(NamedTuple):
    total: int


def count_observed(block, rows) -> Count:
    return Count(block.shape[0] if hasattr(block, "tocsr") else int(block.size - np.isnan(block).sum()))


def split(codes: Any) -> Any:
    """Positive parts, and beside them negative ones."""
    if hasattr(codes, "tocsr"):
        from scipy.sparse import hstack

        return csr_array(hstack([codes.maximum(0), (-codes).maximum(0)]))
    return np.hstack([np.maximum(codes, 0), np.maximum(-codes, 0)])


def least_angle_block(block: Any, rows: Any, atoms: np.ndarray, n_nonzero: int | None) -> np.ndarray:
    """Codes by least angle regression: atoms join one by one, and the fit moves at equal angles to all that have."""
    from sklearn.linear_model import lars_path_gram

    k, d = atoms.shape
    steps = min(max(d // 10, 1) if n_nonzero is None else n_nonzero, k)
    gram = (atoms @ atoms.T).astype(np.float64)
    codes = np.zeros((block.shape[0], k), atoms.dtype)
    with np.errstate(all="ignore"):
        for i, shares in enumerate(np.asarray(block @ atoms.T, np.float64)):
            path = lars_path_gram(shares, gram, n_samples=d, max_iter=steps, method="lar", return_path=False)
            codes[i] = path[2]
    return codes


def warn_unfinished(count: int) -> None:
    """Told by the lasso."""
    message = f"{count} code(s) took transform_max_iter steps and are not at their best; raise transform_max_iter"
    warnings.warn(message, ConvergenceWarning, stacklevel=2)


def check_coding(model: Any) -> None:
    """Refuse what cannot be a way to code, by the name of the parameter."""
    one_of("transform_algorithm", model.transform_algorithm, ALGORITHMS)
    if model.transform_n_nonzero_coefs is not None:
        whole_number("transform_n_nonzero_coefs", model.transform_n_nonzero_coefs, 1, ", or None")
    check_stops(model.transform_tol, model.transform_relative_tol)
    for name in ("alpha", "transform_alpha"):
        if getattr(model, name) is not None or name == "alpha":
            zero_or_more(name, getattr(model, name))
    whole_number("transform_max_iter", model.transform_max_iter, 0)
    for name in ("split_sign", "positive_code"):
        check_flag(name, getattr(model, name))
    if model.n_jobs is not None and not isinstance(model.n_jobs, Integral):
        raise ValueError(f"n_jobs={model.n_jobs!r}: give a whole number or None; threads are those of unmix.execution")


def check_sign(model: Any) -> None:
    """When rows are coded, not before: atoms may be learned by codes of another kind."""
    if model.positive_code and model.transform_algorithm in ("lars", *PURSUITS):
        raise ValueError(
            f"Positive constraint not supported for '{model.transform_algorithm}' coding method. With "
            "positive_code=True give transform_algorithm='lasso_lars', 'lasso_cd' or 'threshold'"
        )


def check_stops(tol: Any, relative_tol: Any) -> None:
    if tol is not None and not (isinstance(tol, Real) and 0 <= tol < np.inf):
        raise ValueError(f"transform_tol={tol!r}: give the largest norm of a residual, a number from 0 up, or None")
    if relative_tol is not None and not (isinstance(relative_tol, Real) and 0 <= relative_tol < 1):
        raise ValueError(
            f"transform_relative_tol={relative_tol!r}: give a share of the norm of a row, 0 up to 1, or None"
        )
    if tol is not None and relative_tol is not None:
        raise ValueError(
            f"transform_tol={tol!r} and transform_relative_tol={relative_tol!r} both say when a code ends; "
            "give one of them"
        )


def check_flag(name: str, value: Any) -> None:
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name}={value!r}: give True or False")
