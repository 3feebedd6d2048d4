"""The cell that a rounded value stands for: from halfway to its lower neighbour to halfway to its upper one.

Neighbours of a value are those that are not much rarer: among multiples of ten few odd values are none, and a value
filled in, or one slip, does not make all cells narrow. Beyond a gap that is far wider than the neighbour's own, rows
stand apart and are not spread over it; and where values are rare, as in tails, gaps are wider than cells.

    width(v) = min { |v - w| : count(w) ≥ count(v) / 8 },   at most width(w) where it exceeds 4 width(w),
               at most the width that half of the rows have where v is less than half as frequent as those of most rows
"""

from __future__ import annotations

import numpy as np

RARER = 8.0  # times rarer, and a value is no neighbour
WIDER = 4.0  # times wider than that of the neighbour, and a gap is no cell
MOST_BETWEEN = 64  # rare values between two neighbours
TIED_SHARE = 0.1  # of the rows share a value with another; else values are as good as continuous


def cell_widths(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The width of the cell of each distinct value, in rising order, given how often it occurs."""
    widths, partners = np.full(len(values), np.inf), np.full(len(values), -1)
    for between in range(1, min(MOST_BETWEEN, len(values) - 1) + 1):
        gaps, low = values[between:] - values[:-between], np.arange(len(values) - between)
        for one, other in ((low, low + between), (low + between, low)):
            nearer = (gaps < widths[one]) & (RARER * counts[other] >= counts[one])
            widths[one[nearer]], partners[one[nearer]] = gaps[nearer], other[nearer]
    widths = _of_peaks(values, widths, partners)
    apart = (partners >= 0) & (widths > WIDER * widths[partners])
    widths = np.where(apart, widths[partners], widths)
    rare = 2 * counts < _of_half_the_rows(counts, counts)
    return _within_others(values, counts, np.where(rare, np.minimum(widths, _of_half_the_rows(widths, counts)), widths))


def _within_others(values: np.ndarray, counts: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """A rare value inside the cell of a frequent one, as a mean that was filled in, is spread as widely as that."""
    wide = widths.copy()
    for between in range(1, min(MOST_BETWEEN, len(values) - 1) + 1):
        gaps, low = values[between:] - values[:-between], np.arange(len(values) - between)
        for one, other in ((low, low + between), (low + between, low)):
            inside = one[(2 * gaps <= widths[other]) & (counts[other] >= RARER * counts[one])]
            wide[inside] = np.maximum(wide[inside], widths[inside + (other - one)[:1]])
    return wide


def _of_half_the_rows(of_value: np.ndarray, counts: np.ndarray) -> float:
    """The median over rows of what belongs to their values."""
    order = np.argsort(of_value, kind="stable")
    reached = np.cumsum(counts[order])
    return float(of_value[order[np.searchsorted(reached, reached[-1] / 2)]])


def _of_peaks(values: np.ndarray, widths: np.ndarray, partners: np.ndarray) -> np.ndarray:
    """A value far more frequent than all about it reaches as far as the nearest one does."""
    alone = np.flatnonzero(partners < 0)
    gaps = np.diff(values)
    nearest = np.minimum(np.append(np.inf, gaps), np.append(gaps, np.inf))
    widths = widths.copy()
    widths[alone] = nearest[alone]
    return widths


def column_widths(column: np.ndarray) -> np.ndarray | None:
    """The cell width of every value of a column without gaps; None for a constant column or a continuous one."""
    values, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    if len(values) < 2 or counts[counts > 1].sum() <= TIED_SHARE * len(column):
        return None
    return cell_widths(values, counts)[place.ravel()]
