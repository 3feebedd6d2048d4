"""The small sums of a Lloyd iteration, compiled because for little data they would cost more than the pass itself.

`move_centers` puts every centre on the mean of its rows; `add_movement` and `advance_clocks` advance the clocks of
the clusters (see lloyd.py).
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel

CANCELLED = 1e-6  # a cost below this share of the squares it is the difference of has lost digits


@kernel
def move_centers(table: Any, change: Any, old: Any, new: Any) -> tuple[float, float, float, int]:
    """Add the change to the table and move the centres.

    Returns the cost, -1 if it has lost its digits, the mean variance of the columns, the weight of all rows, and the
    number of empty clusters.
    """
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
    cost = square - explained
    return cost if cost > CANCELLED * square else -1.0, max(square / total - middle, 0.0) / d, total, empty


@kernel
def unit_of_movement(cost: float, variance: float, mass: float, k: int, d: int) -> float:
    """The variance of the columns, or 16 times what the cost tells of it backwards, if that is less.

    Of a uniform density k clusters leave about k^(-2/d) of the variance. A few far rows make the variance as large as
    you like; then it says nothing of how near the other centres are to their place.
    """
    return min(variance, 16.0 * float(k) ** (2.0 / d) * cost / (mass * d))


@kernel
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


@kernel
def add_movement(drift: Any, group: Any, seen: Any, held: Any, travelled: Any, reach: Any) -> None:
    """Add the movement of the centres since a pass to their reach and to what their groups have travelled, in place.

    `seen` is the largest distance of a scanned row to its centre, and `held` the number of rows that were not scanned.
    """
    way = np.zeros(travelled.size)
    for c in range(drift.size):
        reach[c] = drift[c] + (max(reach[c], seen[c]) if held[c] > 0 else seen[c])
        way[group[c]] = max(way[group[c]], drift[c])
    for g in range(way.size):
        travelled[g] += way[g]


@kernel
def advance_clocks(
    gram: Any, first: int, norms: Any, drift: Any, group: Any, clock: Any, travelled: Any, charged: Any, reach: Any
) -> None:
    """Advance the clocks of the clusters from `first` on, in place; `gram` has a line of inner products for each."""
    k = drift.size
    for line in range(gram.shape[0]):
        a, owed = first + line, 0.0
        for c in range(k):
            between = norms[a] + norms[c] - 2 * gram[line, c]
            least = between * (1 - 1e-6) - 1e-12 * (norms[a] + norms[c])
            if c != a and not least > 4 * reach[a] ** 2:  # a hair too many rivals, never too few
                g = group[c]
                owed = max(owed, travelled[g] - charged[a, g])
                charged[a, g] = travelled[g]
        clock[a] += drift[a] + owed
