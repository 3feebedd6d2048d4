"""The compiled part of orthogonal matching pursuit, on inner products alone.

With q_1, q_2, … the chosen atoms made orthonormal, all that is needed of a direction is its row b_j = U q_j:

    b = (gram[k] - Σ_j b_j[k] b_j) / √(1 - Σ_j b_j[k]²),   c ← c - <q, x> b

because <q_j, u_k> = b_j[k].  So a step costs j vector updates of length n_atoms and no triangular solve; the residual
itself is never formed.  Rubinstein, Zibulevsky & Elad, Efficient implementation of the K-SVD algorithm, 2008.
"""

from typing import Any

import numpy as np
from numba import njit

TILE = 128  # columns whose maximum is taken at once: the search for the place of the maximum is then short
FAST = {"nnan", "nsz", "contract"}


@njit(cache=True, nogil=True)
def largest(bits: Any, sizes: Any) -> int:
    """The place of the float of largest size, the first of equals, among floats looked at as integers.

    Without their sign bit (`sizes` masks it) the bits of floats are ordered as the floats are, and unlike the maximum
    of floats, which has NaN to think of, the maximum of integers is found a register at a time.
    """
    n, best, place = bits.size, sizes - sizes, 0
    for start in range(0, n, TILE):
        most = best
        for k in range(start, min(start + TILE, n)):
            size = bits[k] & sizes
            most = size if size > most else most
        if most > best:
            best, place = most, start
    for k in range(place, min(place + TILE, n)):
        if bits[k] & sizes == best:
            return k
    return place


@njit(cache=True, nogil=True, fastmath=FAST)
def subtract_rows(target: Any, rows: Any, mix: Any, count: int) -> None:
    """target -= Σ_j mix[j] rows[j], four rows at a time; mix is zero from `count` up to the next multiple of four."""
    for j in range(0, count, 4):
        a, b, c, d = rows[j], rows[j + 1], rows[j + 2], rows[j + 3]
        m0, m1, m2, m3 = mix[j], mix[j + 1], mix[j + 2], mix[j + 3]
        for k in range(target.size):
            target[k] -= (m0 * a[k] + m1 * b[k]) + (m2 * c[k] + m3 * d[k])


@njit(cache=True, nogil=True, fastmath=FAST)
def scale_row(target: Any, row: Any, scale: Any) -> None:
    for k in range(row.size):
        target[k] = row[k] * scale


@njit(cache=True, nogil=True, fastmath=FAST)
def step_along(c: Any, direction: Any, step: Any, kept: Any) -> None:
    """c -= step direction; the direction is kept."""
    for k in range(c.size):
        kept[k] = direction[k]
        c[k] -= step * direction[k]


@njit(cache=True, nogil=True)
def solve_back(lower: Any, along: Any, count: int, values: Any) -> None:
    """Coefficients of the atoms from those of the orthonormal directions: lowerᵀ values = along."""
    for j in range(count - 1, -1, -1):
        total = along[j]
        for i in range(j + 1, count):
            total -= lower[i, j] * along[i]
        along[j] = total / lower[j, j]
        values[j] = along[j]


@njit(cache=True, nogil=True)
def pursue(
    correlations: Any, bits: Any, sizes: Any, squares: Any, gram: Any, stops: Any, tiny: float, atoms: Any, values: Any
) -> None:
    """One code a row of `correlations` = X Uᵀ, which is used up; `bits` are the same memory, `squares` are ||x||².

    Ends at the width of `atoms`, at ||residual||² ≤ stops, where no atom correlates with the residual by more than
    rounding (`tiny`), or where the best atom lies in the span of the chosen ones, which says the same.
    """
    width, n_atoms = atoms.shape[1], gram.shape[0]
    padded = (width + 3) // 4 * 4
    directions, fresh = np.zeros((padded, n_atoms), gram.dtype), np.empty(n_atoms, gram.dtype)
    mix = np.zeros(padded + 1, gram.dtype)
    lower, along = np.zeros((width, width)), np.zeros(width)
    for i in range(squares.size):
        c, left, count = correlations[i], squares[i], 0
        negligible = tiny * tiny * squares[i]
        while count < width and left > stops[i]:
            k = largest(bits[i], sizes)
            pivot = float(gram[k, k])
            for j in range(count):
                lower[count, j] = directions[j, k]
                pivot -= lower[count, j] ** 2
            if float(c[k]) ** 2 <= negligible or pivot <= tiny:
                break
            root = np.sqrt(pivot)
            lower[count, count], along[count] = root, c[k] / root
            left -= along[count] ** 2
            atoms[i, count] = k
            count += 1
            if count < width and left > stops[i]:
                for j in range(count - 1):
                    mix[j] = lower[count - 1, j] / root
                for j in range(count - 1, padded):
                    mix[j] = 0
                mix[padded] = 1 / root
                scale_row(fresh, gram[k], mix[padded])
                subtract_rows(fresh, directions, mix, count - 1)
                mix[padded] = along[count - 1]
                step_along(c, fresh, mix[padded], directions[count - 1])
        solve_back(lower, along, count, values[i])
