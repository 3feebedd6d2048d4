"""Scores of a tile of rows against all centres, in registers: the inner loop of every nearest-centre kernel.

    ||x - u||² = ||x||² - 2 (x·u - ||u||²/2),   so the nearest centre has the largest score x·u - ||u||²/2.

Rows are copied, two registers wide and turned, to a *tile* whose lanes are rows; six centres at a time then need
twelve accumulators, which with two registers of rows and one of centres fill the sixteen of an x86-64 processor. The
largest and the second largest score and the number of the best centre stay in registers until the tile is done.
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import fill, load, minus, multiply_add, spread, store, transpose, where_greater

GROUP = 6  # centres whose scores are computed together


def pack_centers(centers: np.ndarray, dtype: Any) -> np.ndarray:
    """Centres as the scan reads them.

    Groups of six, in each the biases -||u||²/2, the numbers, then the coordinates; the last group is filled up with
    centres of score minus infinity.
    """
    k, d = centers.shape
    packed = np.empty((-(-k // GROUP), d + 2, GROUP), dtype)
    fill_packed(centers, packed)
    return packed.reshape(-1)


@kernel
def fill_packed(centers: Any, packed: Any) -> None:
    k, d = centers.shape
    for c in range(packed.shape[0] * GROUP):
        group, place, norm = c // GROUP, c % GROUP, 0.0
        for j in range(d):
            packed[group, j + 2, place] = centers[c, j] if c < k else 0.0
            norm += float(packed[group, j + 2, place]) ** 2
        packed[group, 0, place] = -0.5 * norm if c < k else -np.inf
        packed[group, 1, place] = c


@kernel
def fill_tile(data: Any, starts: Any, d: int, scale: Any, shift: Any, lanes: int, tile: Any) -> None:
    """Turn the rows that begin at `starts` into a tile of scale x - shift; their squared norms make its last line."""
    width, whole = 2 * lanes, d - d % lanes
    for j in range(0, whole, lanes):
        transpose(data, starts, 0, j, tile, j * width, width)
        transpose(data, starts, lanes, j, tile, j * width + lanes, width)
    for j in range(whole, d):
        for i in range(width):
            tile[j * width + i] = data[starts[i] + j]
    factor = fill(scale)
    zero = minus(factor, factor)
    norm_0, norm_1 = zero, zero
    for j in range(d):
        away = minus(zero, spread(shift, j))
        x_0 = multiply_add(load(tile, j * width), factor, away)
        x_1 = multiply_add(load(tile, j * width + lanes), factor, away)
        store(tile, j * width, x_0)
        store(tile, j * width + lanes, x_1)
        norm_0, norm_1 = multiply_add(x_0, x_0, norm_0), multiply_add(x_1, x_1, norm_1)
    store(tile, d * width, norm_0)
    store(tile, d * width + lanes, norm_1)


@kernel(inline="always")
def better(score: Any, number: Any, best: Any, second: Any, which: Any) -> Any:
    """Best, second best and the number of the best after one more score; ties go to the lower number."""
    loser = where_greater(score, best, best, score)
    return (
        where_greater(score, best, score, best),
        where_greater(loser, second, loser, second),
        where_greater(score, best, number, which),
    )


@kernel
def scan_tile(tile: Any, d: int, lanes: int, packed: Any, lowest: Any, found: Any) -> None:
    """The squared distances to the nearest and second nearest centre and the number of the nearest, lane by lane.

    They go to the three lines of `found`; `lowest` is minus infinity in the dtype of the data. The number is that of a
    centre whatever the scores are: where none is above minus infinity, 0.
    """
    width, at = 2 * lanes, 0
    best_0, which_0 = fill(lowest), fill(tile.dtype.type(0))
    best_1, second_0, second_1, which_1 = best_0, best_0, best_0, which_0
    while at < packed.size:
        a_0 = a_1 = spread(packed, at)
        b_0 = b_1 = spread(packed, at + 1)
        c_0 = c_1 = spread(packed, at + 2)
        d_0 = d_1 = spread(packed, at + 3)
        e_0 = e_1 = spread(packed, at + 4)
        f_0 = f_1 = spread(packed, at + 5)
        numbers, at = at + 6, at + 12
        for j in range(d):
            x_0, x_1 = load(tile, j * width), load(tile, j * width + lanes)
            u = spread(packed, at)
            a_0, a_1 = multiply_add(u, x_0, a_0), multiply_add(u, x_1, a_1)
            u = spread(packed, at + 1)
            b_0, b_1 = multiply_add(u, x_0, b_0), multiply_add(u, x_1, b_1)
            u = spread(packed, at + 2)
            c_0, c_1 = multiply_add(u, x_0, c_0), multiply_add(u, x_1, c_1)
            u = spread(packed, at + 3)
            d_0, d_1 = multiply_add(u, x_0, d_0), multiply_add(u, x_1, d_1)
            u = spread(packed, at + 4)
            e_0, e_1 = multiply_add(u, x_0, e_0), multiply_add(u, x_1, e_1)
            u = spread(packed, at + 5)
            f_0, f_1 = multiply_add(u, x_0, f_0), multiply_add(u, x_1, f_1)
            at += 6
        # Written out six times because a list of registers would live in memory.
        number = spread(packed, numbers)
        best_0, second_0, which_0 = better(a_0, number, best_0, second_0, which_0)
        best_1, second_1, which_1 = better(a_1, number, best_1, second_1, which_1)
        number = spread(packed, numbers + 1)
        best_0, second_0, which_0 = better(b_0, number, best_0, second_0, which_0)
        best_1, second_1, which_1 = better(b_1, number, best_1, second_1, which_1)
        number = spread(packed, numbers + 2)
        best_0, second_0, which_0 = better(c_0, number, best_0, second_0, which_0)
        best_1, second_1, which_1 = better(c_1, number, best_1, second_1, which_1)
        number = spread(packed, numbers + 3)
        best_0, second_0, which_0 = better(d_0, number, best_0, second_0, which_0)
        best_1, second_1, which_1 = better(d_1, number, best_1, second_1, which_1)
        number = spread(packed, numbers + 4)
        best_0, second_0, which_0 = better(e_0, number, best_0, second_0, which_0)
        best_1, second_1, which_1 = better(e_1, number, best_1, second_1, which_1)
        number = spread(packed, numbers + 5)
        best_0, second_0, which_0 = better(f_0, number, best_0, second_0, which_0)
        best_1, second_1, which_1 = better(f_1, number, best_1, second_1, which_1)
    norm_0, norm_1 = load(tile, d * width), load(tile, d * width + lanes)
    zero = minus(norm_0, norm_0)
    store_distance(found, 0, norm_0, best_0, zero)
    store_distance(found, lanes, norm_1, best_1, zero)
    store_distance(found, width, norm_0, second_0, zero)
    store_distance(found, width + lanes, norm_1, second_1, zero)
    store(found, 2 * width, which_0)
    store(found, 2 * width + lanes, which_1)


@kernel(inline="always")
def store_distance(found: Any, offset: int, norm: Any, score: Any, zero: Any) -> None:
    """||x||² - 2 score, not below zero."""
    distance = minus(minus(norm, score), score)
    store(found, offset, where_greater(distance, zero, distance, zero))


@kernel(inline="always")
def is_clear(near: Any, far: Any, norm: Any, error: Any) -> Any:
    """Whether rounding cannot have changed which centre is nearest; see `expansion_error` of centers.py.

    A squared distance of value D from a row of squared norm N is off by at most error (3 N + 2 D). What is not a number
    is never clear.
    """
    return far * (1 - 2 * error) - near * (1 + 2 * error) > 6 * error * norm


@kernel
def nearest_by_differences(
    data: Any, start: int, scale: float, shift: Any, centers: Any, offsets: Any, lean: float
) -> tuple[int, float, float]:
    """Nearest centre of one row and the two smallest squared distances, from differences in float64.

    A later centre has to be nearer by `lean` times the length of the row. Squares that over- or underflow are taken
    again in other units.
    """
    label, near, far = compare_row(data, start, scale, shift, centers, offsets, lean, 1.0)
    if 1e-280 < near < np.inf:
        return label, near, far
    unit = 2.0**-530 if near > 1.0 else 2.0**400
    label, near, far = compare_row(data, start, scale, shift, centers, offsets, lean, unit)
    return label, near / unit / unit, far / unit / unit


@kernel
def compare_row(
    data: Any, start: int, scale: float, shift: Any, centers: Any, offsets: Any, lean: float, unit: float
) -> tuple[int, float, float]:
    (k, d), label, margin = centers.shape, 0, 0.0
    best = second = np.inf
    if lean > 0:
        for j in range(d):
            margin += (unit * scale * data[start + j]) ** 2
        margin = lean * np.sqrt(margin)
    for c in range(k):
        total = unit * unit * offsets[c] if offsets.size > 0 else 0.0
        for j in range(d):
            difference = unit * (scale * data[start + j] - shift[j]) - unit * centers[c, j]
            total += difference * difference
        if total < best and (margin == 0.0 or np.sqrt(total) < np.sqrt(best) - margin):
            best, second, label = total, best, c
        elif total < second:
            second = total
    return label, best, second


@kernel
def assign_rows(
    data: Any, packed: Any, numbers: Any, shift: Any, shift_64: Any, centers: Any, offsets: Any, lean: float,
    labels: Any, near: Any, far: Any,
) -> None:  # fmt: skip
    """Nearest centre and the two smallest squared distances of every row.

    `numbers` are scale, minus infinity and the error of the expansion, in the dtype of the data; `centers` are those of
    `packed` as rows less `shift_64` are compared with them where the expansion leaves it open.
    """
    n, d, lanes = labels.size, shift.size, 32 // data.itemsize
    width = 2 * lanes
    tile, found = np.empty((d + 1) * width, data.dtype), np.empty(3 * width, data.dtype)
    starts = np.empty(width, np.intp)
    for first in range(0, n, width):
        for i in range(width):
            starts[i] = min(first + i, n - 1) * d
        fill_tile(data, starts, d, numbers[0], shift, lanes, tile)
        scan_tile(tile, d, lanes, packed, numbers[1], found)
        for i in range(min(width, n - first)):
            label, low, high = int(found[2 * width + i]), float(found[i]), float(found[width + i])
            if not is_clear(low, high, float(tile[d * width + i]), float(numbers[2])):
                label, low, high = nearest_by_differences(
                    data, (first + i) * d, float(numbers[0]), shift_64, centers, offsets, lean
                )
            labels[first + i], near[first + i], far[first + i] = label, low, high


@kernel
def tile_distances(tile: Any, d: int, lanes: int, centers: Any, out: Any, column: int) -> None:
    """Squared distances of a tile to every centre, from differences: exactly zero where row and centre agree.

    They go to out[c, column] and the columns behind it; four centres at a time leave registers for the differences.
    """
    width, k, n = 2 * lanes, centers.shape[0], out.shape[1]
    flat, target = centers.reshape(-1), out.reshape(-1)
    for c in range(0, k, 4):
        at_a, at_b = c * d, min(c + 1, k - 1) * d
        at_c, at_d = min(c + 2, k - 1) * d, min(c + 3, k - 1) * d
        zero = minus(load(tile, 0), load(tile, 0))
        a_0 = a_1 = b_0 = b_1 = c_0 = c_1 = d_0 = d_1 = zero
        for j in range(d):
            x_0, x_1 = load(tile, j * width), load(tile, j * width + lanes)
            u = spread(flat, at_a + j)
            a_0, a_1 = add_square(x_0, u, a_0), add_square(x_1, u, a_1)
            u = spread(flat, at_b + j)
            b_0, b_1 = add_square(x_0, u, b_0), add_square(x_1, u, b_1)
            u = spread(flat, at_c + j)
            c_0, c_1 = add_square(x_0, u, c_0), add_square(x_1, u, c_1)
            u = spread(flat, at_d + j)
            d_0, d_1 = add_square(x_0, u, d_0), add_square(x_1, u, d_1)
        # Backwards, so that where the last four are fewer the true one is written last.
        store_pair(target, min(c + 3, k - 1) * n + column, lanes, d_0, d_1)
        store_pair(target, min(c + 2, k - 1) * n + column, lanes, c_0, c_1)
        store_pair(target, min(c + 1, k - 1) * n + column, lanes, b_0, b_1)
        store_pair(target, c * n + column, lanes, a_0, a_1)


@kernel(inline="always")
def add_square(x: Any, u: Any, total: Any) -> Any:
    """(x - u)² + total."""
    difference = minus(x, u)
    return multiply_add(difference, difference, total)


@kernel(inline="always")
def store_pair(target: Any, offset: int, lanes: int, first: Any, second: Any) -> None:
    store(target, offset, first)
    store(target, offset + lanes, second)


@kernel
def fill_tiles(data: Any, n: int, d: int, scale: Any, shift: Any) -> Any:
    """All rows as tiles, one behind the other; the last is filled up with its last row."""
    lanes = 32 // data.itemsize
    width = 2 * lanes
    size = (d + 1) * width
    tiles, starts = np.empty((-(-n // width), size), data.dtype), np.empty(width, np.intp)
    for t in range(tiles.shape[0]):
        for i in range(width):
            starts[i] = min(t * width + i, n - 1) * d
        fill_tile(data, starts, d, scale, shift, lanes, tiles[t])
    return tiles


@kernel
def all_distances(tiles: Any, d: int, centers: Any, out: Any) -> None:
    """Squared distances of all tiles to all centres, out being (k, rows of all tiles)."""
    lanes = 32 // tiles.itemsize
    for t in range(tiles.shape[0]):
        tile_distances(tiles[t], d, lanes, centers, out, t * 2 * lanes)


@kernel
def row_residuals(block: Any, scale: float, shift: Any, centers: Any, labels: Any, out: Any) -> None:
    """||scale x - shift - u||² of every row and its own centre, in float64."""
    for i in range(block.shape[0]):
        total, c = 0.0, labels[i]
        for j in range(block.shape[1]):
            difference = scale * block[i, j] - shift[j] - centers[c, j]
            total += difference * difference
        out[i] = total
