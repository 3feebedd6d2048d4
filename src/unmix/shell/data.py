"""From whatever the user gives to row blocks: checked, named, and never copied without need."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data

from unmix.core.blocks import RowBlocks
from unmix.core.dispatch import as_blocks, is_dask

FLOATS = [np.float64, np.float32]


def to_blocks(
    estimator: Any, X: Any, *, reset: bool, allow_nan: bool = False, sparse: bool = True, min_rows: int = 1
) -> RowBlocks:
    """Check ``X`` as scikit-learn does and wrap it; sets ``n_features_in_`` and ``feature_names_in_`` on reset."""
    if is_out_of_core(X):
        return _check_out_of_core(estimator, X, reset, allow_nan, min_rows)
    X = validate_data(
        estimator,
        _own_kind(X),
        reset=reset,
        accept_sparse="csr" if sparse else False,
        dtype=_wanted_dtype(estimator, reset),
        ensure_all_finite="allow-nan" if allow_nan else True,
        ensure_min_samples=min_rows,
    )
    return as_blocks(X)


def is_out_of_core(X: Any) -> bool:
    """A path or a dask collection: read block by block, never as a whole."""
    return isinstance(X, str | Path) or is_dask(X)


def _own_kind(X: Any) -> Any:
    """What scikit-learn's own checks would take in silently or refuse in riddles."""
    if isinstance(X, np.ndarray) and X.dtype == np.float16:
        return X.astype(np.float32)  # half precision holds too few digits for sums of squares
    return X


def _wanted_dtype(estimator: Any, reset: bool) -> Any:
    """New data are read in the precision of the fit, so that predict and labels_ agree to the bit."""
    fitted = None if reset else getattr(estimator, "_fit_dtype", None)
    return FLOATS if fitted is None else np.dtype(fitted)


class _Check(NamedTuple):
    n_nan: int
    n_inf: int


def _count_bad(block: Any, rows: Any) -> _Check:
    values = block.data if hasattr(block, "tocsr") else block
    if np.isfinite(values.sum(dtype=np.float64)):  # the usual case, without a mask
        return _Check(0, 0)
    return _Check(int(np.isnan(values).sum()), int(np.isinf(values).sum()))


def _check_out_of_core(estimator: Any, X: Any, reset: bool, allow_nan: bool, min_rows: int) -> RowBlocks:
    blocks = as_blocks(X, dtype=None if reset else getattr(estimator, "_fit_dtype", None))
    n, d = blocks.shape
    if n < min_rows or d == 0:
        raise ValueError(
            f"Found a table of {n} row(s) and {d} column(s); at least {min_rows} and 1 are needed."
        )
    _check_names(estimator, blocks, reset)
    bad = blocks.reduce(_count_bad)
    if bad.n_inf or (bad.n_nan and not allow_nan):
        what = "infinity" if bad.n_inf else "NaN"
        raise ValueError(
            f"Input X contains {what} ({bad.n_inf or bad.n_nan} of {n * d} entries). "
            f"{type(estimator).__name__} does not accept it; drop or fill those entries first."
        )
    return blocks


def _check_names(estimator: Any, blocks: RowBlocks, reset: bool) -> None:
    if blocks.names is None:
        placeholder: Any = np.empty((1, blocks.shape[1]))
    else:
        import polars

        placeholder = polars.DataFrame({name: [0.0] for name in blocks.names})
    _check_feature_names(estimator, placeholder, reset=reset)
    _check_n_features(estimator, placeholder, reset=reset)


def check_weights(sample_weight: Any, X: RowBlocks) -> np.ndarray | None:
    """Weights as float64, one a row; None where none were given."""
    if sample_weight is None:
        return None
    n = X.shape[0]
    if np.isscalar(sample_weight):
        sample_weight = np.full(n, sample_weight)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n},): one weight a row")
    if not np.isfinite(weights).all():
        raise ValueError("sample_weight holds NaN or infinity; every weight must be a finite number")
    if (weights < 0).any():
        raise ValueError(f"sample_weight holds {int((weights < 0).sum())} negative weight(s); weights are 0 or more")
    if not weights.any():
        raise ValueError("sample_weight is zero everywhere; at least one row must count")
    return weights
