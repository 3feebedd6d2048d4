"""The order in which an online rule is shown the rows: every epoch a new shuffle, in which weight 2 is the row twice.

m presentations stand at the middles of m equal slices of the total weight, shuffled; a presentation shows the row under
its position. Without weights this is a permutation of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.rows.sample import draw_sample, rows_under
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn

MOST_REPEATS = 16  # weights that add up to more are taken as relative, so that an epoch stays an epoch


class ShownRows(NamedTuple):
    """Rows in memory, their weights, and the number of presentations in an epoch."""

    rows: Any
    weights: np.ndarray
    showings: int


def presented(X: RowBlocks, weights: np.ndarray | None) -> ShownRows:
    """All rows, in memory; few are sorted and equal ones joined, so that neither order nor repetition can matter."""
    n = X.shape[0]
    total, held = (n, n) if weights is None else (float(weights.sum()), int((weights > 0).sum()))
    count = round(total) if held <= total <= MOST_REPEATS * held else held
    sample = draw_sample(X, weights, max(n, int(np.ceil(total))), 0)
    rows = sample.blocks.gather()
    return ShownRows(rows, np.ones(rows.shape[0]) if sample.weights is None else sample.weights, count)


def presentation(shown: ShownRows, seed: int, epoch: int) -> np.ndarray:
    """Numbers of the rows in the order in which they are shown."""
    order = spawn(seed, 4, epoch).permutation(shown.showings)
    if len(shown.weights) == shown.showings and (shown.weights == 1).all():
        return order  # every row is under its own position
    return rows_under((order + 0.5) / shown.showings, np.cumsum(shown.weights))


def in_chunks(shown: ShownRows, order: np.ndarray, scale: float, size: int) -> Iterator[tuple[int, np.ndarray]]:
    """Scaled rows in that order, dense and in float64, `size` at a time, with the place of the first."""
    for start in range(0, len(order), size):
        rows = shown.rows[order[start : start + size]]
        dense = rows.toarray() if hasattr(rows, "tocsr") else rows
        yield start, scale * np.asarray(dense, np.float64)
