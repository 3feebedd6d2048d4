"""The compiled part of matching pursuit, on inner products alone: c ← c - c[k] gram[k]."""

from typing import Any

from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import FAST, largest
from unmix.core.compiled.kernel import kernel


@kernel(fastmath=FAST)
def match(
    correlations: Any, bits: Any, sizes: Any, squares: Any, gram: Any, stops: Any, tiny: float, most_steps: int,
    place: Any, atoms: Any, values: Any,
) -> None:  # fmt: skip
    """One code a row of `correlations`; see `pursue` in orthogonal_matching_pursuit_kernel.py for the arguments.

    `place` is -1 for every atom, and is so again in the end: where an atom stands in the code of the signal at hand.
    """
    for i in range(squares.size):
        c, left, count = correlations[i], squares[i], 0
        negligible = tiny * tiny * squares[i]
        for _ in range(most_steps):
            if count == atoms.shape[1] or left <= stops[i]:
                break
            k = largest(bits[i], sizes)
            step = c[k]
            square = float(step) * float(step)
            if square <= negligible:
                break
            if place[k] < 0:
                place[k], atoms[i, count] = count, k
                count += 1
            values[i, place[k]] += step
            left -= square
            for m in range(c.size):
                c[m] -= step * gram[k, m]
        for j in range(count):
            place[atoms[i, j]] = -1
