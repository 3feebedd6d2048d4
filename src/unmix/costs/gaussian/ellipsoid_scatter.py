"""The products T Tᵀ of a tile with itself, in registers: what the covariances of Gaussians are added up from.

The lanes of a register are rows. Four lines of T times two others need eight accumulators for six loads, four lines
times each other ten for four loads; the sixteen registers of an x86-64 processor hold either. Sums stay lane by lane,
in the order in which `add_products` meets the blocks, until `unfold` adds the lanes up in float64.
"""

from functools import cache

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.core.compiled.simd import load_wide as load
from unmix.core.compiled.simd import multiply_add, store
from unmix.costs.gaussian.turned_rows import LINES, padded

TILE_BYTES = 22 * 64  # of a line of T, all of which stays in the first cache


def registers(width: int) -> int:
    """How many registers of sums a tile of so many lines has."""
    blocks = width // LINES
    return 8 * blocks * (blocks - 1) + 10 * blocks


@kernel
def add_block(T: np.ndarray, a: int, b: int, rows: int, sums: np.ndarray, at: int, lanes: int) -> None:
    """Lines a … a + 3 of T times lines b and b + 1: eight registers of sums from `at` on."""
    p_0, p_1 = load(sums, at), load(sums, at + lanes)
    p_2, p_3 = load(sums, at + 2 * lanes), load(sums, at + 3 * lanes)
    q_0, q_1 = load(sums, at + 4 * lanes), load(sums, at + 5 * lanes)
    q_2, q_3 = load(sums, at + 6 * lanes), load(sums, at + 7 * lanes)
    tile = T.shape[1]
    l_0, l_1, l_2, l_3, m_0, m_1 = a * tile, (a + 1) * tile, (a + 2) * tile, (a + 3) * tile, b * tile, (b + 1) * tile
    for r in range(0, rows, lanes):
        y_0, y_1 = load(T, m_0 + r), load(T, m_1 + r)
        x = load(T, l_0 + r)
        p_0, q_0 = multiply_add(x, y_0, p_0), multiply_add(x, y_1, q_0)
        x = load(T, l_1 + r)
        p_1, q_1 = multiply_add(x, y_0, p_1), multiply_add(x, y_1, q_1)
        x = load(T, l_2 + r)
        p_2, q_2 = multiply_add(x, y_0, p_2), multiply_add(x, y_1, q_2)
        x = load(T, l_3 + r)
        p_3, q_3 = multiply_add(x, y_0, p_3), multiply_add(x, y_1, q_3)
    store(sums, at, p_0)
    store(sums, at + lanes, p_1)
    store(sums, at + 2 * lanes, p_2)
    store(sums, at + 3 * lanes, p_3)
    store(sums, at + 4 * lanes, q_0)
    store(sums, at + 5 * lanes, q_1)
    store(sums, at + 6 * lanes, q_2)
    store(sums, at + 7 * lanes, q_3)


@kernel
def add_diagonal_block(T: np.ndarray, a: int, rows: int, sums: np.ndarray, at: int, lanes: int) -> None:
    """Lines a … a + 3 of T times each other, every pair once: ten registers of sums from `at` on."""
    s_00, s_10 = load(sums, at), load(sums, at + lanes)
    s_20, s_30 = load(sums, at + 2 * lanes), load(sums, at + 3 * lanes)
    s_11, s_21 = load(sums, at + 4 * lanes), load(sums, at + 5 * lanes)
    s_31, s_22 = load(sums, at + 6 * lanes), load(sums, at + 7 * lanes)
    s_32, s_33 = load(sums, at + 8 * lanes), load(sums, at + 9 * lanes)
    tile = T.shape[1]
    l_0, l_1, l_2, l_3 = a * tile, (a + 1) * tile, (a + 2) * tile, (a + 3) * tile
    for r in range(0, rows, lanes):
        x_0, x_1, x_2, x_3 = load(T, l_0 + r), load(T, l_1 + r), load(T, l_2 + r), load(T, l_3 + r)
        s_00, s_10 = multiply_add(x_0, x_0, s_00), multiply_add(x_1, x_0, s_10)
        s_20, s_30 = multiply_add(x_2, x_0, s_20), multiply_add(x_3, x_0, s_30)
        s_11, s_21 = multiply_add(x_1, x_1, s_11), multiply_add(x_2, x_1, s_21)
        s_31, s_22 = multiply_add(x_3, x_1, s_31), multiply_add(x_2, x_2, s_22)
        s_32, s_33 = multiply_add(x_3, x_2, s_32), multiply_add(x_3, x_3, s_33)
    store(sums, at, s_00)
    store(sums, at + lanes, s_10)
    store(sums, at + 2 * lanes, s_20)
    store(sums, at + 3 * lanes, s_30)
    store(sums, at + 4 * lanes, s_11)
    store(sums, at + 5 * lanes, s_21)
    store(sums, at + 6 * lanes, s_31)
    store(sums, at + 7 * lanes, s_22)
    store(sums, at + 8 * lanes, s_32)
    store(sums, at + 9 * lanes, s_33)


@kernel
def add_products(T: np.ndarray, rows: int, sums: np.ndarray, lanes: int) -> None:
    """sums += the lower triangle of T Tᵀ, lane by lane, block by block."""
    at = 0
    for a in range(0, T.shape[0], LINES):
        for b in range(0, a, 2):
            add_block(T, a, b, rows, sums, at, lanes)
            at += 8 * lanes
        add_diagonal_block(T, a, rows, sums, at, lanes)
        at += 10 * lanes


@cache
def places(columns: int) -> np.ndarray:
    """(columns, columns): which of the sums belongs to a pair of columns, behind one for every line of T."""
    width = at = padded(columns)
    place = np.empty((width, width), np.intp)
    for a in range(0, width, LINES):
        for j in range(a + LINES):
            for i in range(max(a, j), a + LINES):
                place[i, j] = place[j, i] = at
                at += 1
    return np.ascontiguousarray(place[:columns, :columns])
