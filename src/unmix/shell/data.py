"""From whatever the user gives to row blocks: checked, named, and never copied without need."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data

from unmix.core.blocks import RowBlocks
from unmix.core.canonical import canonical
from unmix.io.dispatch import as_blocks, is_dask
from unmix.io.given import names_files
from unmix.io.in_memory.masked import unmasked
from unmix.shell.missing import remedy
from unmix.shell.no_numbers import refuse_no_numbers, refuse_same_names

FLOATS = [np.float64, np.float32]
MOST_WEIGHT = 1e100  # squares of weights are numbers, and times those of rows too


def to_blocks(
    estimator: Any,
    X: Any,
    *,
    reset: bool,
    allow_nan: bool = False,
    sparse: bool = True,
    min_rows: int = 1,
    finite: bool = True,
    zeros: bool = False,
) -> RowBlocks:
    """Check ``X`` as scikit-learn does and wrap it; sets ``n_features_in_`` and ``feature_names_in_`` on reset.

    With ``finite=False`` entries are not looked at: for a method whose own first pass finds what is not finite. With
    ``zeros`` the zeros that a sparse matrix stores stay: for a method to which an entry that is not stored is unknown.
    """
    if is_out_of_core(X):
        blocks = _check_out_of_core(estimator, X, reset, min_rows, sparse, zeros)
    else:
        dtype = _wanted_dtype(estimator, X, reset)
        X = _validated(estimator, _own_kind(X, zeros), reset, sparse, dtype=dtype, ensure_min_samples=min_rows)
        blocks = as_blocks(X, zeros=zeros)
    if finite:
        check_finite(estimator, blocks, allow_nan)
    return blocks


def to_array(estimator: Any, X: Any, *, reset: bool = True, allow_nan: bool = False, sparse: bool = False) -> Any:
    """Check ``X`` in the same way, for a method that needs all of it at once: an ndarray or CSR."""
    if is_out_of_core(X):
        X = _check_out_of_core(estimator, X, reset, 1, sparse).gather()
    else:
        X = _in_rows(_validated(estimator, X, reset, sparse, dtype=_wanted_dtype(estimator, X, reset=True)))
    check_finite(estimator, as_blocks(X), allow_nan)
    return X


def _validated(estimator: Any, X: Any, reset: bool, sparse: bool, **options: Any) -> Any:
    """scikit-learn's checks but for entries that are not finite, which `check_finite` finds on all threads."""
    accepted, X = "csr" if sparse else False, _native(unmasked(X))
    refuse_no_numbers(type(estimator).__name__, X)
    refuse_same_names(X)
    try:
        return validate_data(estimator, X, reset=reset, accept_sparse=accepted, ensure_all_finite=False, **options)
    except OverflowError:
        raise ValueError("Input X holds a whole number beyond floating point, which ends at 1.8e308.") from None
    except ValueError as error:
        if "could not convert string to float" not in str(error):
            raise
        text = str(error).partition("float: ")[2]
        raise ValueError(
            f"Input X holds text, such as {text}. {type(estimator).__name__} takes numbers only; leave such columns "
            f"out, or turn them into numbers first, with sklearn.preprocessing.OneHotEncoder for example."
        ) from None


def is_out_of_core(X: Any) -> bool:
    """Files or a dask collection: read block by block, never as a whole."""
    return names_files(X) or is_dask(X)


def _own_kind(X: Any, zeros: bool) -> Any:
    """What scikit-learn's own checks would take in silently or refuse in riddles."""
    if hasattr(X, "tocsr") and X.dtype.kind in "biu":
        return canonical(X, zeros=zeros)  # parts of an entry add up in their own type: true and true are true
    if isinstance(X, np.ndarray) and X.dtype == np.float16:
        return X.astype(np.float32)  # half precision holds too few digits for sums of squares
    return X


def _native(X: Any) -> Any:
    """Numbers in this machine's order of bytes, without which scikit-learn does not see single precision."""
    foreign = isinstance(X, np.ndarray) and X.dtype.kind == "f" and not X.dtype.isnative
    return X.astype(X.dtype.newbyteorder("=")) if foreign else X


def _wanted_dtype(estimator: Any, X: Any, reset: bool) -> Any:
    """New data are read in the precision of the fit, so that predict and labels_ agree to the bit."""
    fitted = None if reset else getattr(estimator, "_fit_dtype", None)
    if fitted is not None:
        return np.dtype(fitted)
    return np.float32 if _is_single_frame(X) else FLOATS


def _is_single_frame(X: Any) -> bool:
    """A polars frame of single precision, whose precision scikit-learn does not see."""
    kinds = X.dtypes if type(X).__module__.split(".")[0] == "polars" and hasattr(X, "rows") else []
    return bool(kinds) and all(str(kind) == "Float32" for kind in kinds)


