"""The known entries of a table, held by rows and by columns, because both are solved for in turn.

An entry that is not stored is unknown; a stored zero is a zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp


class Entries(NamedTuple):
    """Compressed rows: row r has the entries indptr[r] to indptr[r + 1]."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray

    @property
    def n_rows(self) -> int:
        return len(self.indptr) - 1


class Observed(NamedTuple):
    shape: tuple[int, int]
    by_row: Entries
    by_column: Entries


def observe(X: Any) -> Observed:
    """Of an array the entries that are not NaN, of a sparse matrix those that are stored and not NaN."""
    if isinstance(X, np.ndarray):
        rows, columns = np.nonzero(~np.isnan(X))
        return from_triples(rows, columns, X[rows, columns], X.shape)
    table = sp.coo_array(X)
    there = ~np.isnan(table.data)
    return from_triples(table.row[there], table.col[there], table.data[there], X.shape)


def from_triples(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> Observed:
    values = np.asarray(values, np.float64)
    by_row = _compress(rows, columns, values, shape[0])
    return Observed((int(shape[0]), int(shape[1])), by_row, _compress(columns, rows, values, shape[1]))


def with_weight(X: Observed, weights: np.ndarray) -> tuple[Observed, np.ndarray]:
    """The rows of weight above 0 and their weights, as if the others had never been given."""
    counting = weights > 0
    if counting.all():
        return X, weights
    there = counting[row_of_each(X.by_row)]
    rows = (np.cumsum(counting) - 1)[row_of_each(X.by_row)[there]]
    shape = (int(counting.sum()), X.shape[1])
    return from_triples(rows, X.by_row.indices[there], X.by_row.values[there], shape), weights[counting]


def _compress(major: np.ndarray, minor: np.ndarray, values: np.ndarray, n: int) -> Entries:
    order = np.lexsort((minor, major))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=n))])
    return Entries(indptr.astype(np.int64), minor[order].astype(np.int64), values[order])


def row_of_each(entries: Entries) -> np.ndarray:
    """The row number of every entry."""
    return np.repeat(np.arange(entries.n_rows), np.diff(entries.indptr))
