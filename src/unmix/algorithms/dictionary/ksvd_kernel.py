"""The compiled part of K-SVD: one atom after the other, with its coefficients, to the rank-1 fit of its signals.

With E_i = r_i + z_i u the residual without the atom, over the signals that use it:

    u ← Σ_i w_i z_i E_i / ||·||,   z_i ← <E_i, u>,   r_i ← E_i - z_i u

one step of the power iteration for the leading singular pair of E, started where the last one ended; each lowers the
error.  Rubinstein, Zibulevsky & Elad, Efficient implementation of the K-SVD algorithm, 2008.
"""

import math
from typing import Any

from unmix.core.compiled.kernel import kernel

FAST = {"reassoc", "contract", "nsz"}  # sums may be reordered, so that they run in parallel lanes


@kernel(fastmath=FAST, no_cpython_wrapper=True)
def to_unit_length(vector: Any) -> bool:
    """In place, whatever its size; False where it is zero or no number."""
    largest, square = 0.0, vector.dtype.type(0)
    for p in range(vector.size):
        size = abs(float(vector[p]))
        largest = size if size > largest else largest
    if not largest > 0:
        return False
    for p in range(vector.size):
        vector[p] = vector[p] / largest
        square += vector[p] * vector[p]
    length = vector.dtype.type(math.sqrt(square))
    for p in range(vector.size):
        vector[p] /= length
    return length > 0


@kernel(fastmath={"contract", "nsz"})
def subtract_fits(atoms: Any, values: Any, dictionary: Any, rows: Any) -> None:
    """X ← X - Z U, zero where X is NaN."""
    for i in range(rows.shape[0]):
        row = rows[i]
        for j in range(atoms.shape[1]):
            if atoms[i, j] >= 0:
                atom = dictionary[atoms[i, j]]
                for p in range(row.size):
                    row[p] -= values[i, j] * atom[p]
        for p in range(row.size):
            if math.isnan(row[p]):
                row[p] = 0


@kernel(fastmath=FAST)
def update_atoms(
    residuals: Any, dictionary: Any, values: Any, weights: Any, starts: Any, signals: Any, places: Any, scales: Any,
    fresh: Any,
) -> None:  # fmt: skip
    """One sweep over all atoms, in place; an atom that nobody uses stays as it is.

    Only the direction of Σ w z E matters, so one z is taken times its of the `scales`: no product leaves the range of
    numbers. `fresh` is room for an atom.
    """
    d, zero, kind = dictionary.shape[1], dictionary.dtype.type(0), dictionary.dtype.type
    for k in range(dictionary.shape[0]):
        old, square, turn = dictionary[k], zero, zero
        for p in range(d):
            fresh[p] = zero
        for j in range(starts[k], starts[k + 1]):
            residual, z = residuals[signals[j]], values[signals[j], places[j]]
            share = kind(z * scales[k]) * weights[signals[j]]
            for p in range(d):
                fresh[p] += share * residual[p]
            square += share * z
        for p in range(d):
            fresh[p] += square * old[p]
        if not to_unit_length(fresh):
            continue
        for p in range(d):
            turn += old[p] * fresh[p]
        for j in range(starts[k], starts[k + 1]):
            residual, z = residuals[signals[j]], values[signals[j], places[j]]
            new = z * turn
            for p in range(d):
                new += residual[p] * fresh[p]
            for p in range(d):
                residual[p] += z * old[p] - new * fresh[p]
            values[signals[j], places[j]] = new
        for p in range(d):
            old[p] = fresh[p]
