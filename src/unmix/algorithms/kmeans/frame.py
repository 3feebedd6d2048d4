"""The frame of a data set: where most rows are at the origin, and a power of two as scale if squares need one.

The origin is the median, column by column, of rows picked evenly from all. The mean would follow a single far row, and
all others would lose digits when they are moved by it.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.centers import Frame, frame_around

PICKED = 256  # rows, or one a leaf if there are more leaves


class Look(NamedTuple):
    """The largest magnitude, and some rows with the weight that each stands for."""

    largest: float
    rows: np.ndarray
    weights: np.ndarray

    def merge(self, other: "Look") -> "Look":
        rows, weights = np.concatenate([self.rows, other.rows]), np.concatenate([self.weights, other.weights])
        return Look(max(self.largest, other.largest), rows, weights)


class Largest(NamedTuple):
    value: float

    def merge(self, other: "Largest") -> "Largest":
        return Largest(max(self.value, other.value))


def find_scale(X: RowBlocks, weights: np.ndarray | None) -> Frame:
    """A frame that only scales, for rows that come one by one and have no middle yet."""
    return frame_around(np.zeros(X.shape[1]), X.reduce(largest_magnitude, rows=weights).value, X.dtype)


def find_frame(X: RowBlocks, weights: np.ndarray | None) -> Frame:
    """The middle in the origin (sparse rows are not moved), and a scale if squares would overflow or vanish."""
    if X.sparse:
        return find_scale(X, weights)
    look = X.reduce(look_at, max(1, PICKED // X.n_leaves), rows=weights)
    return frame_around(middle_of(look.rows, look.weights), look.largest, X.dtype)


def find_middle(X: RowBlocks, weights: np.ndarray | None) -> np.ndarray:
    """The median of each column, of rows picked evenly."""
    look = X.reduce(look_at, max(1, PICKED // X.n_leaves), rows=weights)
    return middle_of(look.rows, look.weights)


def largest_magnitude(block: Any, weights: np.ndarray | None) -> Largest:
    rows = block if weights is None or weights.all() else block[weights > 0]
    values = rows.data if hasattr(rows, "tocsr") else rows
    return Largest(max(float(values.max()), -float(values.min())) if values.size else 0.0)


def look_at(block: np.ndarray, weights: np.ndarray | None, count: int) -> Look:
    """`count` rows in the middles of equal slices of the weight of a leaf."""
    n = block.shape[0]
    largest = largest_magnitude(block, weights).value
    if weights is None:
        size = min(n, count)
        return Look(largest, block[((np.arange(size) + 0.5) * n / size).astype(np.intp)], np.full(size, n / size))
    total = np.cumsum(weights)
    if not total[-1] > 0:
        return Look(largest, block[:0], weights[:0])
    size = min(int((weights > 0).sum()), count)
    chosen = np.searchsorted(total, (np.arange(size) + 0.5) / size * total[-1], side="right")
    return Look(largest, block[chosen], np.full(size, total[-1] / size))


def middle_of(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The lower weighted median of each column, a value that is there; gaps (NaN) do not count."""
    columns = np.ascontiguousarray(rows.T, np.float64)
    order = np.argsort(columns, axis=1, kind="stable")  # gaps come last
    rising = np.take_along_axis(columns, order, axis=1)
    passed = np.cumsum(np.where(np.isnan(rising), 0.0, weights[order]), axis=1)
    at = (passed < 0.5 * passed[:, -1:] * (1 - 1e-12)).sum(axis=1)
    return np.nan_to_num(rising[np.arange(len(rising)), at], nan=0.0)
