"""A regular or given grid of cells, and the weights of rows in those that hold any.

A cell is numbered by the place of its row along each axis, the last axis running fastest. Intervals are closed on the
left, the last one on both sides, as in numpy.histogramdd. Only occupied cells are stored, so that the number of axes
is bounded by how far cells can be numbered, not by memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

MOST_CELLS = 2**62  # what a cell's number can be
OUTSIDE = -1


class Cells(NamedTuple):
    """Numbers of occupied cells, rising, and the weight in each."""

    numbers: np.ndarray
    counts: np.ndarray

    def merge(self, other: Cells) -> Cells:
        numbers, place = np.unique(np.concatenate([self.numbers, other.numbers]), return_inverse=True)
        return Cells(numbers, np.bincount(place, np.concatenate([self.counts, other.counts]), len(numbers)))


def regular_edges(low: float, high: float, n_bins: int) -> np.ndarray:
    """Edges of equal intervals; halves first where the length would exceed the largest float."""
    with np.errstate(over="ignore"):
        far = not np.isfinite(high - low)
    return 2 * np.linspace(low / 2, high / 2, n_bins + 1) if far else np.linspace(low, high, n_bins + 1)


def whole_steps(low: float, high: float, n_bins: int, step: float) -> int | np.ndarray:
    """Edges between rounded values: intervals of as many steps each, so that none holds a value more than another."""
    if step == 0:
        return int(n_bins)
    values = round((high - low) / step) + 1
    each = max(1, round(values / n_bins))
    return low + step * (each * np.arange(-(-values // each) + 1) - 0.5)


def open_interval(low: float, high: float, eps: float) -> tuple[float, float]:
    """A constant column gets an interval of length 1 about it, or what its size makes of that."""
    if low < high:
        return low, high
    half = max(0.5, 256 * eps * abs(low))
    return max(low - half, -np.finfo(float).max), min(low + half, np.finfo(float).max)


def n_cells(n_bins: Any) -> int:
    """Their number, as an integer without bound."""
    total = 1
    for m in n_bins:
        total *= int(m)
    return total


def number_cells(block: Any, edges: list[np.ndarray]) -> np.ndarray:
    """The number of the cell of every row, OUTSIDE for those beyond the grid."""
    rows = block.toarray() if hasattr(block, "toarray") else block
    numbers, inside = np.zeros(len(rows), dtype=np.int64), np.ones(len(rows), dtype=bool)
    for column, edge in zip(np.asarray(rows, dtype=np.float64).T, edges):
        place = np.searchsorted(edge, column, side="right") - 1
        place[column == edge[-1]] = len(edge) - 2
        inside &= (place >= 0) & (place < len(edge) - 1)
        numbers = numbers * (len(edge) - 1) + place
    return np.where(inside, numbers, OUTSIDE)


def places_of(numbers: np.ndarray, n_bins: Any) -> list[np.ndarray]:
    """The place along each axis of the cells with these numbers; numpy's unravel_index ends at 64 axes."""
    places = []
    for m in reversed([int(m) for m in n_bins]):
        numbers, place = np.divmod(numbers, m)
        places.append(place)
    return places[::-1]


def count_cells(block: Any, weights: np.ndarray | None, edges: list[np.ndarray]) -> Cells:
    """The cells of one block; rows outside the grid and of no weight are left out."""
    numbers = number_cells(block, edges)
    weights = np.ones(len(numbers)) if weights is None else weights
    there = (numbers != OUTSIDE) & (weights > 0)
    found, place = np.unique(numbers[there], return_inverse=True)
    return Cells(found, np.bincount(place, weights[there], len(found)))


def log_volumes(numbers: np.ndarray, edges: list[np.ndarray]) -> np.ndarray:
    """Of the cells with these numbers; as logs they stay within the range of floats."""
    places = places_of(numbers, [len(edge) - 1 for edge in edges])
    widths = (np.log(np.diff(edge / 4)) + np.log(4) for edge in edges)
    return np.sum([width[place] for width, place in zip(widths, places)], axis=0)


def log_total_volume(edges: list[np.ndarray]) -> float:
    return float(sum(np.log(edge[-1] / 4 - edge[0] / 4) + np.log(4) for edge in edges))
