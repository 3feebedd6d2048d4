"""Compiled moves of graph partitioning."""

from typing import Any

from unmix.core.compiled.kernel import kernel
from unmix.costs.cut import NEGLIGIBLE_SIZE, State
from unmix.costs.move_kernels.spread_links import spread
from unmix.costs.moves import register


@kernel(no_cpython_wrapper=True)
def price(balance: int, size: float, assoc: float, inside: float, limits: Any) -> float:
    """What a part costs."""
    empty, least, sign = limits[0], limits[1], limits[2]
    if size <= NEGLIGIBLE_SIZE:
        return empty
    norm = 2.0 if balance == 0 else size if balance == 1 else assoc
    return sign * (assoc - inside) / norm if assoc > NEGLIGIBLE_SIZE * least else 0.0


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    balance, degree = state.balance[0], state.degrees[i]
    for c in range(out.size):
        q, pull = share[c], state.pull[c, i]
        size, assoc, inside = state.size[c] - q, state.assoc[c] - q * degree, state.inside[c] - 2 * q * pull
        joined = price(balance, size + 1, assoc + degree, inside + 2 * pull, state.limits)
        out[c] = joined - price(balance, size, assoc, inside, state.limits)


def shift(state: Any, i: int, c: int, amount: float) -> None:
    state.size[c] += amount
    state.assoc[c] += amount * state.degrees[i]
    state.inside[c] += 2 * amount * state.pull[c, i]
    spread(state.dense, state.starts, state.neighbours, state.weights, i, c, amount, state.pull)


register(State, move_costs, shift)
