"""The data of a selection: checked, weighted, and drawn down to a size that can be judged."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array, get_tags

from unmix.core.blocks import LocalBlocks
from unmix.core.random import spawn
from unmix.io.given import names_files
from unmix.shell.data import none_if_ones
from unmix.shell.missing import remedy
from unmix.validation.fits.no_structure import predicts_entries
from unmix.validation.fits.refit import last_step
from unmix.validation.fits.sampled_rows import sample_rows, weight_keywords

FLOATS = [np.float64, np.float32]
MOST_CELLS = 50_000_000  # of a sparse table made dense


class Table(NamedTuple):
    """What the grid was fitted on: the data, weights of rows, how many rows there were before sampling."""

    X: np.ndarray
    weights: np.ndarray | None
    n_rows: int


def read_table(estimator: Any, X: Any) -> np.ndarray:
    if isinstance(X, np.ma.MaskedArray):  # what is masked is missing
        X = np.where(np.ma.getmaskarray(X), np.nan, np.asarray(X, dtype=np.float64)) if X.mask.any() else X.data
    if isinstance(X, PathLike) or names_files(X):
        from unmix.io.read import open_source

        X = LocalBlocks(open_source(X)).gather()
    if isinstance(X, Mapping):
        raise TypeError(f"X is a {type(X).__name__}, no table; read a file or make a table first, (n, d) numbers")
    if issparse(X):
        X = _known(X) if predicts_entries(estimator) else _dense(X)
    try:
        X = check_array(
            X, dtype=[np.float64, np.float32], ensure_all_finite=False, ensure_min_samples=2, input_name="X"
        )
    except ValueError as error:
        if "could not convert" not in str(error):
            raise
        raise ValueError(f"X holds text ({error}); turn such columns into numbers, or leave them out") from error
    bad = ~np.isfinite(X)
    if bad.any():
        missing = np.isnan(X)
        what = "missing values (NaN)" if missing.any() else "infinite values"
        first = estimator.steps[0][1] if last_step(estimator) is not estimator else estimator
        if (bad & ~missing).any() or not get_tags(first).input_tags.allow_nan:
            how = remedy(first) if missing.any() else "fill or drop them first"
            raise ValueError(f"X contains {what} in {bad.any(axis=1).sum()} of {len(X)} rows; {how}")
    return X


def _dense(X: Any) -> np.ndarray:
    """Criteria look at dense rows; a table that would not fit is refused before it is made."""
    cells = X.shape[0] * X.shape[1]
    if cells > MOST_CELLS:
        raise ValueError(
            f"X is sparse and would have {cells:,} entries when dense, which criteria need; give some of its rows, or "
            "fewer columns (TruncatedSVD)"
        )
    return X.toarray()


def _known(X: Any) -> np.ndarray:
    """Entries that are stored are known, also zeros, and all others missing."""
    stored = X.tocoo()
    table = _dense(X).astype(np.float64)
    known = np.zeros(table.shape, dtype=bool)
    known[stored.row, stored.col] = True
    return np.where(known, table, np.nan)


def read_weights(estimator: Any, sample_weight: Any, n: int) -> np.ndarray | None:
    if sample_weight is None:
        return None
    if not weight_keywords(estimator):
        raise TypeError(
            f"sample_weight was given, but the fit of {type(last_step(estimator)).__name__} takes none; "
            "repeat the rows instead, or choose another model"
        )
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight holds a value that is not a number ({error}); give {n} weights") from error
    if weights.shape != (n,) or not np.isfinite(weights).all() or (weights < 0).any() or not (weights > 0).any():
        raise ValueError(
            f"sample_weight has shape {weights.shape}; give {n} finite weights, none negative and not all zero"
        )
    if weights.sum() < 2:
        raise ValueError(
            f"sample_weight sums to {weights.sum():.3g}, and a weight says how often a row counts; "
            "multiply the weights so that they sum to the number of rows"
        )
    return none_if_ones(weights)


def most_rows(max_rows: Any) -> int:
    if isinstance(max_rows, bool) or not isinstance(max_rows, int | np.integer) or max_rows < 2:
        raise ValueError(f"max_rows={max_rows!r} is not a number of rows; give a whole number from 2 up")
    return int(max_rows)


def sampled(X: np.ndarray, weights: np.ndarray | None, max_rows: int, seed: int) -> Table:
    if len(X) <= max_rows:
        return Table(X, weights, len(X))
    rows = sample_rows(X, weights, int(max_rows), spawn(seed, 2**20))
    return Table(X[rows], None, len(X))  # rows were drawn as often as they count
