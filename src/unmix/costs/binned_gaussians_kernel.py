"""The compiled M step of parametric distributional clustering: weights and shared Gaussians by EM.

Its plain definition is the loop of `mix` and `climb` in binned_gaussians.py; tables are so small that numpy would spend
its time on calls.
"""

from typing import Any

import numpy as np
from numba import njit

NARROWEST, HALVINGS = 0.5, 6  # as in binned_gaussians.py
LEAST = np.log(1e-300)


@njit(cache=True, nogil=True)
def estimate(
    counts: Any, background: Any, floor: float, w: Any, means: Any, widths: Any, rounds: int, steps: int, adapt: bool
) -> Any:
    """Change weights w (k, s), and means and widths (s,) if `adapt`, in place; returns the Gaussians (s, m)."""
    s, m = means.size, background.size
    G, claims = np.empty((s, m)), np.empty(m)
    for a in range(s):
        fill(means[a], widths[a], G[a])
    for _ in range(rounds):
        for c in range(len(counts)):
            mix(counts[c], background, floor, w[c], G, steps)
        if adapt:
            excess = np.empty(counts.shape)
            for c in range(len(counts)):
                divide(counts[c], background, floor, w[c], G, excess[c])
            for a in range(s):
                claims[:] = 0.0
                for c in range(len(counts)):
                    for b in range(m):
                        claims[b] += w[c, a] * excess[c, b] * G[a, b]
                means[a], widths[a] = climb(claims, means[a], widths[a], G[a])
    return G


@njit(cache=True, nogil=True)
def divide(counts: Any, background: Any, floor: float, w: Any, G: Any, out: Any) -> None:
    """out <- N(b) / p(b)"""
    out[:] = 0.0
    for a in range(w.size):
        for b in range(out.size):
            out[b] += w[a] * G[a, b]
    for b in range(out.size):
        density = (1 - floor) * out[b] + floor * background[b]
        out[b] = counts[b] / density if counts[b] > 0 and density > 0 else 0.0


@njit(cache=True, nogil=True)
def mix(counts: Any, background: Any, floor: float, w: Any, G: Any, steps: int) -> None:
    """Steps of EM for the weights of one cluster; without counts it keeps them."""
    excess, new = np.empty(counts.size), np.empty(w.size)
    for _ in range(steps):
        divide(counts, background, floor, w, G, excess)
        for a in range(w.size):
            total = 0.0
            for b in range(counts.size):
                total += excess[b] * G[a, b]
            new[a] = w[a] * total
        total = new.sum()
        if not total > 0:
            return
        for a in range(w.size):
            w[a] = new[a] / total


@njit(cache=True, nogil=True)
def fill(mean: float, width: float, out: Any) -> float:
    """out <- a Gaussian over bins that adds up to one; returns the logarithm of what it was divided by."""
    total = 0.0
    for b in range(out.size):
        away = (b - mean) / width
        out[b] = np.exp(-0.5 * away * away) + 1e-300
        total += out[b]
    for b in range(out.size):
        out[b] /= total
    return float(np.log(total))


@njit(cache=True, nogil=True)
def likelihood(share: Any, mean: float, width: float, out: Any) -> float:
    """Σ_b share log G; `out` becomes G."""
    total, value = fill(mean, width, out), 0.0
    for b in range(share.size):
        away = (b - mean) / width
        value += share[b] * (max(-0.5 * away * away, LEAST) - total)
    return value


@njit(cache=True, nogil=True)
def climb(claims: Any, mean: float, width: float, out: Any) -> Any:
    """One step of a Gaussian towards the counts it claims, its likelihood never lower; `out` becomes it."""
    mass, bins = claims.sum(), claims.size
    if not mass > 0:
        return mean, width
    share, off = claims / mass, 0.0
    before = likelihood(share, mean, width, out)
    for b in range(bins):
        off += (share[b] - out[b]) * b
    wanted = min(max(mean + off, 0.0), bins - 1.0)
    reach, reached = 1.0, mean
    for _ in range(HALVINGS):
        if likelihood(share, mean + reach * (wanted - mean), width, out) >= before:
            reached = mean + reach * (wanted - mean)
            break
        reach /= 2
    before, spread, asked = likelihood(share, reached, width, out), 0.0, 0.0
    for b in range(bins):
        spread += out[b] * (b - reached) ** 2
        asked += share[b] * (b - reached) ** 2
    wanted = min(max(width * np.sqrt(asked / max(spread, 1e-300)), NARROWEST), max(float(bins), NARROWEST))
    reach, wide = 1.0, width
    for _ in range(HALVINGS):
        if likelihood(share, reached, width + reach * (wanted - width), out) >= before:
            wide = width + reach * (wanted - width)
            break
        reach /= 2
    fill(reached, wide, out)
    return reached, wide
