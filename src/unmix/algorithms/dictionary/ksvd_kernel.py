"""The compiled part of K-SVD: one atom after the other, with its coefficients, to the rank-1 fit of its signals.

With E_i = r_i + z_i u the residual without the atom, over the signals that use it:

    u ← Σ_i w_i z_i E_i / ||·||,   z_i ← <E_i, u>,   r_i ← E_i - z_i u

one step of the power iteration for the leading singular pair of E, started where the last one ended; each lowers the
error.  Rubinstein, Zibulevsky & Elad, Efficient implementation of the K-SVD algorithm, 2008.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import FAST


@njit(cache=True, nogil=True, fastmath=FAST)
def add_scaled(target: Any, row: Any, factor: Any) -> None:
    for p in range(row.size):
        target[p] += factor * row[p]


@njit(cache=True, nogil=True, fastmath=FAST)
def exchange(residual: Any, old: Any, z: Any, fresh: Any, new: Any) -> None:
    """residual += z old - new fresh."""
    for p in range(residual.size):
        residual[p] += z * old[p] - new * fresh[p]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def inner(a: Any, b: Any) -> float:
    total = a[0] * b[0]
    for p in range(1, a.size):
        total += a[p] * b[p]
    return total


@njit(cache=True, nogil=True)
def inverse_size(largest: float) -> float:
    """The power of two that brings the largest of some numbers near one; numbers times it keep their digits."""
    return math.ldexp(1.0, min(max(-math.frexp(largest)[1], -1000), 1000)) if largest > 0 else 1.0


@njit(cache=True, nogil=True)
def to_unit_length(vector: Any) -> bool:
    """In place, whatever its size; False where it is zero or no number."""
    largest = 0.0
    for p in range(vector.size):
        largest = max(largest, abs(float(vector[p])))
    scale = inverse_size(largest)
    for p in range(vector.size):
        vector[p] = vector[p] * scale
    length = np.sqrt(inner(vector, vector))
    if not length > 0:
        return False
    for p in range(vector.size):
        vector[p] /= length
    return True


@njit(cache=True, nogil=True)
def largest_value(values: Any, signals: Any, places: Any, first: int, last: int) -> float:
    """The size of the largest coefficient of an atom."""
    largest = 0.0
    for j in range(first, last):
        largest = max(largest, abs(float(values[signals[j], places[j]])))
    return largest


@njit(cache=True, nogil=True)
def subtract_fits(rows: Any, atoms: Any, values: Any, dictionary: Any) -> Any:
    """X - Z U, zero where X is NaN."""
    out = np.empty_like(rows)
    for i in range(rows.shape[0]):
        for p in range(rows.shape[1]):
            out[i, p] = rows[i, p]
        for j in range(atoms.shape[1]):
            if atoms[i, j] >= 0:
                add_scaled(out[i], dictionary[atoms[i, j]], -values[i, j])
        for p in range(rows.shape[1]):
            if np.isnan(out[i, p]):
                out[i, p] = 0
    return out


@njit(cache=True, nogil=True)
def users(atoms: Any, n_atoms: int) -> Any:
    """Starts, signals, places: atom k has the coefficients [signals[j], places[j]], starts[k] ≤ j < starts[k + 1]."""
    starts = np.zeros(n_atoms + 1, np.int64)
    for i in range(atoms.shape[0]):
        for j in range(atoms.shape[1]):
            if atoms[i, j] >= 0:
                starts[atoms[i, j] + 1] += 1
    for k in range(n_atoms):
        starts[k + 1] += starts[k]
    at, total = starts[:-1].copy(), starts[n_atoms]
    signals, places = np.empty(total, np.int64), np.empty(total, np.int64)
    for i in range(atoms.shape[0]):
        for j in range(atoms.shape[1]):
            k = atoms[i, j]
            if k >= 0:
                signals[at[k]], places[at[k]] = i, j
                at[k] += 1
    return starts, signals, places


@njit(cache=True, nogil=True)
def update_atoms(
    residuals: Any, dictionary: Any, values: Any, weights: Any, starts: Any, signals: Any, places: Any
) -> None:
    """One sweep over all atoms, in place; an atom that nobody uses stays as it is.

    Only the direction of Σ w z E matters, so one z is in units of the largest: no product leaves the range of numbers.
    """
    fresh = np.empty(dictionary.shape[1], dictionary.dtype)
    square, share = np.zeros(1, dictionary.dtype), np.zeros(1, dictionary.dtype)  # scalars of the type of the atoms
    for k in range(len(dictionary)):
        first, last = starts[k], starts[k + 1]
        old, scale = dictionary[k], inverse_size(largest_value(values, signals, places, first, last))
        fresh[:], square[0] = 0, 0
        for j in range(first, last):
            i = signals[j]
            z = values[i, places[j]]
            share[0] = z * scale
            add_scaled(fresh, residuals[i], share[0] * weights[i])
            square[0] += share[0] * z * weights[i]
        add_scaled(fresh, old, square[0])
        if not to_unit_length(fresh):
            continue
        turn = inner(old, fresh)
        for j in range(first, last):
            i = signals[j]
            z = values[i, places[j]]
            new = inner(residuals[i], fresh) + z * turn
            exchange(residuals[i], old, z, fresh, new)
            values[i, places[j]] = new
        old[:] = fresh
