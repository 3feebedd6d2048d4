"""Compiled moves of least-angle clustering."""

from typing import Any

from unmix.costs.least_angle import State
from unmix.costs.moves import register


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    row = state.rows[i]
    for c in range(out.size):
        product = 0.0
        for j in range(row.size):
            product += row[j] * state.sums[c, j]
        out[c] = -(product - share[c] * state.squares[i]) - state.squares[i] / 2


def shift(state: Any, i: int, c: int, amount: float) -> None:
    row = state.rows[i]
    for j in range(row.size):
        state.sums[c, j] += amount * row[j]


register(State, move_costs, shift)
