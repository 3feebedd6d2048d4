"""Compiled moves of the K-means cost, with every prototype at the mean of its rows.

cost of row x in a cluster of size m and mean u (without x):  m / (m + 1) ||x - u||²
"""

from typing import Any

from unmix.costs.moves import register
from unmix.costs.squared_distance import State


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    row = state.rows[i]
    for c in range(out.size):
        q = share[c]
        size, square = state.mass[c] - q, 0.0
        if size > 1e-12:
            for j in range(row.size):
                difference = row[j] - (state.sums[c, j] - q * row[j]) / size
                square += difference * difference
        out[c] = square * size / (size + 1)


def shift(state: Any, i: int, c: int, amount: float) -> None:
    row = state.rows[i]
    state.mass[c] += amount
    for j in range(row.size):
        state.sums[c, j] += amount * row[j]


register(State, move_costs, shift)
