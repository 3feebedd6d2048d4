"""The last stage of multi-assignment clustering: roles of 0 and 1, noise and shares of role sets fitted to them.

With u_kj = 1 - β_kj in {0, 1} a grant is missing at rate f0 = ε (1 - r) and superfluous at rate f1 = ε r, both in
closed form. β between 0 and 1 would take part of the noise for a property of the role, and overfit small tables.
"""

from __future__ import annotations

import numpy as np

from unmix.roles.noise.annealed_roles import Data, Fit
from unmix.roles.noise.mixture_noise import EDGE, Counts, Parameters, count, log_joint, respond, row_pieces, sparse_sets
from unmix.roles.problem.patience import check_time

LEAST_RATE = 1e-6
ADDED_USERS = 2.0  # a role set


def as_parameters(roles: np.ndarray, missing: float, extra: float, log_prior: np.ndarray) -> Parameters:
    noise = missing + extra
    return Parameters(np.where(roles > 0.5, EDGE, 1 - EDGE), noise, extra / noise, log_prior)


def rates(sets: np.ndarray, counts: Counts, roles: np.ndarray) -> tuple[float, float]:
    """f0 and f1: the shares of zeros among granted entries and of ones among the others, their sum below 1."""
    granted = (sparse_sets(sets) @ roles > 0.5).astype(np.float64)
    all_entries = counts.mass[:, None] * np.ones_like(granted)
    zeros = all_entries - counts.ones
    missing = (granted * zeros).sum() / max((granted * all_entries).sum(), 1e-300)
    extra = ((1 - granted) * counts.ones).sum() / max(((1 - granted) * all_entries).sum(), 1e-300)
    return float(np.clip(missing, LEAST_RATE, 0.49)), float(np.clip(extra, LEAST_RATE, 0.49))


def pseudo_counts(sets: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Users added to each role set, two a set altogether, shared by how many roles users hold.

    A combination that was not seen is then as probable as one of its size that was.
    """
    size = sets.sum(axis=1).astype(int)
    users = np.bincount(size, weights=mass + 1e-3)
    return ADDED_USERS * len(sets) * (users / users.sum())[size] / np.bincount(size)[size]


def flip(sets: np.ndarray, counts: Counts, roles: np.ndarray, missing: float, extra: float) -> np.ndarray:
    """Every u_kj in turn at the better of its two values, given all others: the expected likelihood never falls."""
    # worth of granting an entry: log p(x | granted) - log p(x | not granted), summed over users
    one, zero = np.log((1 - missing) / extra), np.log(missing / (1 - extra))
    worth = counts.ones * one + (counts.mass[:, None] - counts.ones) * zero
    roles = roles.copy()
    depth = sparse_sets(sets) @ roles
    for k in range(len(roles)):
        holding = sets[:, k] > 0.5
        others = depth[holding] - roles[k]
        gain = (worth[holding] * (others < 0.5)).sum(axis=0)
        better = np.where(gain == 0, roles[k], gain > 0).astype(np.float64)
        depth[holding] += better - roles[k]
        roles[k] = better
    return roles


def expect(data: Data, sets: np.ndarray, parameters: Parameters) -> tuple[Counts, np.ndarray]:
    """The counts that are expected, and each user's free energy."""
    mass, ones, free = np.zeros(len(sets)), np.zeros((len(sets), data.rows.shape[1])), []
    for rows, weights in zip(row_pieces(data.rows, len(sets)), row_pieces(data.weights, len(sets)), strict=True):
        q, energy = respond(log_joint(rows, sets, parameters), 1.0)
        some = count(rows, q, weights)
        mass, ones = mass + some.mass, ones + some.ones
        free.append(energy)
    return Counts(mass, ones), np.concatenate(free)


def fit_boolean_roles(data: Data, fit: Fit, most: int, tol: float) -> tuple[np.ndarray, Fit, float]:
    """EM with Boolean roles from those of ``fit``, until the cost falls by less than ``tol`` a user."""
    pseudo = pseudo_counts(fit.sets, fit.mass)
    sets, roles, before = fit.sets, (fit.parameters.absent < 0.5).astype(np.float64), np.inf
    counts, _ = expect(data, sets, fit.parameters)
    iteration = 0
    while iteration < most:
        check_time()
        iteration += 1
        missing, extra = rates(sets, counts, roles)
        roles = flip(sets, counts, roles, missing, extra)
        total = counts.mass + pseudo
        parameters = as_parameters(roles, *rates(sets, counts, roles), np.log(total / total.sum()))
        counts, free = expect(data, sets, parameters)
        cost = float(data.weights @ free) - float(pseudo @ parameters.log_prior)
        if before - cost <= tol * data.weights.sum():
            break
        before = cost
    return roles, Fit(parameters, sets, counts.mass, cost, iteration), -float(data.weights @ free)
