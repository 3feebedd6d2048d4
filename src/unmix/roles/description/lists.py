"""A sparse matrix as lists: where rows begin and their columns, of one type, so that a kernel is compiled once."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array


def lists(matrix: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where the rows of a CSR matrix (the columns of a CSC matrix) begin, and what stands in them."""
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)


def row_lists(matrix: csr_array) -> list[np.ndarray]:
    """The columns of each row; of a matrix without rows, none.

    >>> [row.tolist() for row in row_lists(of_lists([np.array([1, 2]), np.array([], int)], 3))]
    [[1, 2], []]
    >>> row_lists(of_lists([], 3))
    []
    """
    rows: list[np.ndarray] = np.split(matrix.indices, matrix.indptr[1:-1])
    return rows[: matrix.shape[0]]


def of_lists(rows: list[np.ndarray], width: int) -> csr_array:
    """The matrix of ones with these columns in its rows."""
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    columns = np.concatenate(rows) if rows else np.empty(0, np.intp)
    return csr_array((np.ones(starts[-1]), columns, starts), shape=(len(rows), width))
