"""Sampling labels from p(c) ∝ exp(-R(c)/T) by moves of single objects; cooled, this is simulated annealing.

    Gibbs       draw c_i from its law given all others
    Metropolis  propose a label, accept with min(1, e^-Δ/T), or by the heat bath with 1 / (1 + e^Δ/T)

Both leave the Gibbs distribution unchanged, whatever the order of objects. References: Metropolis et al., J. Chem.
Phys. 21 (1953); Geman & Geman, IEEE PAMI 6 (1984); Kirkpatrick, Gelatt & Vecchi, Science 220 (1983).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.costs.base import Cost, HasMoves, n_objects
from unmix.inference.step import Visit


class Sampled(NamedTuple):
    """Labels now, and the best seen."""

    labels: np.ndarray
    best: np.ndarray
    best_cost: float
    k: int


class Gibbs:
    """Heat-bath sampling over all labels of one object at a time."""

    requires: Any = HasMoves

    def __init__(self, sweeps: int = 10) -> None:
        self.sweeps = sweeps

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
        from unmix.costs.moves import packed

        labels, k = state.labels.copy(), state.k
        running = packed(cost.state(data, np.eye(k)[labels]))
        beta = 1 / temperature if temperature > 0 else np.inf
        value = float(cost.total(data, labels))
        best, best_cost, seen, moved = state.best, state.best_cost, [], 0
        for _ in range(self.sweeps):
            moved, change = self.sweep(running, labels, beta, k, rng)
            value += change
            seen.append(value)
            rounding = 1e-12 * abs(best_cost)
            # moves at zero temperature gain, even if less than the rounding of a large cost shows
            if value < best_cost - rounding or (temperature == 0 and moved and value <= best_cost + rounding):
                best, best_cost = labels.copy(), min(value, best_cost)
            if moved == 0 and temperature == 0:
                break
        visit = Visit(float(np.mean(seen)), float(np.var(seen)), np.nan, moved / len(labels), len(seen))
        return Sampled(labels, best, best_cost, k), visit

    def sweep(
        self, running: Any, labels: np.ndarray, beta: float, k: int, rng: np.random.Generator
    ) -> tuple[int, float]:
        from unmix.inference.sweeps import gibbs_sweep

        moved, change = gibbs_sweep(running, labels, rng.permutation(len(labels)), rng.random(len(labels)), beta, k)
        return int(moved), float(change)

    def shares(self, state: Sampled) -> np.ndarray:
        return np.eye(state.k)[state.best]


class Metropolis(Gibbs):
    """One proposed label an object and sweep, drawn uniformly; `heat_bath` chooses the rule of acceptance."""

    def __init__(self, sweeps: int = 20, heat_bath: bool = False) -> None:
        super().__init__(sweeps)
        self.heat_bath = heat_bath

    def sweep(
        self, running: Any, labels: np.ndarray, beta: float, k: int, rng: np.random.Generator
    ) -> tuple[int, float]:
        from unmix.inference.sweeps import metropolis_sweep

        n = len(labels)
        order, proposed, uniform = rng.permutation(n), rng.integers(0, k, n), rng.random(n)
        moved, change = metropolis_sweep(running, labels, order, proposed, uniform, beta, k, self.heat_bath)
        return int(moved), float(change)


Proposal = Callable[[np.ndarray, np.random.Generator], tuple[np.ndarray, float]]


class MetropolisHastings(Gibbs):
    """The user's own proposals, for any cost at all.

    ``propose(labels, rng)`` returns new labels and log g(labels | new) - log g(new | labels), zero if symmetric. Every
    proposal costs one evaluation of `total`.
    """

    requires: Any = Cost

    def __init__(self, propose: Proposal, sweeps: int = 100) -> None:
        super().__init__(sweeps)
        self.propose = propose

    def visit(
        self, cost: Any, data: Any, state: Sampled, temperature: float, rng: np.random.Generator
    ) -> tuple[Sampled, Visit]:
        labels, value = state.labels, float(cost.total(data, state.labels))
        best, best_cost, seen, accepted = state.best, state.best_cost, [], 0
        for _ in range(self.sweeps):
            new, log_ratio = self.propose(labels, rng)
            rise = float(cost.total(data, new)) - value
            exponent = log_ratio - rise / temperature if temperature > 0 else (np.inf if rise < 0 else -np.inf)
            if np.log(rng.random()) < exponent:
                labels, value, accepted = new, value + rise, accepted + 1
                if value < best_cost:
                    best, best_cost = labels, value
            seen.append(value)
        visit = Visit(float(np.mean(seen)), float(np.var(seen)), np.nan, accepted / self.sweeps, self.sweeps)
        return Sampled(labels, best, best_cost, state.k), visit
