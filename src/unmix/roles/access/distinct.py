"""Users with the same permissions are one user to the search, permissions with the same holders one permission."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from unmix.roles.access.bits import from_pairs


class Reduced(NamedTuple):
    """Distinct, non-empty rows and columns: matrix[i, j] stands for all (u, p) with row[u] = i and column[p] = j."""

    matrix: sp.csr_array
    row: np.ndarray  # −1 where the user has no permission at all
    column: np.ndarray
    row_count: np.ndarray
    column_count: np.ndarray


def same_rows(matrix: sp.csr_array, labels: np.ndarray | None = None) -> np.ndarray:
    """Group number of each row, equal rows (with equal label) alike, −1 for empty ones; groups in order of appearance.

    Rows are compared by two 64-bit sums of random numbers, one per column, and the result is checked against the rows.
    """
    signs = np.random.default_rng(0).integers(0, 2**63, size=(matrix.shape[1], 2), dtype=np.uint64)
    sums = np.zeros((matrix.shape[0], 2), np.uint64)
    lengths = np.diff(matrix.indptr)
    filled = np.flatnonzero(lengths)
    if not filled.size:
        return np.full(matrix.shape[0], -1)
    sums[filled] = np.add.reduceat(signs[matrix.indices], matrix.indptr[filled], axis=0)
    keys = np.column_stack([sums, lengths.astype(np.uint64)])
    if labels is not None:
        keys = np.column_stack([keys, np.asarray(labels).astype(np.uint64)])
    _, first, inverse = np.unique(keys[filled], axis=0, return_index=True, return_inverse=True)
    place = np.empty(first.size, np.int64)
    place[np.argsort(first)] = np.arange(first.size)
    representative = matrix[filled[first[inverse.ravel()]]]
    differences: Any = representative != matrix[filled]
    if differences.nnz:  # 2⁻¹²⁸ for each pair of rows
        raise RuntimeError("Two different rows have the same 128-bit sum; please report these data.")
    groups = np.full(matrix.shape[0], -1)
    groups[filled] = place[inverse.ravel()]
    return groups


def distinct(
    matrix: sp.csr_array,
    row_labels: np.ndarray | None = None,
    column_labels: np.ndarray | None = None,
    *,
    merge_rows: bool = True,
    merge_columns: bool = True,
) -> Reduced:
    """Merges equal rows and equal columns; labels keep apart what must stay apart, unmerged ones stay as they are."""
    row = same_rows(matrix, row_labels) if merge_rows else np.arange(matrix.shape[0])
    transposed = sp.csr_array(matrix.T)
    transposed.sort_indices()
    column = same_rows(transposed, column_labels) if merge_columns else np.arange(matrix.shape[1])
    shape = (int(row.max(initial=-1)) + 1, int(column.max(initial=-1)) + 1)
    rows = np.repeat(row, np.diff(matrix.indptr))
    small = from_pairs(rows, column[matrix.indices], shape)
    counts = [np.bincount(groups[groups >= 0], minlength=size) for groups, size in zip((row, column), shape)]
    return Reduced(small, row, column, *counts)


def blocks(matrix: sp.csr_array) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows and columns of the connected components: no role spans two of them."""
    n, m = matrix.shape
    graph = sp.block_array([[None, matrix], [sp.csr_array((m, n), dtype=bool), None]], format="csr")
    _, label = connected_components(graph, directed=False)
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    return [(part[part < n], part[part >= n] - n) for part in parts]
