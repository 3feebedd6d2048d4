"""The logarithm of a partition function: by integrating the mean cost over beta, or by Laplace's method.

    log Z(beta) = n log k - ∫_0^beta <R>_b db         (samplers give <R> at each b)
    log ∫ exp(-f(y)/T) dy ≈ -f(y0)/T + d/2 log 2πT - ½ log det f''(y0)        (y0 the minimum; exact as T -> 0)

References: Kirkwood, J. Chem. Phys. 3 (1935); Tierney & Kadane, JASA 81 (1986).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.costs.base import n_objects
from unmix.inference.sampler import Gibbs
from unmix.inference.step import refuse_unless_fit

Function = Callable[[np.ndarray], float]
DESCENTS = 20  # at most, each in the units the last one found
MOST_TRIES = 200  # at most, for the width of a coordinate


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


def laplace(f: Function, start: np.ndarray, temperature: float) -> float:
    """log ∫ exp(-f(y)/T) dy about the minimum of f that a descent from `start` ends in.

    All lengths are those over which f changes by about T, so the units of y and of f do not matter.
    """
    y, widths = _minimum(f, np.array(start, dtype=np.float64).ravel(), temperature)
    least = float(f(y))
    noise = np.finfo(float).eps * (abs(least) / temperature + 1)
    share = float(np.clip(30 * np.sqrt(noise), 1e-6, 1e-2))  # of T: curvature changes beyond it, rounding rules below
    scaled = second_derivatives(f, y, np.sqrt(share) * widths) * (np.multiply.outer(widths, widths) / temperature)
    sign, log_determinant = np.linalg.slogdet(scaled)
    if sign <= 0 or not np.isfinite(log_determinant):
        raise ValueError("f has no strict minimum near the start: its second derivatives are not positive there")
    spread = np.log(widths).sum() + len(y) / 2 * np.log(2 * np.pi) - log_determinant / 2
    return float(-least / temperature + spread)


def _minimum(f: Function, y: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """Where f is least, and how far along each axis it then rises by T/2; descents are repeated in those units."""
    from scipy.optimize import minimize

    widths = _widths(f, y, temperature)
    for _ in range(DESCENTS):
        here, height, before = y, float(f(y)), widths

        def rise(w: np.ndarray, here: np.ndarray = here, height: float = height, units: np.ndarray = before) -> float:
            return (float(f(here + units * w)) - height) / temperature

        found = minimize(rise, np.zeros(len(y)), jac=partial(_slope, rise), method="BFGS", options={"gtol": 1e-7})
        y = here + before * found.x if found.fun < 0 else here
        widths = _widths(f, y, temperature)
        if np.abs(y - here).max() <= 1e-3 * widths.min() and (np.abs(np.log(widths / before)) < 1).all():
            break
    return y, widths


def _slope(f: Function, w: np.ndarray) -> np.ndarray:
    """By central differences, wide enough for f to be far above its rounding."""
    along = np.diag(np.full(len(w), 1e-3))
    return np.array([(f(w + step) - f(w - step)) / 2e-3 for step in along])


def _widths(f: Function, y: np.ndarray, temperature: float) -> np.ndarray:
    """For each axis the step at which f changes by T/2 on the side where it changes more."""
    height, widths = float(f(y)), np.empty(len(y))
    for a in range(len(y)):
        along = np.zeros(len(y))
        width = 1e-4 * max(abs(float(y[a])), 1.0)
        for _ in range(MOST_TRIES):
            along[a] = width
            change = max(abs(float(f(y + along)) - height), abs(float(f(y - along)) - height)) / temperature
            change = change if np.isfinite(change) else np.inf
            if 0.25 <= change <= 1.0:
                break
            width *= float(np.clip(np.sqrt(0.5 / max(change, 1e-300)), 1e-3, 1e3))
        else:
            raise ValueError(f"f hardly depends on coordinate {a} near the start: it has no strict minimum there")
        widths[a] = width
    return widths


def second_derivatives(f: Function, y: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """By central differences."""
    d, along = len(y), np.diag(steps)
    H = np.empty((d, d))
    for a in range(d):
        for b in range(a + 1):
            corners = [f(y + s * along[a] + t * along[b]) for s in (1, -1) for t in (1, -1)]
            H[a, b] = H[b, a] = (corners[0] - corners[1] - corners[2] + corners[3]) / (4 * steps[a] * steps[b])
    return H
