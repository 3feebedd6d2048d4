"""Compiled sweeps over all objects, for any cost with moves (costs/moves.py).

Every sweep takes its random numbers as arrays, so that its result depends on nothing else. An infinite beta is zero
temperature: an object goes to its cheapest cluster and stays where it is among equals.
"""

import math
from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.costs.moves import move_costs, shift

NEGLIGIBLE = 41.0  # a share below exp(-41) of the largest changes no sum in float64; as zero it costs no move


@kernel(no_cpython_wrapper=True)
def weigh(h: Any, weights: Any, beta: float, own: int) -> float:
    """weights[c] <- exp(-beta (h[c] - min h)), whose sum is returned; at zero temperature one for the cheapest."""
    low, chosen, total = h[own], own, 0.0  # among equals an object stays where it is
    for c in range(h.size):
        if h[c] < low:
            low, chosen = h[c], c
    for c in range(h.size):
        if beta == np.inf:
            weights[c] = 1.0 if c == chosen else 0.0
        else:
            x = beta * (h[c] - low)
            weights[c] = math.exp(-x) if x < NEGLIGIBLE else 0.0
        total += weights[c]
    return total


@kernel(makes_arrays=False)
def relocate(state: Any, labels: Any, i: int, new: int) -> None:
    for amount in (-1.0, 1.0):
        shift(state, i, labels[i], amount)
        labels[i] = new


@kernel(makes_arrays=False)
def mean_field_sweep(state: Any, q: Any, order: Any, beta: float, damping: float, share: Any, h: Any) -> float:
    """Set every object's shares to its Gibbs law in the field of the others, one after another; the largest change."""
    largest = 0.0
    for step in range(order.size):
        i, own = order[step], 0
        for c in range(h.size):
            share[c] = q[i, c]
            if share[c] > share[own]:
                own = c
        move_costs(state, i, share, h)
        total = weigh(h, h, beta, own)
        for c in range(h.size):
            change = (1.0 - damping) * (h[c] / total - share[c])
            if change != 0.0:
                shift(state, i, c, change)
                q[i, c] += change
                if abs(change) > largest:
                    largest = abs(change)
    return largest


@kernel(makes_arrays=False)
def price_moves(state: Any, labels: Any, objects: Any, out: Any, share: Any, h: Any) -> None:
    """out (objects, k) <- what each label costs each object, all others as they are; `share` (k,) is zero."""
    for row in range(objects.size):
        i = objects[row]
        share[labels[i]] = 1.0
        move_costs(state, i, share, h)
        share[labels[i]] = 0.0
        for c in range(h.size):
            out[row, c] = h[c]