def _in_rows(X: Any) -> Any:
    """Row after row and aligned, as frames are not: NumPy sums by columns in another order, with other last bits."""
    return X if hasattr(X, "tocsr") else np.require(X, requirements=["C", "A"])


def _check_out_of_core(
    estimator: Any, X: Any, reset: bool, min_rows: int, sparse: bool, zeros: bool = False
) -> RowBlocks:
    blocks = as_blocks(X, dtype=None if reset else getattr(estimator, "_fit_dtype", None), zeros=zeros)
    n, d = blocks.shape
    if n < min_rows or d == 0:
        raise ValueError(f"Found a table of {n} row(s) and {d} column(s); at least {min_rows} and 1 are needed.")
    if blocks.sparse and not sparse:
        raise TypeError("Sparse data was passed for X, but dense data is required; make its chunks dense first")
    _check_names(estimator, blocks, reset)
    return blocks


class _Sum(NamedTuple):
    total: float


class _Bad(NamedTuple):
    """Numbers of NaN and of infinite entries, by column."""

    nan: np.ndarray
    infinite: np.ndarray


@np.errstate(over="ignore", invalid="ignore")
def _sum_entries(block: Any, rows: Any) -> _Sum:
    return _Sum(float((block.data if hasattr(block, "tocsr") else block).sum()))


def _count_bad(block: Any, rows: Any) -> _Bad:
    if hasattr(block, "tocsr"):
        columns, d = block.indices, block.shape[1]
        return _Bad(*(np.bincount(columns[bad(block.data)], minlength=d) for bad in (np.isnan, np.isinf)))
    return _Bad(np.isnan(block).sum(axis=0), np.isinf(block).sum(axis=0))


def check_finite(estimator: Any, X: RowBlocks, allow_nan: bool) -> None:
    """NaN and infinity survive every sum, so one cheap pass finds whether there are any, and a second one where."""
    if np.isfinite(X.reduce(_sum_entries).total):
        return
    bad = X.reduce(_count_bad)
    for what, counts in (("infinity", bad.infinite), ("NaN", bad.nan)):
        if counts.any() and not (allow_nan and what == "NaN"):
            names = getattr(estimator, "feature_names_in_", None)
            first = int(np.flatnonzero(counts)[0])
            raise ValueError(
                f"Input X contains {what}: {int(counts.sum())} of {X.shape[0] * X.shape[1]} entries, the first in "
                f"column {first if names is None else repr(str(names[first]))}. {type(estimator).__name__} does not "
                f"accept {what}; {remedy(estimator) if what == 'NaN' else 'drop or fill those entries first'}."
            )


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
    weights = _weights_as_numbers(unmasked(sample_weight))
    if weights.shape != (n,):
        raise ValueError(f"sample_weight has shape {weights.shape}, expected ({n},): one weight a row")
    if not np.isfinite(weights).all():
        raise ValueError("sample_weight holds NaN or infinity; every weight must be a finite number")
    if (weights < 0).any():
        raise ValueError(f"sample_weight holds {int((weights < 0).sum())} negative weight(s); weights are 0 or more")
    if not weights.any():
        raise ValueError("sample_weight is zero everywhere; at least one row must count")
    if not 1 / MOST_WEIGHT <= (largest := float(weights.max())) <= MOST_WEIGHT:
        raise ValueError(
            f"sample_weight reaches {largest:.3g}, and sums of it lose all digits; divide it by a constant"
        )
    return none_if_ones(weights)


def _weights_as_numbers(sample_weight: Any) -> np.ndarray:
    given = np.asarray(sample_weight)
    if given.dtype.kind in "cmMV":
        raise ValueError(f"sample_weight holds values of type {given.dtype}; weights are numbers, one a row")
    try:
        return given.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"sample_weight holds what is no number ({error}); weights are numbers, one a row") from None


def none_if_ones(weights: np.ndarray) -> np.ndarray | None:
    """None where every row counts once, so that nothing is computed otherwise, to the bit."""
    return None if (weights == 1).all() else weights


def weighted_rows(X: RowBlocks, weights: np.ndarray | None) -> tuple[RowBlocks, np.ndarray | None]:
    """The rows of weight above 0, read where they lie, and their weights; None where all of them count once.

    A row without weight is then absent in every bit: from scales, samples, starts and the order of sums.
    """
    if weights is None:
        return X, None
    if weights.all():
        return X, none_if_ones(weights)
    chosen = np.flatnonzero(weights)
    return X.select(chosen), none_if_ones(weights[chosen])
