"""The compiled part of masked pursuit: an atom for each signal, its known part made orthonormal, a step along it."""

import math
from typing import Any

from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import FAST, largest, solve_back
from unmix.core.compiled.kernel import kernel


@kernel(fastmath=FAST)
def project_out(fresh: Any, basis: Any, count: int, lower: Any) -> float:
    """fresh -= its part in the span of the first `count` rows of the basis; what is left of its square."""
    for j in range(count):
        row, share = basis[j], 0.0
        for p in range(fresh.size):
            share += fresh[p] * row[p]
        lower[count, j] = share
        for p in range(fresh.size):
            fresh[p] -= share * row[p]
    square = 0.0
    for p in range(fresh.size):
        square += fresh[p] * fresh[p]
    return square


@kernel
def extend(
    going: Any,
    correlations: Any,
    inverse: Any,
    known: Any,
    unit: Any,
    squares: Any,
    tiny: float,
    row: Any,
    bits: Any,
    sizes: Any,
    residuals: Any,
    basis: Any,
    lower: Any,
    along: Any,
    counts: Any,
    left: Any,
    atoms: Any,
    on: Any,
    fresh: Any,
) -> None:
    """One more atom for every signal of `going`; `on` says which took one. The state is written in place.

    `row` is room for one number an atom, `bits` the same memory as integers, `fresh` room for an atom.
    """
    d = unit.shape[1]
    for g in range(going.size):
        i = going[g]
        for m in range(row.size):  # <r, M u>² / ||M u||² of every atom; `inverse` is 0 for those that are hardly seen
            row[m] = correlations[g, m] * correlations[g, m] * inverse[i, m]
        k = largest(bits, sizes)
        if row[k] <= tiny * tiny * squares[i]:
            continue
        whole = 0.0
        for p in range(d):
            fresh[p] = unit[k, p] if known[i, p] else 0.0
            whole += fresh[p] * fresh[p]
        count = counts[i]
        pivot = project_out(fresh, basis[i], count, lower[i])
        if pivot <= tiny * whole:  # the known parts of atoms can be dependent where the atoms are not
            continue
        root, step = math.sqrt(pivot), 0.0
        for p in range(d):
            fresh[p] /= root
            step += fresh[p] * residuals[i, p]
        for p in range(d):
            basis[i, count, p] = fresh[p]
            residuals[i, p] -= step * fresh[p]
        lower[i, count, count], along[i, count] = root, step
        left[i] -= step * step
        atoms[i, count] = k
        counts[i] = count + 1
        on[g] = True


@kernel
def finish(lower: Any, along: Any, counts: Any, values: Any) -> None:
    for i in range(counts.size):
        solve_back(lower[i], along[i], counts[i], values[i])
