"""A sweep of the sequential mean field of a Potts cost with few neighbours an object, all its clusters at once.

    q_ic ∝ exp(-(h_ic - Σ_j J_ij q_jc) / T)

This is `mean_field_sweep` (sweeps.py), which asks the cost for one cluster after the other: here the numbers of an
object stand side by side, and what its neighbours feel of a change is done by registers.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.costs.potts import Couplings
from unmix.inference.local.soften import LEAST


def potts_sweep(data: Couplings, q: np.ndarray, beta: float, damping: float) -> Callable[[np.ndarray], float]:
    """A sweep over objects in a given order, which moves q (n, k) in place and returns the largest change."""
    links, k = data.links, q.shape[1]
    field, pull = np.ascontiguousarray(data.field, np.float64), np.ascontiguousarray(links.pull(q), np.float64)
    graph = links.starts, links.neighbours, links.weights
    return lambda order: float(_sweep(field, pull, *graph, q, order, beta, damping, np.empty(k)))


@kernel
def _sweep(
    field: Any,
    pull: Any,
    starts: Any,
    neighbours: Any,
    weights: Any,
    q: Any,
    order: Any,
    beta: float,
    damping: float,
    change: Any,
) -> float:
    largest = 0.0
    for step in range(order.size):
        i = order[step]
        low, total, moved = np.inf, 0.0, 0.0
        for c in range(change.size):
            change[c] = field[i, c] - pull[i, c]
            low = min(low, change[c])
        for c in range(change.size):
            x = beta * (low - change[c])
            change[c] = math.exp(x) if x > LEAST else 0.0
            total += change[c]
        scale = 1.0 / total
        for c in range(change.size):
            change[c] = (1.0 - damping) * (change[c] * scale - q[i, c])
            q[i, c] += change[c]
            moved = max(moved, abs(change[c]))
        if moved > 0.0:
            largest = max(largest, moved)
            for at in range(starts[i], starts[i + 1]):
                j, weight = neighbours[at], weights[at]
                for c in range(change.size):
                    pull[j, c] += weight * change[c]
    return largest
