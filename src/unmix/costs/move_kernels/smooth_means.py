"""Compiled moves of the cost of smooth K-means, with every prototype at the mean of its rows.

cost of row x in a cluster of m other rows with mean u:  m / (m + 1) ||x - u||², less its links into the cluster
"""

from typing import Any

from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register
from unmix.costs.smooth_means import State
from unmix.costs.squared_distance import NEGLIGIBLE_WEIGHT


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    row = state.rows[i]
    for c in range(out.size):
        held = share[c]
        mass, square = state.mass[c] - held, 0.0
        if mass > NEGLIGIBLE_WEIGHT:
            inverse = 1.0 / mass
            for j in range(row.size):
                difference = row[j] - (state.sums[c, j] - held * row[j]) * inverse
                square += difference * difference
            square *= mass / (1.0 + mass)
        out[c] = square - state.pull[c, i]


def shift(state: Any, i: int, c: int, amount: float) -> None:
    row = state.rows[i]
    state.mass[c] += amount
    for j in range(row.size):
        state.sums[c, j] += amount * row[j]
    spread(state.dense, state.starts, state.neighbours, state.weights, i, c, amount, state.pull)


register(State, move_costs, shift)
