"""The label probabilities of every object at one temperature after another, from cold to hot.

    prototypes given      q_ic = exp(-h_ic / T) / Z_i                       exact
    prototypes free       the same, and U = argmin_U Σ_ic q_ic h_ic(U)      deterministic annealing, run backwards
    objects that interact q_ic ∝ exp(-h_ic(q) / T)                          mean field, an approximation

Every temperature begins where the colder one ended, and the coldest at a solution already found: what a good search
has found at zero temperature is kept as long as it is stable, and clusters join again as it gets hotter.
References: Rose, Proc. IEEE 86 (1998); Hofmann & Buhmann, IEEE PAMI 19 (1997).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.mean_field import MeanField, Shares, softmax

MAX_ITER, TOL = 30, 1e-5  # steps of EM at one temperature; it ends when a row's free energy falls by less than TOL T
FEW_COLUMNS = 32  # beyond, products of matrices are cheaper than loops


class FixedCosts(NamedTuple):
    """Costs of every object in every cluster that do not change: h (n, k)."""

    h: np.ndarray


class Annealed(NamedTuple):
    """A cost with prototypes, its data, and the prototypes at low temperature."""

    cost: Any
    data: Any
    prototypes: Any


class Interacting(NamedTuple):
    """A cost with fields, its data, and shares (n, k) at low temperature."""

    cost: Any
    data: Any
    shares: np.ndarray


Problem = FixedCosts | Annealed | Interacting


def follow(problem: Problem, temperatures: np.ndarray) -> Iterator[np.ndarray]:
    """Shares (n, k) at each of the rising temperatures."""
    if isinstance(problem, FixedCosts):
        return (softmax(problem.h, 1 / T) for T in temperatures)
    return anneal_prototypes(problem, temperatures) if isinstance(problem, Annealed) else heat(problem, temperatures)


def anneal_prototypes(problem: Annealed, temperatures: np.ndarray) -> Iterator[np.ndarray]:
    """EM at each temperature."""
    U = problem.prototypes
    for T in temperatures:
        U, q, _ = em_at_temperature(problem.cost, problem.data, U, float(T))
        yield q


def em_at_temperature(cost: Any, data: Any, U: Any, T: float) -> tuple[Any, np.ndarray, float]:
    """EM at one temperature: prototypes, shares, and the free energy of a row in units of T."""
    if small_k_means(cost, data):
        from unmix.inference.agreement.annealed_means import iterate_means

        means = np.array(U, np.float64)
        return means, *iterate_means(np.ascontiguousarray(data.T), means, T, MAX_ITER, TOL)
    from unmix.inference.local.soften import gibbs

    ones, before = np.ones(data.shape[0]), np.inf
    for _ in range(MAX_ITER):
        q, log_z, _ = gibbs(cost.distances(data, U), 1 / T, ones)
        free_energy = -float(log_z.mean())
        if before - free_energy < TOL:
            break
        before, U = free_energy, cost.prototypes(cost.statistics(data, q, U), U)
    return U, q, free_energy


def small_k_means(cost: Any, data: Any) -> bool:
    """Whether one compiled call is the cheaper way; only where calls are compiled."""
    if type(cost) is not SquaredDistance or not isinstance(data, np.ndarray) or data.dtype != np.float64:
        return False
    import numba

    return data.shape[1] <= FEW_COLUMNS and not numba.config.DISABLE_JIT


def better_start(problem: Annealed, others: Any, T: float) -> Annealed:
    """The problem begun at other prototypes, if these lead to a lower free energy at temperature T."""
    own, other = (em_at_temperature(problem.cost, problem.data, U, T) for U in (problem.prototypes, others))
    return problem._replace(prototypes=other[0] if other[2] < own[2] - TOL else own[0])


def heat(problem: Interacting, temperatures: np.ndarray) -> Iterator[np.ndarray]:
    """The mean field at each temperature; without jitter, since clusters only join."""
    step = MeanField("parallel", max_sweeps=100, tol=1e-6, jitter=0.0)  # small shares decide where samples disagree
    state, rng = Shares(problem.shares), np.random.default_rng(0)
    for T in temperatures:
        state, _ = step.visit(problem.cost, problem.data, state, float(T), rng)
        yield state.q


def costs_of(problem: Problem) -> np.ndarray:
    """(n, k): what each object costs in each cluster, at low temperature."""
    if isinstance(problem, FixedCosts):
        return problem.h
    if isinstance(problem, Annealed):
        return np.asarray(problem.cost.distances(problem.data, problem.prototypes))
    return np.asarray(problem.cost.fields(problem.data, problem.shares))


def hot_from(problem: Problem) -> float:
    """A temperature at which labels are nearly free: four times what a label at random costs more than the best."""
    h = costs_of(problem)
    return 4 * float((h.mean(axis=1) - h.min(axis=1)).mean())
