"""The constant that serves a column best where it has no closed form: the root of a slope that never falls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Gradient = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of a loss, in x and m

MOST_STEPS = 200  # far more than are needed: a dozen is usual
TOLERANCE = 1e-13  # of the slopes at the ends


def weighted_quantile(x: np.ndarray, weights: np.ndarray, level: float | np.ndarray) -> np.ndarray:
    """The smallest observed value of each column that has `level` of the weight at or below it; 0 for an empty one."""
    found = np.zeros(x.shape[1])
    for column, share in enumerate(np.broadcast_to(level, x.shape[1])):
        seen = np.flatnonzero(~np.isnan(x[:, column]) & (weights > 0))
        if seen.size:
            order = seen[np.argsort(x[seen, column], kind="stable")]
            below = np.cumsum(weights[order], dtype=np.float64)
            found[column] = x[order[min(int(np.searchsorted(below, share * below[-1])), seen.size - 1)], column]
    return found


def total_slope(gradient: Gradient, x: np.ndarray, weights: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """m → Σ weight · gradient of the cells that were observed, for an elementwise loss."""
    seen = ~np.isnan(x)
    filled, weight = np.where(seen, x, 0).astype(np.float64, copy=False), np.asarray(weights, np.float64)
    return lambda m: weight @ np.where(seen, gradient(filled, np.broadcast_to(m, x.shape)), 0.0)


def root(slope: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Where each slope is 0, between ends where it is not above and not below: the Illinois rule, and bisection.

    The chord through the ends cuts 0 near the root; an end that stays twice counts half, so that both come near.
    """
    low, high = np.array(low, np.float64), np.array(high, np.float64)
    at_low, at_high = slope(low), slope(high)
    size = np.maximum(np.abs(at_low), np.abs(at_high))
    middle, last = low.copy(), np.zeros_like(low)
    for step in range(MOST_STEPS):
        rise = at_high - at_low
        part = np.divide(-at_low, rise, out=np.full_like(rise, 0.5), where=(rise > 0) & (step % 4 != 3))
        middle = low + np.clip(part, 0, 1) * (high - low)
        at_middle = slope(middle)
        if (np.abs(at_middle) <= TOLERANCE * size).all():
            break
        right = at_middle < 0
        side = np.where(right, 1.0, -1.0)
        at_high = np.where(right, np.where(side == last, 0.5, 1.0) * at_high, at_middle)
        at_low = np.where(right, at_middle, np.where(side == last, 0.5, 1.0) * at_low)
        low, high, last = np.where(right, middle, low), np.where(right, high, middle), side
        if (high - low <= 4 * np.finfo(np.float64).eps * np.abs(middle)).all():
            break
    return middle
