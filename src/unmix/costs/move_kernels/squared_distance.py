"""Compiled moves of the K-means cost, with every prototype at the mean of its rows.

cost of row x of weight w in a cluster of weight m and mean u (without x):  w m / (w + m) ||x - u||²
"""

from typing import Any

from unmix.costs.moves import register
from unmix.costs.squared_distance import NEGLIGIBLE_WEIGHT, State


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    row, weight = state.rows[i], state.weights[i]
    for c in range(out.size):
        held = share[c] * weight
        mass, square = state.mass[c] - held, 0.0
        if mass > NEGLIGIBLE_WEIGHT * weight:
            inverse = 1.0 / mass
            for j in range(row.size):
                difference = row[j] - (state.sums[c, j] - held * row[j]) * inverse
                square += difference * difference
            square *= weight * mass / (weight + mass)
        out[c] = square


def shift(state: Any, i: int, c: int, amount: float) -> None:
    row, part = state.rows[i], amount * state.weights[i]
    state.mass[c] += part
    for j in range(row.size):
        state.sums[c, j] += part * row[j]


register(State, move_costs, shift)
