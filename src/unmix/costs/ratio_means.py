"""Means of ratios under independent labels, where neither the numerator nor the size may be put in by its mean.

    1 / S = ∫_0^∞ e^{-xS} dx,    S = Σ_i s_i z_i,    z_i = 1 with probability q_i

    E[f(z) / S] = ∫ Π_i φ_i(x) E_a[f] dx,    φ_i = 1 - q_i + q_i e^{-x s_i},    a_i = q_i e^{-x s_i} / φ_i

because tilted labels are independent again: z_i = 1 with probability a_i. One product with the links a point of x.
"""

from __future__ import annotations

import numpy as np

from unmix.costs.links import Links

STEP = 0.1  # of the integration variable, for about ten digits
FIRST, BEYOND = -3.5, 40.0  # e^-37 of 1 / size, and where e^{-x s} has vanished for the smallest s
POINTS_AT_ONCE = 16  # points at a time


def points(mean: float, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Points x and their weights: x = exp(u - e^-u) / size makes the trapezoidal rule converge exponentially."""
    size = max(mean, least)  # of the cluster, if it is not empty
    u = np.arange(FIRST, np.log(BEYOND * size / least) + STEP, STEP)
    x = np.exp(u - np.exp(-u)) / size
    return x, STEP * x * (1 + np.exp(-u))


def mean_ratio(links: Links, q: np.ndarray, sizes: np.ndarray, *, cut: bool) -> float:
    """E[cut / S] or E[inside / S] of one cluster: links that leave it, or both directions of those inside it."""
    there = (q > 0) & (sizes > 0)
    if not there.any():
        return 0.0
    total = 0.0
    x, weights = points(float(sizes @ q), float(sizes[there].min()))
    with np.errstate(divide="ignore"):
        inside, outside = np.log(q)[:, None], np.log1p(-q)[:, None]
    for first in range(0, len(x), POINTS_AT_ONCE):
        part = slice(first, first + POINTS_AT_ONCE)
        tilted = inside - np.multiply.outer(sizes, x[part])
        log_each = np.logaddexp(outside, tilted)
        a = np.exp(tilted - log_each)
        partners = np.exp(outside - log_each) if cut else a
        numerator = (a * links.pull(partners)).sum(axis=0)
        total += float(weights[part] @ (np.exp(log_each.sum(axis=0)) * numerator))
    return total
