"""Annealed EM over role sets: from a temperature at which all roles are one down to T = 1, then moves between optima.

F(T) = -T Σ_i w_i log Σ_L exp((log π_L + log p(x_i | L)) / T) - α Σ_L log π_L falls in every step at fixed T.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.roles.classical.discrete_basis import find_basis
from unmix.roles.classical.role_sets import extensions
from unmix.roles.noise.mixture_noise import Counts, Parameters, count, log_joint, maximize, respond
from unmix.roles.problem.patience import check_time

PSEUDO_COUNT = 0.5  # α: users added to each role set, so that a combination not seen yet is possible
ROUNDS = 10  # rounds of the M step in one step of EM
FIRST_NOISE = (0.1, 0.3)  # held while cooling, one or the other a start: each finds roles the other misses
LEAST_SEPARATION = 0.03  # roles are kept at least this far apart while they are one: what a split grows from
COOL_STEPS = 6
BLUR = 0.1  # of roles that are a start only
NEGLIGIBLE_SHARE = 1e-10  # of all users


class Data(NamedTuple):
    """Distinct rows of 0 and 1 (ndarray or CSR) and their weights."""

    rows: Any
    weights: np.ndarray


class Cooling(NamedTuple):
    parameters: Parameters
    temperature: float
    iteration: int
    done: bool


class Fit(NamedTuple):
    parameters: Parameters
    sets: np.ndarray
    mass: np.ndarray
    cost: float  # F(1): minus the penalised log-likelihood
    iterations: int

    @property
    def log_likelihood(self) -> float:
        return -self.cost - PSEUDO_COUNT * float(self.parameters.log_prior.sum())


def step(
    data: Data, sets: np.ndarray, parameters: Parameters, temperature: float, learn_noise: bool
) -> tuple[Parameters, float, np.ndarray]:
    """One step of EM; the free energy and the masses are those before it."""
    q, free = respond(log_joint(data.rows, sets, parameters), temperature)
    counts = count(data.rows, q, data.weights)
    cost = float(data.weights @ free) - PSEUDO_COUNT * float(parameters.log_prior.sum())
    held = counts.mass > NEGLIGIBLE_SHARE * counts.mass.sum()  # sets nobody holds say nothing of the roles
    some = Counts(counts.mass[held], counts.ones[held])
    fitted = maximize(sets[held], some, parameters, ROUNDS, learn_noise=learn_noise)
    # π minimises -T Σ q log(π)/T - α log π, so the pseudo-count does not depend on T
    total = counts.mass + PSEUDO_COUNT
    return fitted._replace(log_prior=np.log(total / total.sum())), cost, counts.mass


def em_at_temperature(
    data: Data,
    sets: np.ndarray,
    parameters: Parameters,
    *,
    temperature: float = 1.0,
    most: int,
    tol: float,
    learn_noise: bool,
) -> Fit:
    """EM at one temperature until the free energy falls by less than ``tol`` a user, at most ``most`` steps."""
    before, iteration = np.inf, 0
    while iteration < most:
        check_time()
        iteration += 1
        following, cost, mass = step(data, sets, parameters, temperature, learn_noise)
        if before - cost <= tol * data.weights.sum() * temperature:
            break
        parameters, before = following, cost
    return Fit(parameters, sets, mass, cost, iteration)


def first_parameters(data: Data, sets: np.ndarray, noise: float, seed: int) -> Parameters:
    """Every role grants each permission as often as users have it, and a little more or less by chance."""
    n_roles = sets.shape[1]
    share = np.asarray(data.weights @ data.rows).ravel() / data.weights.sum()
    wiggle = spawn(seed).normal(scale=LEAST_SEPARATION, size=(n_roles, len(share)))
    absent = np.clip(1 - share + wiggle, LEAST_SEPARATION, 1 - LEAST_SEPARATION)
    return Parameters(absent, noise, float(np.clip(share.mean(), 0.01, 0.99)), np.full(len(sets), -np.log(len(sets))))


def basis_parameters(data: Data, sets: np.ndarray) -> Parameters:
    """Roles of a Boolean factorization of small error, blurred; those it lacks grant nothing."""
    roles = find_basis(data.rows, data.weights, sets.shape[1]).roles
    absent = np.full((sets.shape[1], data.rows.shape[1]), 1 - BLUR)
    absent[: len(roles)] = np.where(roles > 0.5, BLUR, 1 - BLUR)
    return Parameters(absent, FIRST_NOISE[-1], 0.5, np.full(len(sets), -np.log(len(sets))))


def first_temperature(data: Data, sets: np.ndarray, parameters: Parameters) -> float:
    """Four times the spread of the log-likelihood over role sets: no set is much more probable than another."""
    joint = log_joint(data.rows, sets, parameters)
    return max(1.0, 4 * float(np.average(joint.std(axis=1), weights=data.weights)))


def keep_distinct(absent: np.ndarray) -> np.ndarray:
    """Roles that have come together are stretched about their mean, so that rounding never decides a split."""
    mean = absent.mean(axis=0)
    spread = float(np.abs(absent - mean).max())
    if not 0 < spread < LEAST_SEPARATION:
        return absent
    return np.clip(mean + (absent - mean) * (LEAST_SEPARATION / spread), 1e-3, 1 - 1e-3)


def anneal_roles(
    data: Data, sets: np.ndarray, *, noise: float, learn_noise: bool, cooling: float, seed: int
) -> Parameters:
    """Parameters followed from the first temperature to T = 1; the noise is held until there."""
    parameters = first_parameters(data, sets, noise, seed)
    temperature = first_temperature(data, sets, parameters)

    def cool(state: Cooling) -> tuple[Cooling, dict[str, float]]:
        fit = em_at_temperature(
            data,
            sets,
            state.parameters._replace(absent=keep_distinct(state.parameters.absent)),
            temperature=state.temperature,
            most=COOL_STEPS,
            tol=1e-5,
            learn_noise=False,
        )
        lower = max(1.0, state.temperature * cooling)
        done = state.temperature <= 1.0
        measured = {"temperature": state.temperature, "free_energy": fit.cost}
        return Cooling(fit.parameters, lower, state.iteration + 1, done), measured

    return iterate(cool, Cooling(parameters, temperature, 0, False), max_iter=10_000, name="annealing").parameters


def wanted_extensions(data: Data, fit: Fit) -> dict[tuple[int, ...], float]:
    """Sets one role larger than the largest there are, and how much likelihood users would gain by them."""
    size, joint = fit.sets.sum(axis=1).max(), log_joint(data.rows, fit.sets, fit.parameters)
    best = joint.argmax(axis=1)
    gains: dict[tuple[int, ...], float] = {}
    flat = fit.parameters._replace(log_prior=np.zeros(1))
    for index in np.unique(best[fit.sets.sum(axis=1)[best] == size]):
        users, larger = best == index, extensions(fit.sets[index])
        now = joint[users, index] - fit.parameters.log_prior[index]
        gain = np.maximum(log_joint(data.rows[users], larger, flat) - now[:, None], 0)
        for held, total in zip(larger, data.weights[users] @ gain, strict=True):
            key = tuple(np.flatnonzero(held).tolist())
            gains[key] = gains.get(key, 0.0) + float(total)
    return {key: gain for key, gain in gains.items() if gain > 0}


def extend(data: Data, fit: Fit, largest: int, most: int, options: dict[str, Any]) -> Fit:
    """Role sets one larger where users gain by them, until sets of ``largest`` roles were tried."""
    while fit.sets.sum(axis=1).max() < largest:
        gains = wanted_extensions(data, fit)
        used = fit.sets[(fit.mass > 0.1) | (fit.sets.sum(axis=1) <= 1)]
        chosen = sorted(gains, key=lambda key: (-gains[key], key))[: max(most - len(used), 0)]
        if not chosen:
            break
        larger = np.zeros((len(chosen), used.shape[1]))
        for row, key in zip(larger, chosen, strict=True):
            row[list(key)] = 1.0
        sets = np.concatenate([used, larger])
        parameters = fit.parameters._replace(log_prior=np.full(len(sets), -np.log(len(sets))))
        fit = em_at_temperature(data, sets, parameters, **options)
    return fit
