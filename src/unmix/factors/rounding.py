"""Rows that share a place because values were rounded: real neighbours of each other, not copies.

Where places are exact, a row left out takes all rows at its place with it: copies say nothing new. Where every column
is rounded to steps, only the row itself is left out, rows of one place go to several folds, and no kernel or interval
is narrower than a step: a narrower one would show the steps, the narrower the more, and be likelier for it.
"""

from __future__ import annotations

import numpy as np

MOST_ROWS = 2**18
SHARED = 0.5  # of the rows, at least, are second to another at their place: else equal rows are copies
ON_LATTICE = 1e-3  # of a step, up to which a value may be off


def rounding_steps(places: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
    """The step of each column of distinct rows (m, d), if all columns are rounded and rows share places; else None."""
    if len(places) * weights.min() > (1 - SHARED) * weights.sum():
        return None
    steps = np.zeros(places.shape[1])
    for j, column in enumerate(places.T):
        values = 0.5 * np.unique(column).astype(np.float64)  # halves, so that the largest can be subtracted
        if len(values) == 1:
            continue
        step = np.diff(values).min()
        away = (values - values[0]) / step
        if np.abs(away - np.rint(away)).max() > ON_LATTICE:
            return None
        steps[j] = 2 * step
    return steps


def single_rows(places: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every place as many times as it holds rows of the least weight there is, up to a fair number of them."""
    counts = np.rint(weights / weights.min())
    if counts.sum() > MOST_ROWS:
        counts = np.ceil(counts * MOST_ROWS / counts.sum())
    repeats = counts.astype(np.intp)
    return np.repeat(places, repeats, axis=0), np.repeat(weights / counts, repeats)
