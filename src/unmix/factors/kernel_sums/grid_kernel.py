"""Rows spread over the cells of a grid, and the grid read at queries: the two ends of a fast convolution.

A row at cell i and place t within it adds weight phi0[a] phi1[b] to the cells (i0 + a, i1 + b); a query reads with the
same numbers. The grid has a margin of WIDTH - 1 cells at its far ends, so that nothing is wrapped in here. In one
dimension the first axis has one cell, and one value of 1.
"""

import numpy as np
from numba import njit

from unmix.factors.kernel_sums.window import DEGREE, WIDTH

HALF = (DEGREE + 1) // 2


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def fill_window(place: float, c: np.ndarray, values: np.ndarray) -> None:
    """The WIDTH values of the window, by Horner's rule on all of them at once, in two halves of the polynomial."""
    t = 2.0 * place - 1.0
    u = t * t
    for b in range(WIDTH):
        even, odd = c[b + WIDTH], c[b]
        for i in range(1, HALF):
            even = even * u + c[b + (2 * i + 1) * WIDTH]
            odd = odd * u + c[b + 2 * i * WIDTH]
        values[b] = odd * t + even


@njit(cache=True, nogil=True, error_model="numpy")
def find_cell(x: float, origin: float, per_cell: float, cells: int) -> float:
    """The place of x in cells from the origin, wrapped to 0 ≤ place < cells."""
    place = (x - origin) * per_cell
    if place < 0:
        place += cells
    elif place >= cells:
        place -= cells
    return min(max(place, 0.0), cells - 1e-9)


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
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
    """Add the rows that lie between low and high to the grid; ``low`` is also its origin."""
    d = points.shape[1]
    first, second = np.ones(WIDTH), np.empty(WIDTH)
    lines = WIDTH if d == 2 else 1
    for i in range(points.shape[0]):
        inside = True
        for k in range(d):
            inside = inside and low[k] <= points[i, k] <= high[k]
        if not inside:
            continue
        place = find_cell(points[i, d - 1], low[d - 1], per_cell, cells[1])
        column = int(place)
        fill_window(place - column, powers, second)
        row = 0
        if d == 2:
            place = find_cell(points[i, 0], low[0], per_cell, cells[0])
            row = int(place)
            fill_window(place - row, powers, first)
        for a in range(lines):
            line, share = grid[row + a, column : column + WIDTH], weights[i] * first[a]
            for b in range(WIDTH):
                line[b] += share * second[b]


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def read_grid(
    queries: np.ndarray,
    origin: np.ndarray,
    per_cell: float,
    cells: np.ndarray,
    powers: np.ndarray,
    grid: np.ndarray,
    out: np.ndarray,
) -> None:
    """out[i] = Σ_ab phi0[a] phi1[b] grid[i0 + a, i1 + b]."""
    d = queries.shape[1]
    first, second = np.ones(WIDTH), np.empty(WIDTH)
    lanes = np.empty(WIDTH)
    lines = WIDTH if d == 2 else 1
    for i in range(queries.shape[0]):
        place = find_cell(queries[i, d - 1], origin[d - 1], per_cell, cells[1])
        column = int(place)
        fill_window(place - column, powers, second)
        row = 0
        if d == 2:
            place = find_cell(queries[i, 0], origin[0], per_cell, cells[0])
            row = int(place)
            fill_window(place - row, powers, first)
        for b in range(WIDTH):
            lanes[b] = 0.0
        for a in range(lines):
            line, share = grid[row + a, column : column + WIDTH], first[a]
            for b in range(WIDTH):
                lanes[b] += share * line[b]
        total = 0.0
        for b in range(WIDTH):
            total += lanes[b] * second[b]
        out[i] = total
