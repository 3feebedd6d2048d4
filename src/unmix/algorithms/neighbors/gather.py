"""Differences between points and their neighbours, a few points at a time, in no more columns than they need.

Sparse rows are written side by side in the columns that any row of their group uses. Inner products and distances
within the group are those of the full rows, and memory follows the entries, not the width of the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack


def is_sparse(rows: Any) -> bool:
    return hasattr(rows, "tocsr")


def difference_blocks(
    points: Any, queries: Any, groups: np.ndarray, entries: int
) -> Iterator[tuple[slice, np.ndarray]]:
    """Slices of the queries, and ``points[groups] - query`` (rows, g, columns) for each; some ``entries`` at a time."""
    m, g = groups.shape
    rows = max(1, entries // (g * max(g, _columns(points, g))))
    for start in range(0, m, rows):
        part = slice(start, min(m, start + rows))
        if is_sparse(points):
            yield part, _sparse_differences(points, queries[part], groups[part])
        else:
            yield part, points[groups[part]] - queries[part, None]


def _columns(rows: Any, g: int) -> int:
    """Columns that g + 1 rows take up together, at most."""
    if not is_sparse(rows):
        return int(rows.shape[1])
    return min(int(rows.shape[1]), (g + 1) * (int(np.diff(rows.indptr).max(initial=0)) + 1))


def _sparse_differences(points: Any, queries: Any, groups: np.ndarray) -> np.ndarray:
    m, g = groups.shape
    stacked = csr_array(vstack([queries, points[groups.ravel()]], format="csr"))
    group = np.repeat(np.concatenate([np.arange(m), np.repeat(np.arange(m), g)]), np.diff(stacked.indptr))
    # within a group the columns in use are numbered from 0, in their order
    width = stacked.shape[1]
    keys, number = np.unique(group.astype(np.int64) * width + stacked.indices, return_inverse=True)
    first = np.searchsorted(keys, np.arange(m, dtype=np.int64) * width)
    local = number.ravel() - first[group]
    table = csr_array((stacked.data, local, stacked.indptr), shape=(m + m * g, int(local.max(initial=0)) + 1)).toarray()
    return table[m:].reshape(m, g, -1) - table[:m, None]
