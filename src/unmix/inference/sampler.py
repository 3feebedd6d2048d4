"""Sampling labels from p(c) ∝ exp(-R(c)/T) by moves of single objects; cooled, this is simulated annealing.

    Gibbs       draw c_i from its law given all others
    Metropolis  propose a label, accept with min(1, e^-Δ/T), or by the heat bath with 1 / (1 + e^Δ/T)

Both leave the Gibbs distribution unchanged, whatever the order of objects. Where cooling ends above zero, a sampler
stays at the last temperature and draws labellings from it (chains.py). References: Metropolis et al., J. Chem.
Phys. 21 (1953); Geman & Geman, IEEE PAMI 6 (1984); Kirkpatrick, Gelatt & Vecchi, Science 220 (1983).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from unmix.core.arguments import whole_number
from unmix.costs.base import Cost, HasMoves, n_objects
from unmix.inference.chains import Sweep
from unmix.inference.step import Visit

FEWEST_DRAWS = 4  # of which halves can be compared


class Sampled(NamedTuple):
    """Labels now, and the best seen."""

    labels: np.ndarray
    best: np.ndarray
    best_cost: float
    k: int


class Gibbs:
    """Heat-bath sampling over all labels of one object at a time.

    `sweeps` at each temperature while it is cooled, `draws` at the last one if that is above zero.
    """

    requires: Any = HasMoves

    def __init__(self, sweeps: int = 10, draws: int = 500) -> None:
        for name, value, least in (("sweeps", sweeps, 1), ("draws", draws, FEWEST_DRAWS)):
            whole_number(name, value, least)
        self.sweeps, self.draws = int(sweeps), int(draws)

    def begin(self, cost: Any, data: Any, k: int, rng: np.random.Generator) -> Sampled:
        labels = rng.integers(0, k, n_objects(data)).astype(np.int64)
        return Sampled(labels, labels.copy(), float(cost.total(data, labels)), k)

    def restart(self, q: np.ndarray) -> Sampled:
        """Nothing seen so far counts, because the cost has changed."""
        labels = q.argmax(axis=1).astype(np.int64)
        return Sampled(labels, labels.copy(), float(np.finfo(float).max), q.shape[1])

    def visit(
        self, cost: Any, data: Any, state: Sampled, temperature: float, rng: np.random.Generator
    ) -> tuple[Sampled, Visit]:
        labels, costs = state.labels.copy(), []
        best, best_cost = state.best, state.best_cost
        for _, seen in zip(range(self.sweeps), self.walk(cost, data, labels, temperature, rng, state.k), strict=False):
            costs.append(seen.cost)
            rounding = 1e-12 * abs(best_cost)
            # moves at zero temperature gain, even if less than the rounding of a large cost shows
            gained = temperature == 0 and seen.moved > 0 and seen.cost <= best_cost + rounding
            if seen.cost < best_cost - rounding or gained:
                best, best_cost = labels.copy(), min(seen.cost, best_cost)
            if seen.moved == 0 and temperature == 0:
                break
        visit = Visit(float(np.mean(costs)), float(np.var(costs)), np.nan, seen.moved, len(costs))
        return Sampled(labels, best, best_cost, state.k), visit

    def walk(
        self, cost: Any, data: Any, labels: np.ndarray, temperature: float, rng: np.random.Generator, k: int
    ) -> Iterator[Sweep]:
        """One sweep after another, which move the labels in place."""
        from unmix.costs.moves import packed

        running = packed(cost.state(data, np.eye(k)[labels]))
        beta = 1 / temperature if temperature > 0 else np.inf
        value = float(cost.total(data, labels))
        while True:
            moved, change = self.sweep(running, labels, beta, k, rng)
            value += change
            yield Sweep(labels, value, moved / len(labels), running)

    def sweep(
        self, running: Any, labels: np.ndarray, beta: float, k: int, rng: np.random.Generator
    ) -> tuple[int, float]:
        from unmix.inference.local.local_moves import DRAW, sample

        order, uniform = rng.permutation(len(labels)), rng.random((1, len(labels)))
        return sample(running, labels, order, (DRAW, order, uniform, np.array([beta])), k)

    def shares(self, state: Sampled) -> np.ndarray:
        return np.eye(state.k)[state.best]


SimulatedAnnealing = Gibbs  # cooled; which of the samplers is cooled makes little difference


class Metropolis(Gibbs):
    """One proposed label an object and sweep, drawn uniformly; `heat_bath` chooses the rule of acceptance."""

    def __init__(self, sweeps: int = 20, heat_bath: bool = False, draws: int = 1000) -> None:
        super().__init__(sweeps, draws)
        self.heat_bath = heat_bath

    def sweep(
        self, running: Any, labels: np.ndarray, beta: float, k: int, rng: np.random.Generator
    ) -> tuple[int, float]:
        from unmix.inference.local.local_moves import HEAT_BATH, METROPOLIS, sample

        n, rule = len(labels), HEAT_BATH if self.heat_bath else METROPOLIS
        order, proposed, uniform = rng.permutation(n), rng.integers(0, k, n), rng.random((1, n))
        return sample(running, labels, order, (rule, proposed, uniform, np.array([beta])), k)


Proposal = Callable[[np.ndarray, np.random.Generator], tuple[np.ndarray, float]]


class MetropolisHastings(Gibbs):
    """Proposals of one's own, for any cost at all; every one costs an evaluation of `total`.

    ``propose(labels, rng)`` returns new labels and log g(labels | new) - log g(new | labels), zero if symmetric. By
    default one object, drawn at random, is given a label drawn at random.
    """

    requires: Any = Cost

    def __init__(self, propose: Proposal | None = None, sweeps: int = 100, draws: int = 5000) -> None:
        super().__init__(sweeps, draws)
        self.propose = propose

    def visit(
        self, cost: Any, data: Any, state: Sampled, temperature: float, rng: np.random.Generator
    ) -> tuple[Sampled, Visit]:
        labels, costs, accepted = state.labels.copy(), [], 0
        best, best_cost = state.best, state.best_cost
        for _, seen in zip(range(self.sweeps), self.walk(cost, data, labels, temperature, rng, state.k), strict=False):
            costs.append(seen.cost)
            accepted += seen.moved > 0
            if seen.moved and seen.cost < best_cost:
                best, best_cost = labels.copy(), seen.cost
        visit = Visit(float(np.mean(costs)), float(np.var(costs)), np.nan, accepted / self.sweeps, self.sweeps)
        return Sampled(labels, best, best_cost, state.k), visit

    def walk(
        self, cost: Any, data: Any, labels: np.ndarray, temperature: float, rng: np.random.Generator, k: int
    ) -> Iterator[Sweep]:
        """One proposal after another; a share moved of 0 is one that was not accepted."""
        value, propose = float(cost.total(data, labels)), self.propose or partial(relabel_one, k=k)
        while True:
            new, log_ratio = propose(labels, rng)
            rise = float(cost.total(data, new)) - value
            exponent = log_ratio - rise / temperature if temperature > 0 else (np.inf if rise < 0 else -np.inf)
            accepted = bool(np.log(rng.random()) < exponent)
            if accepted:
                labels[:], value = new, value + rise
            yield Sweep(labels, value, float(accepted), None)


def relabel_one(labels: np.ndarray, rng: np.random.Generator, k: int) -> tuple[np.ndarray, float]:
    """One object gets a label drawn at random, which is as likely as the way back."""
    new = labels.copy()
    new[rng.integers(len(labels))] = rng.integers(k)
    return new, 0.0
