"""The compiled part of orthogonal matching pursuit, on inner products alone.

With q_1, q_2, … the chosen atoms made orthonormal, all that is needed of a direction is its row b_j = U q_j:

    b = (gram[k] - Σ_j b_j[k] b_j) / √(1 - Σ_j b_j[k]²),   c ← c - <q, x> b

because <q_j, u_k> = b_j[k].  So a step costs j vector updates of length n_atoms and no triangular solve; the residual
itself is never formed.  Rubinstein, Zibulevsky & Elad, Efficient implementation of the K-SVD algorithm, 2008.
"""

import math
from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel

TILE = 128  # columns whose maximum is taken at once: the search for the place of the maximum is then short
FAST = {"nnan", "nsz", "contract"}


@kernel
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


@kernel(fastmath=FAST)
def step_along(c: Any, row: Any, scale: Any, step: Any, directions: Any, mix: Any, count: int, fresh: Any) -> None:
    """b = scale row - Σ_j mix[j] b_j, four rows at a time, which is kept; c -= step b.

    Between `count` and the next multiple of four, mix is zero.
    """
    for k in range(c.size):
        fresh[k] = row[k] * scale
    for j in range(0, count, 4):
        b0, b1, b2, b3 = directions[j], directions[j + 1], directions[j + 2], directions[j + 3]
        m0, m1, m2, m3 = mix[j], mix[j + 1], mix[j + 2], mix[j + 3]
        for k in range(c.size):
            fresh[k] -= (m0 * b0[k] + m1 * b1[k]) + (m2 * b2[k] + m3 * b3[k])
    for k in range(c.size):
        directions[count, k] = fresh[k]
        c[k] -= step * fresh[k]


@kernel
def solve_back(lower: Any, along: Any, count: int, values: Any) -> None:
    """Coefficients of the atoms from those of the orthonormal directions: lowerᵀ values = along."""
    for j in range(count - 1, -1, -1):
        total = along[j]
        for i in range(j + 1, count):
            total -= lower[i, j] * along[i]
        along[j] = total / lower[j, j]
        values[j] = along[j]


@kernel
def pursue(
    correlations: Any, bits: Any, sizes: Any, squares: Any, gram: Any, stops: Any, tiny: float, directions: Any,
    fresh: Any, mix: Any, lower: Any, along: Any, atoms: Any, values: Any,
) -> None:  # fmt: skip
    """One code a row of `correlations` = X Uᵀ, which is used up; `bits` are the same memory, `squares` are ||x||².

    Ends at the width of `atoms`, at ||residual||² ≤ stops, where no atom correlates with the residual by more than
    rounding (`tiny`), or where the best atom lies in the span of the chosen ones, which says the same. What stands
    between `tiny` and `atoms` is the room of `room_for`.
    """
    width, kind = atoms.shape[1], gram.dtype.type
    for i in range(squares.size):
        c, left, count = correlations[i], squares[i], np.int64(0)  # typed: a literal would compile callees twice
        negligible = tiny * tiny * squares[i]
        while count < width and left > stops[i]:
            k = largest(bits[i], sizes)
            pivot, here = float(gram[k, k]), float(c[k])
            for j in range(count):
                lower[count, j] = directions[j, k]
                pivot -= lower[count, j] * lower[count, j]
            if here * here <= negligible or pivot <= tiny:
                break
            root = math.sqrt(pivot)
            lower[count, count], along[count], atoms[i, count] = root, here / root, k
            left -= along[count] * along[count]
            if count + 1 < width and left > stops[i]:
                for j in range(mix.size):
                    mix[j] = lower[count, j] / root if j < count else 0.0
                step_along(c, gram[k], kind(1 / root), kind(along[count]), directions, mix, count, fresh)
            count += 1
        solve_back(lower, along, count, values[i])
