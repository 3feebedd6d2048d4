"""Gliding histogram: the weight of the rows inside a window about each query, counted exactly.

    N(q) = Σ_j w_j [|x_jk - q_k| < h_k / 2 for every column k]

In one dimension rows are sorted, and a window is a range between two of them; above, leaves of rows that lie together
count as a whole where the border of a window does not pass through them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.execution import current_execution
from unmix.core.threads import run_in_order
from unmix.factors.kernel_sums.leaves import levels_for, make_leaves

LANES = 8  # queries in a leaf come in so many, to fill registers
PIECE = 8  # query leaves in a piece of work


def window_weights(rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, width: np.ndarray) -> np.ndarray:
    """N for queries (m, d) and windows of widths (d,), in the units of the data."""
    rows, queries = rows.astype(np.float64), queries.astype(np.float64)
    if rows.shape[1] == 1:
        return in_range(rows[:, 0], weights, queries[:, 0], float(width[0]) / 2)
    return in_window(rows, weights, queries, width / 2)


def in_range(rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, half: float) -> np.ndarray:
    """An empty range has the weight 0 exactly, whatever the weights round to."""
    order = np.argsort(rows, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(weights[order])])
    first = np.searchsorted(rows[order], queries - half, side="right")
    last = np.searchsorted(rows[order], queries + half, side="left")
    return np.where(last > first, below[last] - below[first], 0.0)


def in_window(rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, half: np.ndarray) -> np.ndarray:
    """By leaves, on threads."""
    from unmix.factors.kernel_sums.box_kernel import count_leaves

    n, m = len(rows), len(queries)
    data, asked = make_leaves(rows, levels_for(n, m)), make_leaves(queries, levels_for(m, n), LANES)
    leaf_weights = data.spread(weights)
    turned = np.ascontiguousarray(np.moveaxis(asked.points, 1, 2))
    total = np.zeros((len(turned), turned.shape[2]))
    whole = leaf_weights.sum(axis=1)

    def work(piece: int) -> None:
        part = slice(piece * PIECE, (piece + 1) * PIECE)
        boxes = asked.low[part], asked.high[part]
        count_leaves(turned[part], *boxes, data.points, leaf_weights, data.low, data.high, whole, half, total[part])

    def keep(piece: int, result: Any) -> None:
        """The piece has written its results in place."""

    run_in_order(work, -(-len(turned) // PIECE), keep, current_execution().n_threads)
    return asked.collect(total, m)
