"""Compiled moves of pairwise clustering."""

from typing import Any

from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register
from unmix.costs.pairwise import State

NOTHING = 1e-12  # pairs of a cluster without objects, up to rounding


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
        less = size * inside / (2 * pairs) if pairs > NOTHING else 0.0
        pairs, inside = pairs + more, inside + 2 * pull
        out[c] = ((size + 1) * inside / (2 * pairs) if pairs > NOTHING else 0.0) - less


def shift(state: Any, i: int, c: int, amount: float) -> None:
    if state.pairs.size:
        state.pairs[c] += 2 * amount * state.seen[c, i] + amount
        spread(state.known, state.starts, state.neighbours, state.weights, i, c, amount, state.seen)
    state.size[c] += amount
    state.inside[c] += 2 * amount * state.pull[c, i]
    spread(state.dense, state.starts, state.neighbours, state.weights, i, c, amount, state.pull)


register(State, move_costs, shift)
