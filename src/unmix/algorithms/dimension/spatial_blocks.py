"""Rows cut into cells of neighbours, so that what is measured in one hardly depends on the others.

The widest column is halved at its median, and so on: the leaves of a k-d tree. The standard error of a mean of numbers
that depend on their neighbours is that of the means of such cells.
"""

from __future__ import annotations

import numpy as np


def spatial_blocks(X: np.ndarray, depth: int) -> np.ndarray:
    """Labels 0 … 2^depth - 1, cells of nearly equal size."""
    labels = np.zeros(len(X), dtype=np.int64)
    for _ in range(depth):
        for cell in range(int(labels.max()) + 1):
            members = np.flatnonzero(labels == cell)
            values = X[members, int(np.argmax(np.ptp(X[members], axis=0)))]
            upper = members[np.argsort(values, kind="stable")[len(members) // 2 :]]
            labels[upper] += 1 << 62  # apart from the lower half until all cells are halved
        labels = np.unique(labels, return_inverse=True)[1]
    return labels


def error_of_ratio(numerator: np.ndarray, denominator: np.ndarray, blocks: np.ndarray) -> float:
    """Standard error of Σ numerator / Σ denominator, each cell left out in turn (jackknife)."""
    top, bottom = (np.bincount(blocks, weights=values) for values in (numerator, denominator))
    without = (top.sum() - top) / (bottom.sum() - bottom)
    m = len(top)
    return float(np.sqrt((m - 1) / m * np.square(without - without.mean()).sum()))
