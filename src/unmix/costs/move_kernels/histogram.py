"""Compiled moves of histogram clustering: logarithms only for the columns in which the row has counts.

cost of row x in a cluster of counts C (without x):  g(C + x) - g(C),   g(C) = N log(N + a) - Σ_j C_j log(C_j + a b_j)
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.costs.histogram import State
from unmix.costs.moves import register


@kernel(no_cpython_wrapper=True)
def x_log_y(x: float, y: float) -> float:
    return x * np.log(y) if x > 0.0 else 0.0


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    smoothing, size = state.smoothing[0], state.sizes[i]
    for c in range(out.size):
        q = share[c]
        mass = max(state.mass[c] - q * size, 0.0)
        rise = x_log_y(mass + size, mass + size + smoothing) - x_log_y(mass, mass + smoothing)
        for entry in range(state.starts[i], state.starts[i + 1]):
            x, j = state.counts[entry], state.columns[entry]
            without = max(state.pooled[c, j] - q * x, 0.0)
            prior = state.prior[j]
            rise -= x_log_y(without + x, without + x + prior) - x_log_y(without, without + prior)
        out[c] = rise / state.unit[0]


def shift(state: Any, i: int, c: int, amount: float) -> None:
    state.mass[c] += amount * state.sizes[i]
    for entry in range(state.starts[i], state.starts[i + 1]):
        state.pooled[c, state.columns[entry]] += amount * state.counts[entry]


register(State, move_costs, shift)
