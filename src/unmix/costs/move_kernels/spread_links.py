"""The compiled update of pulls (links.py) after one object has moved."""

from typing import Any

from numba import njit


@njit(nogil=True)
def spread(dense: Any, starts: Any, neighbours: Any, weights: Any, i: int, amount: float, pull: Any) -> None:
    """pull[j] += amount W_ij for all neighbours j of i."""
    if dense.size:
        row = dense[i]
        for j in range(row.size):
            pull[j] += amount * row[j]
    else:
        for at in range(starts[i], starts[i + 1]):
            pull[neighbours[at]] += amount * weights[at]
