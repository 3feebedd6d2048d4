"""A sweep of the sequential mean field of a Potts cost with few neighbours an object, all its clusters at once.

    q_ic ∝ exp(-(h_ic - Σ_j J_ij q_jc) / T)

This is `mean_field_sweep` (sweeps.py), which asks the cost for one cluster after the other: the numbers of an object
stand side by side, so that exponentials and what its neighbours feel of a change are done by registers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.core.kernel import kernel
from unmix.costs.potts import Couplings
from unmix.inference.soften import constants, exponentials


def potts_sweep(data: Couplings, q: np.ndarray, beta: float, damping: float) -> Callable[[np.ndarray], float]:
    """A sweep over objects in a given order, which moves q (n, k) in place and returns the largest change."""
    links, k = data.links, q.shape[1]
    field, pull = np.ascontiguousarray(data.field, np.float64), np.ascontiguousarray(links.pull(q), np.float64)
    numbers, integer = constants(np.float64)
    work = np.empty((4, k))
    graph, rooms = (links.starts, links.neighbours, links.weights), (numbers, work, work.view(integer))
    return lambda order: float(_sweep(field, pull, *graph, q, order, beta, damping, *rooms))


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
    numbers: Any,
    work: Any,
    work_bits: Any,
) -> float:
    k, largest = q.shape[1], 0.0
    change = np.empty(k)
    for i in order:
        low = field[i, 0] - pull[i, 0]
        for c in range(k):
            change[c] = field[i, c] - pull[i, c]
            low = min(low, change[c])
        for c in range(k):
            change[c] = beta * (low - change[c])
        exponentials(change, numbers, work, work_bits)
        scale, moved = 1.0 / change.sum(), 0.0
        for c in range(k):
            change[c] = (1.0 - damping) * (change[c] * scale - q[i, c])
            q[i, c] += change[c]
            moved = max(moved, abs(change[c]))
        if moved > 0.0:
            largest = max(largest, moved)
            for at in range(starts[i], starts[i + 1]):
                felt, weight = pull[neighbours[at]], weights[at]
                for c in range(k):
                    felt[c] += weight * change[c]
    return largest
