"""The logarithm of a partition function: by integrating the mean cost over beta, or by Laplace's method.

    log Z(beta) = n log k - ∫_0^beta <R>_b db         (samplers give <R> at each b)
    log ∫ exp(-f(y)/T) dy ≈ -f(y0)/T + d/2 log 2πT - ½ log det f''(y0)        (y0 the minimum; exact as T -> 0)

References: Kirkwood, J. Chem. Phys. 3 (1935); Tierney & Kadane, JASA 81 (1986).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.costs.base import n_objects
from unmix.inference.sampler import Gibbs
from unmix.inference.step import refuse_unless_fit


class LogPartition(NamedTuple):
    """log Z, and the inverse temperatures and mean costs it was integrated from."""

    value: float
    betas: np.ndarray
    costs: np.ndarray


def integrate_log_partition(
    cost: Any, data: Any, k: int, temperature: float, *, n_betas: int = 21, sweeps: int = 1000, seed: int = 0
) -> LogPartition:
    """Thermodynamic integration by Gibbs sampling at Gauss–Legendre points of beta, from hot to cold."""
    step = Gibbs(sweeps)
    refuse_unless_fit(step, cost)
    points, weights = np.polynomial.legendre.leggauss(n_betas)
    betas, weights = (points + 1) / 2 / temperature, weights / 2 / temperature
    state, costs = step.begin(cost, data, k, spawn(seed, 0)), np.empty(n_betas)
    for turn, beta in enumerate(betas):
        state, _ = Gibbs(max(1, sweeps // 10)).visit(cost, data, state, 1 / beta, spawn(seed, turn, 1))
        state, visit = step.visit(cost, data, state, 1 / beta, spawn(seed, turn, 2))
        costs[turn] = visit.cost
    return LogPartition(float(n_objects(data) * np.log(k) - weights @ costs), betas, costs)


def laplace(f: Callable[[np.ndarray], float], start: np.ndarray, temperature: float) -> float:
    """log ∫ exp(-f(y)/T) dy about the minimum of f that a descent from `start` ends in."""
    from scipy.optimize import minimize

    found = minimize(f, start, method="BFGS", options={"gtol": 1e-9})
    curvature = second_derivatives(f, found.x)
    sign, log_determinant = np.linalg.slogdet(curvature)
    if sign <= 0:
        raise ValueError("f has no strict minimum near the start: its second derivatives are not positive there")
    d = len(found.x)
    return float(-found.fun / temperature + d / 2 * np.log(2 * np.pi * temperature) - log_determinant / 2)


def second_derivatives(f: Callable[[np.ndarray], float], y: np.ndarray) -> np.ndarray:
    """By central differences, at a step that balances truncation and rounding."""
    d, steps = len(y), np.diag(1e-4 * np.maximum(np.abs(y), 1.0))
    H = np.empty((d, d))
    for a in range(d):
        for b in range(a + 1):
            corners = [f(y + s * steps[a] + t * steps[b]) for s in (1, -1) for t in (1, -1)]
            H[a, b] = H[b, a] = (corners[0] - corners[1] - corners[2] + corners[3]) / (4 * steps[a, a] * steps[b, b])
    return H
