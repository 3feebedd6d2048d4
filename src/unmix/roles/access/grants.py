"""Who has what as 0 and 1: entries cut at a threshold, equal users joined and counted."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

ROWS_AT_ONCE = 4096
DEFAULT_THRESHOLD = 0.5


def is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr")


def without_duplicates(X: Any) -> Any:
    """A sparse matrix whose entries stand once: of 0 and 1, a grant given twice is a grant; other values are added.

    >>> twice = csr_array(([1, 1, 1], [0, 0, 1], [0, 3]), shape=(1, 2))
    >>> without_duplicates(twice).toarray()
    array([[1, 1]])
    """
    if is_sparse(X) and X.format in ("csr", "csc"):
        _inside(X)
    if not is_sparse(X) or (X.format == "csr" and X.has_canonical_format):
        return X
    zero_one = bool(np.isin(X.data, (0, 1)).all()) if X.format in ("csr", "csc", "coo") else False
    wide = X if X.dtype.kind in "bfc" else X.astype(np.int64)  # small whole numbers would overflow
    found = wide.tocsr(copy=True)
    found.sum_duplicates()
    if zero_one and found.dtype != bool:
        np.minimum(found.data, 1, out=found.data)
    return found


def _inside(X: Any) -> None:
    """Compiled loops index by what a sparse matrix says, which is not checked when one is made from its arrays."""
    try:
        X.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"The sparse matrix of shape {X.shape} is damaged: {error}; build it anew.") from None


class Grants(NamedTuple):
    """Distinct rows (ndarray or CSR of 0.0 and 1.0) in a fixed order, their weights, and where each user's row is."""

    rows: Any
    weights: np.ndarray
    place: np.ndarray

    @property
    def counted(self) -> tuple[Any, np.ndarray]:
        """The rows of weight above zero: what is learnt from."""
        used = self.weights > 0
        return (self.rows, self.weights) if used.all() else (self.rows[used], self.weights[used])


def to_zero_one(X: Any, threshold: float | None, names: Any = None) -> Any:
    """Entries above the threshold as 1.0, others 0.0; without a threshold, values other than 0 and 1 are reported."""
    X = without_duplicates(X)
    values = X.data if is_sparse(X) else X
    if threshold is None:
        odd = (values != 0) & (values != 1)
        if odd.any():
            _warn_of_values(X, odd, names)
    cut = DEFAULT_THRESHOLD if threshold is None else threshold
    if is_sparse(X):
        kept = csr_array(((values > cut).astype(np.float64), X.indices, X.indptr), shape=X.shape, copy=True)
        kept.eliminate_zeros()
        kept.sort_indices()
        return kept
    return (values > cut).astype(np.float64)


def _warn_of_values(X: Any, odd: np.ndarray, names: Any) -> None:
    if is_sparse(X):
        first = int(np.flatnonzero(odd)[0])
        column, value = int(X.indices[first]), X.data[first]
    else:
        row, column = (int(i) for i in np.argwhere(odd)[0])
        value = X[row, column]
    name = column if names is None else repr(str(names[column]))
    warnings.warn(
        f"X holds {int(odd.sum())} value(s) other than 0 and 1, the first {value:g} in column {name}; values above "
        f"{DEFAULT_THRESHOLD} are read as granted. Give 0 and 1, or a threshold above which entries are grants.",
        UserWarning,
        stacklevel=6,
    )


def pack(rows: Any) -> np.ndarray:
    """Rows as bits, eight permissions a byte."""
    pieces = [np.packbits(dense > 0, axis=1) for dense in dense_pieces(rows)]
    return np.concatenate(pieces) if pieces else np.empty((0, (rows.shape[1] + 7) // 8), np.uint8)


def dense_pieces(rows: Any) -> Any:
    for begin in range(0, rows.shape[0], ROWS_AT_ONCE):
        piece = rows[begin : begin + ROWS_AT_ONCE]
        yield piece.toarray() if is_sparse(piece) else piece


def join_equal(rows: Any, weights: np.ndarray | None) -> Grants:
    """Equal rows once, with the sum of their weights: a row of weight 2 is then the row twice, to the last bit."""
    packed = np.ascontiguousarray(pack(rows))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    place = place.ravel()
    weight = np.bincount(place, weights=weights, minlength=len(first)).astype(np.float64)
    return Grants(rows[first], weight, place)
