"""Follow a Gibbs distribution from high temperature to low with any step.

Simulated annealing is a sampler that is cooled, mean-field annealing a mean field that is cooled. One iteration of the
loop is one temperature, so observers see each, and a checkpoint holds all that the next one needs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.inference.cooling import Cooling, as_cooling
from unmix.inference.step import Step, refuse_unless_fit


class Cooled(NamedTuple):
    iteration: int
    done: bool
    temperature: float  # of the next visit
    inner: Any


class Annealed(NamedTuple):
    """Where it ended: the step's state, the shares (n, k), their labels, and how many temperatures were visited."""

    state: Any
    shares: np.ndarray
    labels: np.ndarray
    n_temperatures: int


def anneal(
    step: Step,
    cost: Any,
    data: Any,
    k: int,
    temperatures: Cooling | Any,
    *,
    seed: int = 0,
    start: Any = None,
    name: str = "anneal",
) -> Annealed:
    """Visit the temperatures in turn: a falling sequence, or a `Cooling` that chooses the next from what was seen."""
    refuse_unless_fit(step, cost)
    cooling = as_cooling(temperatures)

    def advance(state: Cooled) -> tuple[Cooled, dict[str, float]]:
        rng = spawn(seed, 1, state.iteration)
        inner, visit = step.visit(cost, data, state.inner, state.temperature, rng)
        following = cooling.after(state.iteration, state.temperature, visit)
        done = following is None
        new = Cooled(state.iteration + 1, done, state.temperature if following is None else following, inner)
        return new, visit.measured(state.temperature)

    inner = step.begin(cost, data, k, spawn(seed, 0)) if start is None else start
    first = Cooled(0, False, cooling.first, inner)
    last: Cooled = iterate(advance, first, max_iter=cooling.most, name=name)
    shares = step.shares(last.inner)
    return Annealed(last.inner, shares, shares.argmax(axis=1), last.iteration)
