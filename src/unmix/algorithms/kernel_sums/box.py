"""Gliding histogram: the weight of the rows inside a window about each query, counted exactly.

    N(q) = Σ_j w_j [|x_jk - q_k| < h_k / 2 for every column k]

In one dimension rows are sorted, and a window is a range between two of them; above, leaves of rows that lie together
count as a whole where the border of a window does not pass through them.

A row on the border is outside, and counts as on the border where it is so up to rounding: of 0.1, 0.3 and half a width
of 0.2 none is a float, and 0.3 - 0.1 falls short of 0.2. So |x - q| must be below h / 2 by 2 eps (|q| + h / 2), as far
as rounding x, q and h to floats can have moved them; by no more than a share of h where numbers are that coarse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.kernel_sums.leaves import levels_for, make_leaves
from unmix.core.execution import current_execution
from unmix.core.threads import run_in_order

LANES = 8  # queries in a leaf come in so many, to fill registers
MOST_ROUNDING = 1 / 8
PIECE = 8  # query leaves in a piece of work


def window_weights(rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, width: np.ndarray) -> np.ndarray:
    """N for queries (m, d) and windows of widths (d,), in the units of the data."""
    eps = float(max(np.finfo(rows.dtype).eps, np.finfo(queries.dtype).eps))
    rows, queries = rows.astype(np.float64), queries.astype(np.float64)
    half = half_widths(queries, width / 2, eps)
    if rows.shape[1] == 1:
        return in_range(rows[:, 0], weights, queries[:, 0], half[:, 0])
    return in_window(rows, weights, queries, half)


def half_widths(queries: np.ndarray, half: np.ndarray, eps: float) -> np.ndarray:
    """What |x - q| must stay below, (m, d): half a width, less what rounding may have made of x, q and it."""
    rounding = 2 * eps * (np.abs(queries) + half)
    return half - np.minimum(rounding, MOST_ROUNDING * half)


def in_range(rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, half: np.ndarray) -> np.ndarray:
    """An empty range has the weight 0 exactly, whatever the weights round to."""
    order = np.argsort(rows, kind="stable")
    low, high = queries - half, queries + half  # rounded, so of a row that stands there the difference decides
    low = np.where(queries - low < half, np.nextafter(low, -np.inf), low)
    high = np.where(high - queries < half, np.nextafter(high, np.inf), high)
    first = np.searchsorted(rows[order], low, side="right")
    last = np.searchsorted(rows[order], high, side="left")
    if (weights == np.rint(weights)).all() and weights.sum() < 2**53:
        below = np.concatenate([[0.0], np.cumsum(weights[order])])
        return np.where(last > first, below[last] - below[first], 0.0)
    return range_sums(weights[order], first, last)


def range_sums(values: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Σ values[first : last] of positive numbers, by pairs, pairs of pairs, …: large ones elsewhere take no digits."""
    total, last = np.zeros(len(first)), np.maximum(first, last)
    first = first.copy()
    while (first < last).any():
        values = np.append(values, np.zeros(2 - len(values) % 2))
        some = first < last
        low, high = some & (first % 2 == 1), some & (last % 2 == 1)
        total[low] += values[first[low]]
        total[high] += values[last[high] - 1]
        first, last = (first + 1) // 2, last // 2
        values = values[::2] + values[1::2]
    return total


def in_window(rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, half: np.ndarray) -> np.ndarray:
    """By leaves, on threads; ``half`` is that of every query."""
    from unmix.algorithms.kernel_sums.box_kernel import count_leaves

    n, m = len(rows), len(queries)
    data, asked = make_leaves(rows, levels_for(n, m)), make_leaves(queries, levels_for(m, n), LANES)
    leaf_weights = data.spread(weights)
    turned = np.ascontiguousarray(np.moveaxis(asked.points, 1, 2))
    reach = np.ascontiguousarray(np.moveaxis(half[np.minimum(asked.order, m - 1)], 1, 2))
    total = np.zeros((len(turned), turned.shape[2]))
    whole = leaf_weights.sum(axis=1)

    def work(piece: int) -> None:
        part = slice(piece * PIECE, (piece + 1) * PIECE)
        boxes = asked.low[part], asked.high[part]
        leaves = data.points, leaf_weights, data.low, data.high, whole
        count_leaves(turned[part], *boxes, *leaves, reach[part], total[part])

    def keep(piece: int, result: Any) -> None:
        """The piece has written its results in place."""

    run_in_order(work, -(-len(turned) // PIECE), keep, current_execution().n_threads)
    return asked.collect(total, m)
