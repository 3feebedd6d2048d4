"""Compiled moves of the Potts cost."""

from typing import Any

from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register
from unmix.costs.potts import State


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    for c in range(out.size):
        out[c] = state.field[i, c] - state.pull[c, i]


def shift(state: Any, i: int, c: int, amount: float) -> None:
    spread(state.dense, state.starts, state.neighbours, state.weights, i, c, amount, state.pull)


register(State, move_costs, shift)
