"""The frame of a data set: its mean at the origin, and a power of two as scale if squares need one."""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.nearest import Frame, frame_around


class Moments(NamedTuple):
    sums: np.ndarray
    mass: float


class Largest(NamedTuple):
    value: float

    def merge(self, other: "Largest") -> "Largest":
        return Largest(max(self.value, other.value))


def find_scale(X: RowBlocks, weights: np.ndarray | None) -> Frame:
    """A frame that only scales, for rows that come one by one and have no mean yet."""
    return frame_around(np.zeros(X.shape[1]), X.reduce(largest_magnitude, rows=weights).value, X.dtype)


def find_frame(X: RowBlocks, weights: np.ndarray | None) -> Frame:
    """The mean in the origin (sparse rows are not moved), and a scale if squares would overflow or vanish."""
    frame = find_scale(X, weights)
    if X.sparse:
        return frame
    total = X.reduce(moments, frame.scale, rows=weights)
    return Frame(frame.scale, total.sums / total.mass)


def largest_magnitude(block: Any, weights: np.ndarray | None) -> Largest:
    rows = block if weights is None else block[weights > 0]
    values = rows.data if hasattr(rows, "tocsr") else rows
    return Largest(max(float(values.max()), -float(values.min())) if values.size else 0.0)


def moments(block: np.ndarray, weights: np.ndarray | None, scale: float) -> Moments:
    rows = block if scale == 1 else block * np.float64(scale)
    if weights is None:
        return Moments(rows.sum(axis=0, dtype=np.float64), float(len(rows)))
    return Moments(weights @ rows.astype(np.float64), float(weights.sum()))
