"""Compiled moves on a map of dissimilarities."""

from typing import Any

from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register
from unmix.costs.pairwise_neighborhood import State


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    for c in range(out.size):
        out[c] = 0.0
    for r in range(out.size):
        first, last = state.near_starts[r], state.near_starts[r + 1]
        own = 0.0
        for entry in range(first, last):
            c = state.near[entry]
            own += share[c] * state.H[c, r]
        pull = state.pull[r, i]
        size, inside = state.size[r] - own, state.inside[r] - 2 * own * pull
        gain = pull - (inside / (2 * size) if size > 1e-12 else 0.0)
        for entry in range(first, last):
            c = state.near[entry]
            out[c] += state.H[c, r] * gain / max(size + state.H[c, r], 1e-12)


def shift(state: Any, i: int, c: int, amount: float) -> None:
    for r in range(state.H.shape[0]):
        part = amount * state.H[c, r]
        if part != 0.0:
            state.size[r] += part
            state.inside[r] += 2 * part * state.pull[r, i]
            spread(state.dense, state.starts, state.neighbours, state.weights, i, r, part, state.pull)


register(State, move_costs, shift)
