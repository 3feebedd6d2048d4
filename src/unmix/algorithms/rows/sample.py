"""A sample of rows held in memory, each row as likely as its weight; small data are taken whole.

Positions are drawn one in each of m equal slices of the total weight, and the row under a position is taken. A row of
weight 2 and a row that stands there twice cover the same positions, so both give the same sample.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.plan import Plan
from unmix.core.random import spawn
from unmix.io.dispatch import as_source

FEW_ROWS = LEAF_ROWS = 4096


class Sample(NamedTuple):
    """Rows in memory, with their weights where they count unequally; `whole` if they are all there is."""

    blocks: LocalBlocks
    weights: np.ndarray | None
    whole: bool


class Picked(NamedTuple):
    """Parts of a sample, joined in the order of the leaves."""

    parts: tuple[Any, ...]

    def merge(self, other: "Picked") -> "Picked":
        return Picked(self.parts + other.parts)


def draw_sample(
    X: RowBlocks, weights: np.ndarray | None, size: int, seed: int, scale: np.ndarray | float = 1.0
) -> Sample:
    """About `size` rows of equal weight, or all rows if neither they nor their total weight exceed `size`.

    With the ``scale`` that brings columns to one unit, the order of the rows does not depend on their units.
    """
    n = X.shape[0]
    if max(n, 0 if weights is None else weights.sum()) <= size:
        return in_order(X.gather(), weights, scale)
    counts = np.bincount(stratified(n, weights, size, seed), minlength=n).astype(np.int32)
    parts = X.reduce(pick, rows=counts).parts
    if hasattr(parts[0], "tocsr"):
        from scipy.sparse import vstack

        return Sample(few_leaves(vstack(parts, format="csr")), None, False)
    return Sample(few_leaves(np.concatenate(parts)), None, False)


def few_leaves(rows: Any) -> LocalBlocks:
    """Rows in memory, cut less finely than large data: a pass over them is short, and each leaf has its overhead."""
    blocks = LocalBlocks(as_source(rows))
    blocks.plan = Plan(rows.shape[0], LEAF_ROWS)
    return blocks


def in_order(rows: Any, weights: np.ndarray | None, scale: np.ndarray | float = 1.0) -> Sample:
    """All rows. Few dense rows are sorted and equal ones joined: then neither order nor repetition can matter."""
    if max(rows.shape[0], 0 if weights is None else weights.sum()) > FEW_ROWS:
        return Sample(few_leaves(rows), weights, True)
    filled = rows if hasattr(rows, "tocsr") else np.nan_to_num(rows)
    order = np.argsort(filled @ (scale * spawn(0).random(rows.shape[1])), kind="stable")
    rows, weights = rows[order], np.ones(len(order)) if weights is None else weights[order]
    if not hasattr(rows, "tocsr"):
        new = np.append(True, ((rows[1:] != rows[:-1]) & ~(np.isnan(rows[1:]) & np.isnan(rows[:-1]))).any(axis=1))
        rows, weights = rows[new], np.bincount(np.cumsum(new) - 1, weights)
        rows, weights = rows[weights > 0], weights[weights > 0]
    return Sample(few_leaves(rows), weights, True)


def stratified(n: int, weights: np.ndarray | None, size: int, seed: int) -> np.ndarray:
    """The rows under `size` positions, one drawn in each slice of the total weight; in order, repeats are possible."""
    positions = (np.arange(size) + spawn(seed).random(size)) / size
    if weights is None:
        return np.minimum((positions * n).astype(np.intp), n - 1)
    return rows_under(positions, np.cumsum(weights))


def rows_under(positions: np.ndarray, cumulative: np.ndarray) -> np.ndarray:
    """The rows at which the cumulative weight passes the given shares of the total; rows without weight never."""
    rows = np.searchsorted(cumulative, positions * cumulative[-1], side="right")
    last = np.searchsorted(cumulative, cumulative[-1], side="left")  # the last row that has weight
    return np.minimum(rows, last)


def pick(block: Any, counts: np.ndarray) -> Picked:
    """The rows of a block, each as often as it was drawn."""
    return Picked((block[np.repeat(np.arange(block.shape[0]), counts)],))
