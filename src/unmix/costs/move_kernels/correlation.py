"""Compiled moves of correlation clustering."""

from typing import Any

from unmix.costs.correlation import State
from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    for c in range(out.size):
        out[c] = state.threshold[0] * (state.size[c] - share[c]) - state.pull[c, i]


def shift(state: Any, i: int, c: int, amount: float) -> None:
    state.size[c] += amount
    spread(state.dense, state.starts, state.neighbours, state.weights, i, c, amount, state.pull)


register(State, move_costs, shift)
