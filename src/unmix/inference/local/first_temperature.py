"""Where cooling begins: a temperature at which labels are nearly free, in the units of the cost.

T = 1.1 times that of the first split where the cost knows it, else twice the spread of what the labels cost an object
while all others are labelled at random. A cost in other units is so followed by the same steps. Where a few objects
cost far more than the others, cooling goes on until these are cold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.costs.base import HasFields, HasMoves, n_objects

PROBES = 256  # objects whose labels are priced
RANGE = 1e-3  # the last temperature over the first
UNEQUAL = 1e-2  # objects whose labels cost less than this share of the first temperature have one of their own
PRICED = 16  # of them, where every price is an evaluation of the whole cost


def hot(cost: Any, data: Any, k: int, seed: int) -> float:
    """The first temperature for k clusters."""
    if hasattr(cost, "critical_temperature"):
        return max(1.1 * float(cost.critical_temperature(data)), np.finfo(float).tiny * 1e10)
    rng = spawn(seed, 2)
    labels = rng.integers(0, k, n_objects(data))
    h = price_labels(cost, data, labels, k, rng)
    spread = float(np.sqrt(np.mean((h - h.mean(axis=1, keepdims=True)) ** 2)))
    return 2 * spread if spread > 0 else 1.0  # where moves are free no temperature matters


def lowest(cost: Any, data: Any, k: int, first: float, seed: int) -> float:
    """Where cooling ends: at ``RANGE`` of the first temperature, or of a typical object where few objects set that."""
    rng = spawn(seed, 5)
    h = price_labels(cost, data, rng.integers(0, k, n_objects(data)), k, rng)
    spreads = np.sqrt(np.mean((h - h.mean(axis=1, keepdims=True)) ** 2, axis=1))
    typical = 2 * float(np.median(spreads[spreads > 0])) if (spreads > 0).any() else first
    return RANGE * (typical if typical < UNEQUAL * first else first)


def price_labels(cost: Any, data: Any, labels: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """(objects, k): the cost of each label, up to a constant an object, by the cheapest way the cost offers."""
    if isinstance(cost, HasFields):
        return cost.fields(data, np.eye(k)[labels])
    some = rng.permutation(len(labels))[:PROBES]
    if isinstance(cost, HasMoves):
        from unmix.costs.moves import packed
        from unmix.inference.local.sweeps import price_moves

        h = np.empty((len(some), k))
        price_moves(packed(cost.state(data, np.eye(k)[labels])), labels, some, h, *np.zeros((2, k)))
        return h
    numbers = np.arange(len(labels))
    return np.array([[cost.total(data, np.where(numbers == i, c, labels)) for c in range(k)] for i in some[:PRICED]])
