"""The search for the state of least energy, by the method its name says."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.arguments import one_of, whole_number
from unmix.core.random import spawn
from unmix.core.schedule import geometric, linear, logarithmic
from unmix.costs.ising import Ising, IsingData, energies
from unmix.inference.ising.annealing import RULES, Runs, anneal_ising, beta_range
from unmix.inference.ising.exact import least_state
from unmix.inference.ising.graph_cut import minimum_cut_state
from unmix.inference.ising.mean_field import mean_field
from unmix.inference.ising.renormalization import improve
from unmix.inference.presets import solve
from unmix.inference.step import is_step

# The names of the engine, with the rule of acceptance that each stands for; spins have sweeps of their own for them.
ANNEALED_FLIPS = {
    "simulated_annealing": None,
    "gibbs": "heat_bath",
    "heat_bath": "heat_bath",
    "metropolis": "metropolis",
}
ANNEALED_MEANS = ("mean_field", "sequential_mean_field", "deterministic_annealing")  # of which one follows all
METHODS = (*ANNEALED_FLIPS, *ANNEALED_MEANS, "graph_cut", "enumeration")
PATIENCE = 3
MEAN_FIELD_STEPS = 50


def logarithmic_rise(first: float, last: float, n: int) -> np.ndarray:
    """beta_t = first log(t + 2) / log 2, as slow as the proof of convergence asks; wherever it ends."""
    return np.asarray(first / logarithmic(1.0, n))


SCHEDULES = {"linear": linear, "geometric": geometric, "logarithmic": logarithmic_rise}


class Search(NamedTuple):
    inference: Any = "simulated_annealing"  # a name, or a step of the engine
    n_init: int = 20
    n_sweeps: int = 1000
    beta_range: tuple[float, float] | None = None
    schedule: str = "linear"
    rule: str = "metropolis"
    generations: int = 0


def check(search: Search) -> None:
    """Refuse what cannot be meant."""
    for name, value, known in (
        ("inference", METHODS[0] if is_step(search.inference) else search.inference, METHODS),
        ("schedule", search.schedule, tuple(SCHEDULES)),
        ("rule", search.rule, tuple(RULES)),
    ):
        one_of(name, value, known)
    for name, number, least in (
        ("n_init", search.n_init, 1),
        ("n_sweeps", search.n_sweeps, 1),
        ("generations", search.generations, 0),
    ):
        whole_number(name, number, least)
    if search.beta_range is not None and not _are_betas(search.beta_range):
        raise ValueError(
            f"beta_range={search.beta_range!r}: give the first and the last beta, two finite numbers above 0; a beta "
            "of 0 does not see the model, take a small one"
        )


def _are_betas(pair: Any) -> bool:
    betas = np.asarray(pair)
    return betas.shape == (2,) and betas.dtype.kind in "fiu" and bool((np.isfinite(betas) & (betas > 0)).all())


def ground_state(data: IsingData, search: Search, seed: int) -> Runs:
    """The states found, best first."""
    check(search)
    if is_step(search.inference):
        return _by_step(data, search, seed)
    if search.inference == "enumeration":
        return _single(data, least_state(data))
    if search.inference == "graph_cut":
        return _single(data, minimum_cut_state(data))
    if search.inference in ANNEALED_MEANS:
        return _mean_field_annealing(data, search, seed)
    betas, rule = _betas(data, search, search.n_sweeps), ANNEALED_FLIPS[search.inference] or search.rule
    runs = anneal_ising(data, betas, runs=search.n_init, rule=RULES[rule], seed=seed)
    return improve(data, runs, generations=search.generations, patience=PATIENCE, seed=seed)


def _by_step(data: IsingData, search: Search, seed: int) -> Runs:
    """By the engine, with spins for labels 0 and 1."""
    found = solve(Ising(), data, 2, inference=search.inference, n_init=search.n_init, seed=seed)
    return _single(data, (2 * found.labels - 1).astype(np.int8))


def _betas(data: IsingData, search: Search, n: int) -> np.ndarray:
    first, last = beta_range(data) if search.beta_range is None else search.beta_range
    return SCHEDULES[search.schedule](first, last, n)


def _single(data: IsingData, spins: np.ndarray) -> Runs:
    return Runs(spins[None], energies(data, spins[None]))


def _mean_field_annealing(data: IsingData, search: Search, seed: int) -> Runs:
    """Means are followed as beta rises and rounded at the end."""
    betas, states = _betas(data, search, MEAN_FIELD_STEPS), []
    for run in range(search.n_init):
        means = spawn(seed, run).uniform(-0.1, 0.1, len(data.h))
        for beta in betas:
            means = mean_field(data, float(beta), means, max_iter=20, tol=1e-4).magnetization
        states.append(np.where(means > 0, 1, -1).astype(np.int8))
    spins = np.array(states)
    energy = energies(data, spins)
    order = np.argsort(energy, kind="stable")
    return Runs(spins[order], energy[order])
