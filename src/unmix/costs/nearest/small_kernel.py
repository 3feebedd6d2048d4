"""Nearest centres of a small table, from differences in registers: one signature serves rows of every form.

Rows stand in tiles of eight, column by column (small.py), so that a register holds one column of four rows.
"""

from typing import Any

import numba
import numpy as np

from unmix.core.simd import fill, load, minus, multiply_add, spread, store, where_greater

LANES = 4  # float64 in a register
WIDTH = 2 * LANES  # rows in a tile


@numba.njit(cache=True, nogil=True)
def find_nearest(tiles: Any, d: int, centers: Any, first: int, k: int, found: Any, near: Any, far: Any) -> None:
    """The number of the nearest of the k centres that begin at `first`, and the two smallest squared distances.

    All arrays are flat; ties go to the lower number.
    """
    zero = fill(0.0)
    for row in range(0, found.size, WIDTH):
        near_0 = near_1 = far_0 = far_1 = fill(np.inf)
        which_0 = which_1 = zero
        for c in range(k):
            number, at, place = fill(float(c)), first + c * d, row * d
            s_0 = s_1 = zero
            for j in range(d):
                u = spread(centers, at + j)
                x_0, x_1 = minus(load(tiles, place), u), minus(load(tiles, place + LANES), u)
                s_0, s_1 = multiply_add(x_0, x_0, s_0), multiply_add(x_1, x_1, s_1)
                place += WIDTH
            which_0, which_1 = where_greater(near_0, s_0, number, which_0), where_greater(near_1, s_1, number, which_1)
            last_0, last_1 = where_greater(near_0, s_0, near_0, s_0), where_greater(near_1, s_1, near_1, s_1)
            near_0, near_1 = where_greater(near_0, s_0, s_0, near_0), where_greater(near_1, s_1, s_1, near_1)
            far_0, far_1 = where_greater(far_0, last_0, last_0, far_0), where_greater(far_1, last_1, last_1, far_1)
        store(found, row, which_0)
        store(found, row + LANES, which_1)
        store(near, row, near_0)
        store(near, row + LANES, near_1)
        store(far, row, far_0)
        store(far, row + LANES, far_1)
