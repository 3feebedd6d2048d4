"""Compiled moves of the Potts cost, also with prototypes at the means of rows (smooth_means.py).

cost of row x in a cluster of m other rows with mean u:  its field and m / (m + 1) ||x - u||², less its links into it

Both are one pair of kernels, because smooth K-means needs both: rows without columns have no distances, and a field of
zeros adds nothing.
"""

from typing import Any

from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register
from unmix.costs.potts import State
from unmix.costs.squared_distance import NEGLIGIBLE_WEIGHT


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    columns = state.rows.shape[1]
    for c in range(out.size):
        out[c] = state.field[i, c] - state.pull[c, i]
    for c in range(out.size if columns > 0 else 0):
        held = share[c]
        mass = state.mass[c] - held
        if mass > NEGLIGIBLE_WEIGHT:
            inverse, square = 1.0 / mass, 0.0
            for j in range(columns):
                difference = state.rows[i, j] - (state.sums[c, j] - held * state.rows[i, j]) * inverse
                square += difference * difference
            out[c] += square * (mass / (1.0 + mass))


def shift(state: Any, i: int, c: int, amount: float) -> None:
    state.mass[c] += amount
    for j in range(state.rows.shape[1]):
        state.sums[c, j] += amount * state.rows[i, j]
    spread(state.dense, state.starts, state.neighbours, state.weights, i, c, amount, state.pull)


register(State, move_costs, shift)
