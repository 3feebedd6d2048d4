"""From a cost and the name of an inference to labels: where to begin, how to cool, how to end.

A run starts a little above the temperature of the first split where the cost knows it, else where moves cost about as
much as the temperature; it cools geometrically, and, unless it is to stop at a temperature above zero, ends by moving
single objects as long as that lowers the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.core.schedule import geometric
from unmix.costs.base import HasFields, HasMoves, n_objects
from unmix.inference.anneal import anneal
from unmix.inference.mean_field import MeanField
from unmix.inference.sampler import Gibbs, Metropolis, Sampled
from unmix.inference.step import Step, refuse_unless_fit

INFERENCES: dict[str, Callable[[], Step]] = {
    "mean_field": lambda: MeanField("parallel"),
    "sequential_mean_field": lambda: MeanField("sequential"),
    "simulated_annealing": lambda: Gibbs(10),
    "gibbs": lambda: Gibbs(10),
    "metropolis": lambda: Metropolis(20),
    "heat_bath": lambda: Metropolis(20, heat_bath=True),
}
RANGE = 1e-3  # the last temperature over the first, where none is given
FREEZE_SWEEPS = 200


class Solution(NamedTuple):
    labels: np.ndarray
    shares: np.ndarray  # (n, k)
    cost: float
    first_temperature: float


def make_step(inference: str | Step) -> Step:
    if not isinstance(inference, str):
        return inference
    if inference not in INFERENCES:
        raise ValueError(f"inference={inference!r} is not known; choose one of {', '.join(INFERENCES)}, or give a Step")
    return INFERENCES[inference]()


def hot(cost: Any, data: Any, k: int, seed: int) -> float:
    """A temperature at which labels are nearly free."""
    if hasattr(cost, "critical_temperature"):
        return max(1.1 * float(cost.critical_temperature(data)), np.finfo(float).tiny * 1e10)
    q = np.eye(k)[spawn(seed, 2).integers(0, k, n_objects(data))]
    h = cost.fields(data, q) if isinstance(cost, HasFields) else np.ones((1, 1))
    spread = float(np.sqrt(np.mean((h - h.mean(axis=1, keepdims=True)) ** 2)))
    return 2 * spread if spread > 0 else 1.0


def solve(
    cost: Any,
    data: Any,
    k: int,
    *,
    inference: str | Step = "mean_field",
    temperature: float = 0.0,
    n_temperatures: int = 40,
    n_init: int = 1,
    seed: int = 0,
) -> Solution:
    """The best of `n_init` annealed runs."""
    step = make_step(inference)
    refuse_unless_fit(step, cost)
    first = hot(cost, data, k, seed)
    last = temperature if temperature > 0 else RANGE * first
    cooling = geometric(max(first, last), last, n_temperatures)
    found = [run(step, cost, data, k, cooling, temperature == 0, seed, turn) for turn in range(n_init)]
    labels, shares, value = min(found, key=lambda result: result[2])
    return Solution(labels, shares, value, first)


def run(
    step: Step, cost: Any, data: Any, k: int, cooling: np.ndarray, freeze: bool, seed: int, turn: int
) -> tuple[np.ndarray, np.ndarray, float]:
    stream = int(spawn(seed, 3, turn).integers(2**31))
    ended = anneal(step, cost, data, k, cooling, seed=stream)
    if not freeze:
        return ended.labels, ended.shares, float(cost.total(data, ended.labels))
    labels = ended.labels
    if isinstance(cost, HasMoves):
        start = Sampled(labels, labels, float(cost.total(data, labels)), k)
        labels = anneal(Gibbs(FREEZE_SWEEPS), cost, data, k, [0.0], seed=stream, start=start, name="descent").labels
    return labels, np.eye(k)[labels], float(cost.total(data, labels))
