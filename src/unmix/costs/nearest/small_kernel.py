"""Nearest centres of a small table, from differences in registers: one signature serves rows of every form.

Rows stand in tiles of eight, column by column (small.py), so that a register holds one column of four rows.
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import fill, load, minus, multiply_add, spread, store, where_greater

LANES = 4  # float64 in a register
WIDTH = 2 * LANES  # rows in a tile


@kernel
def find_nearest(tiles: Any, d: int, centers: Any, first: int, last: int, found: Any, near: Any, far: Any) -> None:
    """The nearest of the centres first … last - 1, counted from `first`, and the two smallest squared distances.

    All arrays are flat; ties go to the lower number. Callers that are compiled give variables: an integer written out
    is a type of its own, for which all of this would be compiled again.
    """
    zero = fill(0.0)
    for row in range(0, found.size, WIDTH):
        near_0 = near_1 = far_0 = far_1 = fill(np.inf)
        which_0 = which_1 = zero
        for c in range(first, last, 2):  # two at a time share the loads of the rows
            at, place, even = c * d, row * d, c + 1 < last
            then, s_0, s_1 = at + d if even else at, zero, zero
            t_0 = t_1 = fill(0.0 if even else np.inf)  # the last of an odd number has no partner
            for j in range(d):
                x_0, x_1 = load(tiles, place), load(tiles, place + LANES)
                u, v = spread(centers, at + j), spread(centers, then + j)
                a_0, a_1, b_0, b_1 = minus(x_0, u), minus(x_1, u), minus(x_0, v), minus(x_1, v)
                s_0, s_1 = multiply_add(a_0, a_0, s_0), multiply_add(a_1, a_1, s_1)
                t_0, t_1 = multiply_add(b_0, b_0, t_0), multiply_add(b_1, b_1, t_1)
                place += WIDTH
            number = fill(float(c - first))
            which_0, which_1 = where_greater(near_0, s_0, number, which_0), where_greater(near_1, s_1, number, which_1)
            last_0, last_1 = where_greater(near_0, s_0, near_0, s_0), where_greater(near_1, s_1, near_1, s_1)
            near_0, near_1 = where_greater(near_0, s_0, s_0, near_0), where_greater(near_1, s_1, s_1, near_1)
            far_0, far_1 = where_greater(far_0, last_0, last_0, far_0), where_greater(far_1, last_1, last_1, far_1)
            number = fill(float(c + 1 - first))
            which_0, which_1 = where_greater(near_0, t_0, number, which_0), where_greater(near_1, t_1, number, which_1)
            last_0, last_1 = where_greater(near_0, t_0, near_0, t_0), where_greater(near_1, t_1, near_1, t_1)
            near_0, near_1 = where_greater(near_0, t_0, t_0, near_0), where_greater(near_1, t_1, t_1, near_1)
            far_0, far_1 = where_greater(far_0, last_0, last_0, far_0), where_greater(far_1, last_1, last_1, far_1)
        store(found, row, which_0)
        store(found, row + LANES, which_1)
        store(near, row, near_0)
        store(near, row + LANES, near_1)
        store(far, row, far_0)
        store(far, row + LANES, far_1)
