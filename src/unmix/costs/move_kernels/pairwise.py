"""Compiled moves of pairwise clustering."""

from typing import Any

from numba import njit

from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register
from unmix.costs.pairwise import State


@njit(nogil=True)
def price(size: float, inside: float, pairs: float) -> float:
    return size * inside / (2 * pairs) if pairs > 1e-12 else 0.0


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    complete = state.pairs.size == 0
    for c in range(out.size):
        q, pull = share[c], state.pull[c, i]
        size, inside = state.size[c] - q, state.inside[c] - 2 * q * pull
        if complete:
            pairs, more = size * size, 2 * size + 1
        else:
            seen = state.seen[c, i]
            pairs, more = state.pairs[c] - 2 * q * seen - q, 2 * seen + 1
        out[c] = price(size + 1, inside + 2 * pull, pairs + more) - price(size, inside, pairs)


def shift(state: Any, i: int, c: int, amount: float) -> None:
    if state.pairs.size:
        state.pairs[c] += 2 * amount * state.seen[c, i] + amount
        spread(state.known, state.starts, state.neighbours, state.weights, i, amount, state.seen[c])
    state.size[c] += amount
    state.inside[c] += 2 * amount * state.pull[c, i]
    spread(state.dense, state.starts, state.neighbours, state.weights, i, amount, state.pull[c])


register(State, move_costs, shift)
