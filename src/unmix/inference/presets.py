"""From a cost and the name of an inference to labels: where to begin, how to cool, how to end.

A run begins where labels are nearly free (first_temperature.py), cools geometrically, and ends by moving single objects
as long as that lowers the cost. The best run goes through a local search (local_search.py), so that no step is much
worse than another; costs with prototypes are left out, whose estimators refine by themselves. If a run is to stop at a
temperature above zero, samplers stay there and draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from unmix.core.random import derive
from unmix.core.schedule import geometric
from unmix.costs.base import HasMoves, HasPrototypes
from unmix.inference.anneal import Annealed, anneal
from unmix.inference.chains import Draws, Equilibrium, drawing_step, run_chains
from unmix.inference.local.first_temperature import RANGE, hot, lowest
from unmix.inference.local.local_search import refine
from unmix.inference.named_steps import make_step
from unmix.inference.sampler import Gibbs, Sampled
from unmix.inference.step import Step

FREEZE_SWEEPS = 200
MEAN_FIELDS = ("mean_field", "deterministic_annealing", "sequential_mean_field")
MANY, SWEEPS, FEWEST_SWEEPS = 20, 50, 10  # clusters up to which a mean field takes all its sweeps at a temperature


class Solution(NamedTuple):
    """The answer of `solve`: the best labels, and what is known of them."""

    labels: np.ndarray
    shares: np.ndarray  # (n, k)
    cost: float
    first_temperature: float
    equilibrium: Equilibrium | None = None  # what samplers have drawn at a last temperature above zero


def count_temperatures(cooling: float) -> int:
    """How many temperatures a factor of `cooling` makes on the way down."""
    return max(2, 1 + int(np.ceil(np.log(RANGE) / np.log(cooling))))


def solve(
    cost: Any,
    data: Any,
    k: int,
    *,
    inference: Any = "mean_field",
    temperature: float = 0.0,
    n_temperatures: int = 40,
    n_init: int = 1,
    seed: int = 0,
    starts: Sequence[np.ndarray] = (),
) -> Solution:
    """The best of `n_init` annealed runs, or what their chains share above zero; `inference` is a name or a Step.

    Labels `starts` that are found by other means compete with the runs for the local search.
    """
    step = make_step(inference, cost, sweeps=few_sweeps(inference, k) if temperature == 0 else None)
    assert step is not None, "no name is the caller's own"
    first = step.hot(cost, data, k) if hasattr(step, "hot") else hot(cost, data, k, seed)
    last = temperature if temperature > 0 else lowest(cost, data, k, first, seed)
    longer = np.log(max(first, last) / last) / -np.log(RANGE) if temperature == 0 else 1.0  # at the same speed
    cooling = geometric(max(first, last), last, max(n_temperatures, int(np.ceil(n_temperatures * longer - 1e-9))))
    if temperature > 0 and (chain := drawing_step(step, cost, data, k, temperature, derive(seed, 8))) is not None:
        return draw(step, chain, cost, data, k, cooling, n_init, seed)._replace(first_temperature=first)
    found = [run(step, cost, data, k, cooling, temperature == 0, seed, turn) for turn in range(n_init)]
    if temperature == 0:
        found += [hard_labels(cost, data, labels, k, seed, n_init + turn) for turn, labels in enumerate(starts)]
    labels, shares, value = min(found, key=lambda result: result[2])
    if temperature == 0 and isinstance(cost, HasMoves) and not isinstance(cost, HasPrototypes):
        labels = refine(cost, data, labels, k, first, derive(seed, 6))
        shares, value = np.eye(k)[labels], float(cost.total(data, labels))
    return Solution(labels, shares, value, first)


def few_sweeps(inference: Any, k: int) -> int | None:
    """Sweeps of a mean field of many clusters at each temperature; None leaves it to the step.

    At a temperature most of them follow clusters that part slowly, which the next temperature does as well; on the way
    to zero temperature no more work is spent on that than for `MANY` clusters.
    """
    many = k > MANY and isinstance(inference, str) and inference in MEAN_FIELDS
    return max(FEWEST_SWEEPS, SWEEPS * MANY // k) if many else None


def draw(
    step: Step, chain: Draws, cost: Any, data: Any, k: int, cooling: np.ndarray, n_init: int, seed: int
) -> Solution:
    """Chains at the last temperature, each from an annealed run of its own, in the names of the best labelling seen."""
    ends = [anneal(step, cost, data, k, cooling, seed=derive(seed, 3, turn)) for turn in range(n_init)]
    reference = min((best_seen(cost, data, end) for end in ends), key=lambda best: best[1])[0]
    starts = [end.labels for end in ends]
    seen = run_chains(chain, cost, data, starts, reference, k, float(cooling[-1]), derive(seed, 7))
    labels = seen.shares.argmax(axis=1)
    return Solution(labels, seen.shares, float(cost.total(data, labels)), float(cooling[0]), seen)


def best_seen(cost: Any, data: Any, end: Annealed) -> tuple[np.ndarray, float]:
    """The best labels of a run, if its state keeps them, else those at its end; and their cost."""
    if isinstance(end.state, Sampled):
        return end.state.best, end.state.best_cost
    return end.labels, float(cost.total(data, end.labels))


def run(
    step: Step, cost: Any, data: Any, k: int, cooling: np.ndarray, freeze: bool, seed: int, turn: int
) -> tuple[np.ndarray, np.ndarray, float]:
    stream = derive(seed, 3, turn)
    ended = anneal(step, cost, data, k, cooling, seed=stream)
    if not freeze:
        return ended.labels, ended.shares, float(cost.total(data, ended.labels))
    return hard_labels(cost, data, ended.labels, k, seed, turn)


def hard_labels(
    cost: Any, data: Any, labels: np.ndarray, k: int, seed: int, turn: int
) -> tuple[np.ndarray, np.ndarray, float]:
    """Hard labels that no single move betters, where the cost has moves."""
    if isinstance(cost, HasMoves):
        labels = descend(cost, data, labels, k, FREEZE_SWEEPS, derive(seed, 4, turn))
    return labels, np.eye(k)[labels], float(cost.total(data, labels))


def descend(cost: Any, data: Any, labels: np.ndarray, k: int, sweeps: int, seed: int) -> np.ndarray:
    """Move single objects as long as that lowers the cost."""
    start = Sampled(labels, labels, float(cost.total(data, labels)), k)
    return anneal(Gibbs(sweeps), cost, data, k, [0.0], seed=seed, start=start, name="descent").labels
