"""Gaussian kernel sums in one or two dimensions by a fast convolution: a pair of non-uniform Fourier transforms in one.

    spread the rows with the window, transform, multiply by  G(x) / p(x)²,  transform back, read with the window

where G is the transform of the kernel and p that of the window. The error is absolute: at most `error`, for weights of
total 1. That is the bound of window.py, and half of it for what comes round from the next period and for rows too far
from every query to be on the grid, both of which are exp(-½ reach²) at most for each axis.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kernel_sums.grid.extent import extent
from unmix.algorithms.kernel_sums.grid.window import WIDTH, coefficients, error_bound, transform
from unmix.core.execution import current_execution
from unmix.core.threads import run_in_order

MARGIN = 3.0  # kernel widths beyond the rows up to which queries are read from the grid
MOST_CELLS, CELLS_A_POINT = 2**22, 32
TRIMS = (0.0, 0.001, 0.01, 0.05)  # shares of the queries left away at each end of an axis, to keep the grid small
PIECE = 2**17  # rows spread into one grid, or queries read, by one thread


class Placement(NamedTuple):
    """Where the grid lies, in kernel widths."""

    spacing: float
    error: float  # at most, for weights of total 1
    low: np.ndarray  # (d,) rows between low and high are spread; low is the origin
    high: np.ndarray
    query_low: np.ndarray  # (d,) queries between these are read
    query_high: np.ndarray
    cells: np.ndarray  # (2,) along each axis; 1 along the first in one dimension


def lay_grid(rows: np.ndarray, queries: np.ndarray, spacing: float) -> Placement | None:
    """The grid on which most queries can be read, if there is one of a fair size."""
    d = rows.shape[1]
    bound = error_bound(spacing, d)
    reach = math.sqrt(2 * math.log(16 * d / bound))
    most = min(MOST_CELLS, CELLS_A_POINT * (len(rows) + len(queries)))
    row_low, row_high = extent(rows)
    for trim in TRIMS:
        ends = np.quantile(queries, [trim, 1 - trim], axis=0) if trim else extent(queries)
        query_low, query_high = np.maximum(ends[0], row_low - MARGIN), np.minimum(ends[1], row_high + MARGIN)
        if (query_low > query_high).any():
            return None
        low, high = np.maximum(row_low, query_low - reach), np.minimum(row_high, query_high + reach)
        period = np.maximum(query_high - low, high - query_low) + reach
        if np.prod(period / spacing) <= most:
            cells = np.ones(2, dtype=np.intp)
            cells[2 - d :] = [fast_length(length / spacing) for length in period]
            return Placement(spacing, 1.5 * bound, low, high, query_low, query_high, cells)
    return None


def fast_length(least: float) -> int:
    """A number of cells that is quick to transform."""
    from scipy.fft import next_fast_len

    return int(next_fast_len(math.ceil(least), real=True))


def convolve(rows: np.ndarray, weights: np.ndarray, frame: Placement) -> np.ndarray:
    """The grid that `read` reads: cells with a margin that repeats the first ones."""
    import scipy.fft

    total = spread(rows, weights, frame)
    n0, n1 = frame.cells
    margin = WIDTH - 1
    if n0 > 1:
        total[:margin] += total[n0:]
    total[:n0, :margin] += total[:n0, n1:]
    spectrum = scipy.fft.rfft2(total[:n0, :n1])
    spectrum *= multiplier(n1, frame.spacing)[: n1 // 2 + 1]
    if n0 > 1:
        spectrum *= multiplier(n0, frame.spacing)[:, None]
    total[:n0, :n1] = scipy.fft.irfft2(spectrum, (n0, n1))
    total[:n0, n1:] = total[:n0, :margin]
    if n0 > 1:
        total[n0:] = total[:margin]
    return total


def multiplier(cells: int, spacing: float) -> np.ndarray:
    """G(x) / p(x)² for the frequencies of a transform of so many cells, in its order."""
    frequency = 2 * math.pi * np.abs(np.fft.fftfreq(cells))
    kernel = math.sqrt(2 * math.pi) / spacing * np.exp(-0.5 * (frequency / spacing) ** 2)
    return kernel / transform(spacing, frequency) ** 2


def spread(rows: np.ndarray, weights: np.ndarray, frame: Placement) -> np.ndarray:
    """Weights on the cells, with the margin; pieces of the rows side by side, added in a fixed order."""
    from unmix.algorithms.kernel_sums.grid.grid_kernel import spread_rows

    n0, n1 = frame.cells
    shape = (1 if n0 == 1 else n0 + WIDTH - 1, n1 + WIDTH - 1)
    powers, total = coefficients(frame.spacing), np.zeros(shape)
    pieces = min(8, -(-len(rows) // PIECE))
    size = -(-len(rows) // pieces)

    def work(piece: int) -> np.ndarray:
        part, grid = slice(piece * size, (piece + 1) * size), np.zeros(shape)
        per_cell = 1 / frame.spacing
        spread_rows(rows[part], weights[part], frame.low, frame.high, per_cell, frame.cells, powers, grid.ravel())
        return grid

    def keep(piece: int, grid: np.ndarray) -> None:
        np.add(total, grid, out=total)

    run_in_order(work, pieces, keep, current_execution().n_threads)
    return total


def read(grid: np.ndarray, frame: Placement, queries: np.ndarray) -> np.ndarray:
    """The sums at queries (m, d) that lie between query_low and query_high."""
    from unmix.algorithms.kernel_sums.grid.grid_kernel import read_grid

    out, powers = np.empty(len(queries)), coefficients(frame.spacing)

    def work(piece: int) -> None:
        part = slice(piece * PIECE, (piece + 1) * PIECE)
        read_grid(queries[part], frame.low, 1 / frame.spacing, frame.cells, powers, grid.ravel(), out[part])

    def keep(piece: int, result: Any) -> None:
        """The piece has written its results in place."""

    run_in_order(work, -(-len(queries) // PIECE), keep, current_execution().n_threads)
    return out
