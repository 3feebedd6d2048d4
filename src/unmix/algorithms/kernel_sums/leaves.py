"""Rows in the order of a k-d tree, cut into leaves of equal size with a bounding box each.

SciPy's balanced tree halves at medians, so 2^levels equal cuts of its order fall on its nodes. It would not cut between
equal values, so it is shown rows moved apart by a billionth of the extent of most of them; that of all may be made by
one far row, and would mix up the others. Boxes are taken from the rows themselves and hold them in any case. What is
missing to equal sizes is filled up with copies of the last row, which weigh nothing.
Reference: Bentley, Multidimensional binary search trees used for associative searching, Comm. ACM 18 (1975).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.kernel_sums.grid.extent import extent

GOLDEN, TINY = 0.6180339887498949, 1e-9
SAMPLE_ROWS = 1024  # rows from which the extent of most is told
ROWS = 64  # wanted in a leaf: enough to fill registers, few enough for a tight box


class Leaves(NamedTuple):
    """Groups of neighbouring rows."""

    order: np.ndarray  # (leaves, size) row numbers; from n upwards they are copies that fill up
    points: np.ndarray  # (leaves, size, d)
    low: np.ndarray  # (leaves, d) corners of the boxes
    high: np.ndarray

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Values of the rows (n,) in the order of the leaves, (leaves, size), 0 for what fills up."""
        out = np.zeros(self.order.size)
        real = self.order.ravel() < len(values)
        out[real] = values[self.order.ravel()[real]]
        return out.reshape(self.order.shape)

    def scale(self, factor: float) -> Leaves:
        """The same leaves with all coordinates multiplied."""
        return Leaves(self.order, self.points * factor, self.low * factor, self.high * factor)

    def collect(self, values: np.ndarray, n: int) -> np.ndarray:
        """Back from (leaves, size, ...) to the order of the n rows."""
        out = np.empty((n, *values.shape[2:]), values.dtype)
        order = self.order.ravel()
        real = order < n
        out[order[real]] = values.reshape(order.size, *values.shape[2:])[real]
        return out


def make_leaves(points: np.ndarray, levels: int, multiple: int = 1) -> Leaves:
    """2^levels leaves of the points (n, d), their size a multiple of a number; with levels = 0 in the order given."""
    n = len(points)
    leaves = 2**levels
    size = -(-n // (leaves * multiple)) * multiple
    missing = leaves * size - n
    rows = np.concatenate([points, np.repeat(points[-1:], missing, axis=0)]) if missing else points
    order = np.arange(leaves * size)
    if levels:
        from scipy.spatial import cKDTree

        apart = rows + np.outer(np.modf(order * GOLDEN)[0] * TINY, common_extent(rows))
        order = cKDTree(apart, leafsize=size, balanced_tree=True, compact_nodes=False).indices
    order = order.reshape(leaves, size)
    cut = rows[order] if levels else rows[None]
    return Leaves(order, cut, *extent(cut))


def common_extent(rows: np.ndarray) -> np.ndarray:
    """Of the middle half of some of the rows, along each axis; of more of them, or all, where these are equal."""
    some = np.sort(rows[:: max(1, len(rows) // SAMPLE_ROWS)], axis=0)
    whole = np.ptp(rows, axis=0)
    for outer in (len(some) // 32, len(some) // 4):
        middle = some[-1 - outer] - some[outer]
        whole = np.where(middle > 0, middle, whole)
    return whole


def levels_for(n: int, other: int) -> int:
    """Levels that leave about ROWS rows in a leaf, fewer where there is too little to be done with them.

    A level costs about as much as summing over all rows for a few dozen rows of the other side.
    """
    return min(((n - 1) // ROWS).bit_length(), (other // ROWS).bit_length())
