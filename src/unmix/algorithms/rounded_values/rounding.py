"""Rows that share a place because values were rounded: real neighbours of each other, not copies.

Where places are exact, a row left out takes all rows at its place with it: copies say nothing new. Where every column
is rounded to steps, only the row itself is left out, rows of one place go to several folds, and no kernel or interval
is narrower than a step: a narrower one would show the steps, the narrower the more, and be likelier for it. Where many
values were rounded more coarsely than the others (heaping.py), the coarse step counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.rounded_values.heaping import MOST_POINTS, find_heaps

MOST_ROWS = 2**18
SHARED = 0.5  # of the rows, at least, are second to another at their place: else equal rows are copies
LATTICE_TOLERANCE = 1e-3  # of a step, up to which a value may be off


class Rounding(NamedTuple):
    """A step a column, 0 for a constant one; a value rounded to it; and the finer step of values that are not."""

    steps: np.ndarray  # (d,)
    anchors: np.ndarray  # (d,)
    fine: np.ndarray  # (d,)

    def own_steps(self, rows: np.ndarray) -> np.ndarray:
        """The step of every single value (n, d): fine where it does not lie on the coarse lattice."""
        away = (0.5 * rows - 0.5 * self.anchors) / np.where(self.steps > 0, 0.5 * self.steps, 1.0)
        return np.where(np.abs(away - np.rint(away)) <= LATTICE_TOLERANCE, self.steps, self.fine)


def find_rounding(places: np.ndarray, weights: np.ndarray) -> Rounding | None:
    """To what each column of distinct rows (m, d) was rounded, if all columns were and rows share places; else None."""
    if len(places) * weight_of_one(weights) > (1 - SHARED) * weights.sum():
        return None
    columns = [_round_column(column, weights) for column in places.T]
    if any(column is None for column in columns):
        return None
    steps, anchors, fine = np.array(columns, dtype=np.float64).T
    return Rounding(steps, anchors, fine)


def _round_column(column: np.ndarray, weights: np.ndarray) -> tuple[float, float, float] | None:
    """Step, anchor and fine step of one column."""
    values, place = np.unique(column.astype(np.float64), return_inverse=True)
    if len(values) == 1:
        return 0.0, float(values[0]), 0.0
    halves = 0.5 * values  # so that the largest can be subtracted
    step = np.diff(halves).min()
    away = (halves - halves[0]) / step
    if np.abs(away - np.rint(away)).max() > LATTICE_TOLERANCE:
        return None
    points = np.rint(away)
    heaps = None
    if points[-1] < MOST_POINTS:
        heaps = find_heaps(points.astype(np.int64), np.bincount(place.ravel(), weights), 2 * step)
    if heaps is None:
        return 2 * step, float(values[0]), 2 * step
    return 2 * step * heaps.multiple, float(values[0] + 2 * step * heaps.first), 2 * step


def single_rows(places: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every place as many times as it holds rows, up to a fair number of them."""
    counts = np.rint(weights / weight_of_one(weights))
    if counts.sum() > MOST_ROWS:
        counts = np.ceil(counts * MOST_ROWS / counts.sum())
    repeats = counts.astype(np.intp)
    return np.repeat(places, repeats, axis=0), np.repeat(weights / counts, repeats)


def weight_of_one(weights: np.ndarray) -> float:
    """Of one row: 1 where weights are whole, and so may count rows, else the least there is."""
    return 1.0 if (weights == np.rint(weights)).all() else float(weights.min())
