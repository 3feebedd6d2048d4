"""The agreement of posteriors known only through their costs: by enumeration, or by sampling and integration.

    log |C| κ_β = -∫_0^β (<R′ + R″>_both - <R′> - <R″>) db

because κ = Z(X′, X″) / (Z(X′) Z(X″)) and -d log Z / dβ is the mean cost. Means come from Gibbs chains at
Gauss–Legendre points between neighbouring temperatures, which begin where the hotter ones ended. Energies do not
change when clusters are renamed, so no chain has to visit all K! names. Reference: Kirkwood, J. Chem. Phys. 3 (1935).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from unmix.core.random import spawn
from unmix.inference.agreement.joint import Both, Joint
from unmix.inference.enumerate import enumerate_labellings
from unmix.inference.sampler import Gibbs
from unmix.inference.step import refuse_unless_fit

N_POINTS = 3  # between neighbouring temperatures
N_BATCHES = 8  # parts of a chain, whose scatter gives the error


class Curve(NamedTuple):
    """log |C| κ in nats and its standard error at each temperature."""

    total: np.ndarray
    error: np.ndarray


def enumerated(cost: Any, first: Any, second: Any, k: int, temperatures: np.ndarray) -> Curve:
    """Over all k^n labellings, exactly."""
    costs = [enumerate_labellings(cost, data, k, 1.0).costs for data in (first, second)]
    beta = 1 / np.asarray(temperatures)[:, None]
    log_z = [logsumexp(-beta * R, axis=1) for R in (costs[0] + costs[1], *costs)]
    return Curve(np.log(len(costs[0])) + log_z[0] - log_z[1] - log_z[2], np.zeros(len(beta)))


def sampled(
    cost: Any, first: Any, second: Any, k: int, temperatures: np.ndarray, *, sweeps: int = 400, seed: int = 0
) -> Curve:
    """By thermodynamic integration along temperatures, in any order; `sweeps` at each of three points between two."""
    refuse_unless_fit(Gibbs(), cost)
    betas = 1 / np.asarray(temperatures, np.float64)
    order = np.argsort(betas)
    points, weights = quadrature(np.concatenate([[0.0], betas[order]]))
    problems = [(Joint(cost), Both(first, second)), (cost, first), (cost, second)]
    chains = [mean_costs(*problem, k, points.ravel(), sweeps, (seed, i)) for i, problem in enumerate(problems)]
    (both, noise), *alone = chains
    slope = both - sum(mean for mean, _ in alone)
    variance = noise + sum(other for _, other in alone)
    total, error = np.empty(len(betas)), np.empty(len(betas))
    total[order] = -np.cumsum((weights * slope.reshape(weights.shape)).sum(axis=1))
    error[order] = np.sqrt(np.cumsum((weights**2 * variance.reshape(weights.shape)).sum(axis=1)))
    return Curve(total, error)


def quadrature(ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gauss–Legendre points and weights (intervals, N_POINTS) between neighbouring ends."""
    x, w = np.polynomial.legendre.leggauss(N_POINTS)
    half = np.diff(ends)[:, None] / 2
    return ends[:-1, None] + half * (x + 1), half * w


def mean_costs(
    cost: Any, data: Any, k: int, betas: np.ndarray, sweeps: int, seed: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """The mean cost at each of the rising betas, and the variance of that mean, from parts of the chain."""
    step = Gibbs(max(1, sweeps // N_BATCHES))
    state = step.begin(cost, data, k, spawn(*seed))
    means = np.empty((len(betas), N_BATCHES))
    for turn, beta in enumerate(betas):
        state, _ = step.visit(cost, data, state, 1 / beta, spawn(*seed, turn, 0))
        for batch in range(N_BATCHES):
            state, visit = step.visit(cost, data, state, 1 / beta, spawn(*seed, turn, batch + 1))
            means[turn, batch] = visit.cost
    return means.mean(axis=1), means.var(axis=1, ddof=1) / N_BATCHES
