"""Compiled moves on a map of dissimilarities."""

from typing import Any

from numba import njit

from unmix.costs.moves import register
from unmix.costs.pairwise_neighborhood import State
from unmix.costs.spread_links import spread


@njit(nogil=True)
def price(size: float, inside: float) -> float:
    return inside / (2 * size) if size > 1e-12 else 0.0


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    k = out.size
    for c in range(k):
        out[c] = 0.0
    for r in range(k):
        own = 0.0
        for c in range(k):
            own += share[c] * state.H[c, r]
        pull = state.pull[r, i]
        size, inside = state.size[r] - own, state.inside[r] - 2 * own * pull
        alone = price(size, inside)
        for c in range(k):
            near = state.H[c, r]
            out[c] += price(size + near, inside + 2 * near * pull) - alone


def shift(state: Any, i: int, c: int, amount: float) -> None:
    for r in range(state.H.shape[0]):
        part = amount * state.H[c, r]
        if part != 0.0:
            state.size[r] += part
            state.inside[r] += 2 * part * state.pull[r, i]
            spread(state.dense, state.starts, state.neighbours, state.weights, i, part, state.pull[r])


register(State, move_costs, shift)
