"""The compiled part of matching pursuit, on inner products alone: c ← c - c[k] gram[k]."""

from typing import Any

import numpy as np
from numba import njit

from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import FAST, largest


@njit(cache=True, nogil=True, fastmath=FAST)
def subtract_row(c: Any, row: Any, step: Any) -> None:
    for k in range(c.size):
        c[k] -= step * row[k]


@njit(cache=True, nogil=True)
def match(
    correlations: Any,
    bits: Any,
    sizes: Any,
    squares: Any,
    gram: Any,
    stops: Any,
    tiny: float,
    most_steps: int,
    atoms: Any,
    values: Any,
) -> None:
    """One code a row of `correlations`; see `pursue` in orthogonal_matching_pursuit_kernel.py for the arguments."""
    place = np.full(gram.shape[0], -1)  # of an atom in the code of the signal at hand
    for i in range(squares.size):
        c, left, count = correlations[i], squares[i], 0
        negligible = tiny * tiny * squares[i]
        for _ in range(most_steps):
            if count == atoms.shape[1] or left <= stops[i]:
                break
            k = largest(bits[i], sizes)
            step = c[k]
            if float(step) ** 2 <= negligible:
                break
            if place[k] < 0:
                place[k], atoms[i, count] = count, k
                count += 1
            values[i, place[k]] += step
            left -= float(step) ** 2
            subtract_row(c, gram[k], step)
        for j in range(count):
            place[atoms[i, j]] = -1
