"""The compiled pass of relabel.py over dense rows: expired rows are gathered to tiles, scanned, and moved."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.costs.nearest.tiles import fill_tile, is_clear, nearest_by_differences, scan_tile

FINER = 2.0**-29  # the rounding of float64 over that of float32


@kernel
def relabel_rows(
    data: Any, rows: Any, weight: Any, packed: Any, shift: Any, numbers: Any, clock: Any, shift_64: Any, centers: Any,
    new: Any, table: Any, reach: Any,
) -> int:  # fmt: skip
    """Returns how many rows moved; the arguments are those of `relabel`, no weights mean all ones."""
    n, d, lanes = rows.shape[0], shift.size, 32 // data.itemsize
    width = 2 * lanes
    tile, found = np.empty((d + 1) * width, data.dtype), np.empty(3 * width, data.dtype)
    starts, chosen = np.zeros(width, np.intp), np.zeros(width, np.intp)
    no_offsets = shift_64[:0]  # a constant array is of another type, for which `nearest_by_differences` compiles again
    waiting = moved = 0
    for i in range(n):
        old, deadline = int(rows[i, 0]), rows[i, 1]
        new[i, 0], new[i, 1] = old, deadline
        if old >= 0 and deadline > clock[old]:
            table[old, d + 3] += 1
        elif weight.size == 0 or weight[i] > 0:
            starts[waiting], chosen[waiting] = i * d, i
            waiting += 1
        if waiting < width and (i < n - 1 or waiting == 0):
            continue
        fill_tile(data, starts, d, numbers[0], shift, lanes, tile)  # lanes past `waiting` hold earlier rows, unused
        scan_tile(tile, d, lanes, packed, numbers[1], found)
        for lane in range(waiting):
            r, c = chosen[lane], int(found[2 * width + lane])
            near, far, norm = float(found[lane]), float(found[width + lane]), float(tile[d * width + lane])
            error = float(numbers[2])
            if not is_clear(near, far, norm, error):
                c, near, far = nearest_by_differences(
                    data, r * d, float(numbers[0]), shift_64, centers, no_offsets, 0.0
                )
                error *= FINER if data.itemsize == 4 else 1.0
            up = np.sqrt(near + error * (3 * norm + 2 * near))
            until = clock[c] + np.sqrt(max(far - error * 3 * norm, 0)) * (1 - 2 * error) - up
            new[r, 0], new[r, 1] = c, to_deadline(until)
            reach[c] = max(reach[c], up)
            if c != int(rows[r, 0]):
                moved += 1
                amount = 1.0 if weight.size == 0 else weight[r]
                move_row(data, r * d, numbers[0], shift_64, amount, int(rows[r, 0]), c, table)
        waiting = 0
    return moved


@kernel(inline="always")
def to_deadline(until: float) -> float:
    """A little earlier than `until`, because deadlines are kept in float32; what is not a number has expired."""
    if until > 1e37:
        return 1e37
    return until - 3e-7 * abs(until) if until > -1e37 else -1e37


@kernel
def move_row(data: Any, start: int, scale: Any, shift: Any, amount: float, old: int, new: int, table: Any) -> None:
    """Add one row to the sums of its new cluster and take it from those of the old one, in float64."""
    d, factor = shift.size, np.float64(scale)
    table[new, d] += amount
    table[new, d + 1] += 1
    if old >= 0:
        table[old, d] -= amount
        table[old, d + 1] -= 1
        for j in range(d):
            x = amount * (factor * data[start + j] - shift[j])
            table[new, j] += x
            table[old, j] -= x
        return
    square = 0.0
    for j in range(d):
        x = factor * data[start + j] - shift[j]
        table[new, j] += amount * x
        square += x * x
    table[new, d + 2] += amount * square


@kernel
def own_cost(data: Any, rows: Any, weight: Any, scale: float, shift: Any, centers: Any) -> float:
    """Σ w ||scale x - shift - u||² of rows and the centres of their labels, from differences."""
    d, total = shift.size, 0.0
    for i in range(rows.shape[0]):
        c, square = int(rows[i, 0]), 0.0
        if c < 0:
            continue
        for j in range(d):
            difference = scale * data[i * d + j] - shift[j] - centers[c, j]
            square += difference * difference
        total += square if weight.size == 0 else weight[i] * square
    return total
