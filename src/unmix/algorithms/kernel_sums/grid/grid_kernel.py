"""Rows spread over the cells of a grid, and the grid read at queries: the two ends of a fast convolution.

A row at cell i and place t within it adds weight phi0[a] phi1[b] to the cells (i0 + a, i1 + b); a query reads with the
same numbers. The grid has a margin of WIDTH - 1 cells at its far ends, so that nothing is wrapped in here. In one
dimension the first axis has one cell, and one value of 1.
"""

import numpy as np

from unmix.algorithms.kernel_sums.grid.grid_cells import add_patch, fill_window, sum_patch
from unmix.algorithms.kernel_sums.grid.window import WIDTH
from unmix.core.compiled.kernel import kernel


@kernel(error_model="numpy")
def find_cell(x: float, origin: float, per_cell: float, cells: int) -> float:
    """The place of x in cells from the origin, wrapped to 0 ≤ place < cells."""
    place = (x - origin) * per_cell
    if place < 0:
        place += cells
    elif place >= cells:
        place -= cells
    return min(max(place, 0.0), cells - 1e-9)


@kernel(error_model="numpy")
def spread_rows(
    points: np.ndarray,
    weights: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    per_cell: float,
    cells: np.ndarray,
    powers: np.ndarray,
    grid: np.ndarray,
) -> None:
    """Add the rows that lie between low and high to the flat grid; ``low`` is also its origin."""
    d, stride = points.shape[1], cells[1] + WIDTH - 1
    first, second = np.ones(WIDTH), np.empty(WIDTH)
    for i in range(points.shape[0]):
        inside = True
        for k in range(d):
            inside = inside and low[k] <= points[i, k] <= high[k]
        if not inside:
            continue
        row, lines = 0, 1
        if d == 2:
            place = find_cell(points[i, 0], low[0], per_cell, cells[0])
            row, lines = int(place), WIDTH
            fill_window(place - row, powers, first)
        place = find_cell(points[i, d - 1], low[d - 1], per_cell, cells[1])
        column = int(place)
        fill_window(place - column, powers, second)
        for b in range(WIDTH):
            second[b] *= weights[i]
        add_patch(grid, row * stride + column, stride, first, lines, second)


@kernel(error_model="numpy")
def read_grid(
    queries: np.ndarray,
    origin: np.ndarray,
    per_cell: float,
    cells: np.ndarray,
    powers: np.ndarray,
    grid: np.ndarray,
    out: np.ndarray,
) -> None:
    """out[i] = Σ_ab phi0[a] phi1[b] grid[i0 + a, i1 + b], of the flat grid."""
    d, stride = queries.shape[1], cells[1] + WIDTH - 1
    first, second = np.ones(WIDTH), np.empty(WIDTH)
    for i in range(queries.shape[0]):
        row, lines = 0, 1
        if d == 2:
            place = find_cell(queries[i, 0], origin[0], per_cell, cells[0])
            row, lines = int(place), WIDTH
            fill_window(place - row, powers, first)
        place = find_cell(queries[i, d - 1], origin[d - 1], per_cell, cells[1])
        column = int(place)
        fill_window(place - column, powers, second)
        out[i] = sum_patch(grid, row * stride + column, stride, first, lines, second)
