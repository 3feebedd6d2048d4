"""The small sums of a Lloyd iteration, compiled because for little data they would cost more than the pass itself.

`move_centers` puts every centre on the mean of its rows; `wind` advances the clocks of the clusters (see lloyd.py).
"""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def move_centers(table: Any, change: Any, old: Any, new: Any) -> tuple[float, float, int]:
    """Add the change to the table and move the centres; returns the cost, the mean variance and the empty clusters."""
    k, d = old.shape
    square = explained = total = middle = 0.0
    empty = 0
    for c in range(k):
        for j in range(d + 3):
            table[c, j] += change[c, j]
        if table[c, d + 1] <= 0:  # what is empty is exactly zero, whatever rounding left
            empty += 1
            for j in range(d + 1):
                table[c, j] = 0.0
        for j in range(d):
            new[c, j] = table[c, j] / table[c, d] if table[c, d] > 0 else old[c, j]
            explained += new[c, j] * table[c, j]
        square += table[c, d + 2]
        total += table[c, d]
    for j in range(d):
        column = 0.0
        for c in range(k):
            column += table[c, j]
        middle += (column / total) ** 2
    return max(square - explained, 0.0), max(square / total - middle, 0.0) / d, empty


@numba.njit(cache=True, nogil=True)
def movement(old: Any, new: Any, drift: Any) -> float:
    """How far each centre moved; returns the sum of squares."""
    total = 0.0
    for c in range(old.shape[0]):
        square = 0.0
        for j in range(old.shape[1]):
            square += (new[c, j] - old[c, j]) ** 2
        drift[c] = np.sqrt(square)
        total += square
    return total


@numba.njit(cache=True, nogil=True)
def wind(gram: Any, drift: Any, seen: Any, held: Any, clock: Any, travelled: Any, charged: Any, reach: Any) -> None:
    """Advance the clocks, in place, by the movement of the centres since a pass.

    `gram` are the inner products of the centres, `seen` the largest distance of a scanned row to its centre, and `held`
    the number of rows that were not scanned.
    """
    k, longest = drift.size, 0.0
    for c in range(k):
        reach[c] = drift[c] + (max(reach[c], seen[c]) if held[c] > 0 else seen[c])
        travelled[c] += drift[c]
        longest = max(longest, gram[c, c])
    for a in range(k):
        owed = 0.0
        limit = 4 * reach[a] ** 2 + 1e-12 * longest
        for c in range(k):
            between = gram[a, a] + gram[c, c] - 2 * gram[a, c]
            if c != a and between * (1 - 1e-6) <= limit:  # a hair too many rivals, never too few
                owed = max(owed, travelled[c] - charged[a, c])
                charged[a, c] = travelled[c]
        clock[a] += drift[a] + owed
