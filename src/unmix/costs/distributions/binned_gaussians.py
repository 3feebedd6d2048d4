"""Gaussians over the bins of a histogram, G_α(b) ∝ exp(-(b - μ_α)² / 2 σ_α²) with Σ_b G_α(b) = 1.

Cut off by the ends and sampled at whole numbers, they have no closed-form estimate: at the best μ and σ, mean and
variance *of G* are those of the data. So both go there in steps, each halved until the likelihood does not fall.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

LEAST_WIDTH = 0.5  # half a bin: no narrower than what bins can tell
HALVINGS = 6


def gaussian_bins(means: np.ndarray, widths: np.ndarray, bins: int) -> np.ndarray:
    """(s, bins): Gaussians over bin numbers 0 … bins - 1, each summing to one."""
    away = (np.arange(bins) - means[:, None]) / widths[:, None]
    density = np.exp(-0.5 * away * away) + 1e-300
    return np.asarray(density / density.sum(axis=1, keepdims=True))


def mix(counts: np.ndarray, background: np.ndarray, floor: float, w: np.ndarray, G: np.ndarray) -> np.ndarray:
    """One step of EM for the weights (k, s) of clusters of counts (k, bins)."""
    density = (1 - floor) * w @ G + floor * background
    new = w * (np.where(counts > 0, counts / np.where(density > 0, density, 1.0), 0.0) @ G.T)
    total = new.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, new / np.where(total > 0, total, 1.0), w))


def climb(claims: np.ndarray, means: np.ndarray, widths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One step of each Gaussian towards the counts (s, bins) it claims; Σ_b claims log G never falls."""
    bins, mass = claims.shape[1], claims.sum(axis=1)
    share = claims / np.where(mass > 0, mass, 1.0)[:, None]
    places = np.arange(bins)

    def likelihood(means: np.ndarray, widths: np.ndarray) -> np.ndarray:
        return np.asarray((share * np.log(gaussian_bins(means, widths, bins))).sum(axis=1))

    off = share @ places - gaussian_bins(means, widths, bins) @ places  # of the sign of the gradient
    means = halve(means, np.clip(means + off, 0, bins - 1), lambda new: likelihood(new, widths), mass > 0)
    square = (places - means[:, None]) ** 2
    spread = (gaussian_bins(means, widths, bins) * square).sum(axis=1)
    ratio = (share * square).sum(axis=1) / np.maximum(spread, 1e-300)  # a single bin has no spread
    wanted = np.clip(widths * np.sqrt(ratio), LEAST_WIDTH, max(bins, LEAST_WIDTH))
    return means, halve(widths, wanted, lambda new: likelihood(means, new), mass > 0)


def halve(old: np.ndarray, new: np.ndarray, value: Callable[[np.ndarray], np.ndarray], alive: np.ndarray) -> np.ndarray:
    """The new values, those that lower `value` drawn back towards the old."""
    before, reach = value(old), alive.astype(np.float64)
    for _ in range(HALVINGS):
        worse = value(old + reach * (new - old)) < before
        if not worse.any():
            return np.asarray(old + reach * (new - old))
        reach = np.where(worse, reach / 2, reach)
    return np.asarray(np.where(worse, old, old + reach * (new - old)))


def fit_gaussians(histogram: np.ndarray, n: int, steps: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Means and widths of n Gaussians fitted to one histogram by EM, from equal shares of it."""
    bins, places = len(histogram), np.arange(len(histogram))
    share = histogram / histogram.sum()
    means = np.interp((np.arange(n) + 0.5) / n, np.cumsum(share), places).astype(np.float64)
    widths, w = np.full(n, max(bins / n / 2, LEAST_WIDTH)), np.full(n, 1 / n)
    for _ in range(steps):
        joint = w[:, None] * gaussian_bins(means, widths, bins)
        q = share * joint / np.maximum(joint.sum(axis=0), 1e-300)
        w = q.sum(axis=1)
        safe = np.where(w > 0, w, 1.0)
        means = np.where(w > 0, q @ places / safe, means)
        variance = (q * (places - means[:, None]) ** 2).sum(axis=1) / safe
        widths = np.maximum(np.sqrt(variance), LEAST_WIDTH)
    return means, widths
