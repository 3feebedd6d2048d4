"""Mixtures of a few normal laws for many columns at once, each with as many as its bits pay for (BIC).

A column is read as at most 256 bins of its sorted values, by the mean of values and of squares in each, so that one law
is fitted exactly and an iteration costs d · 256 · k exponentials.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

MOST_BINS = 256
MOST_LAWS = 4
ITERATIONS = 80
PATIENCE = 2  # numbers of laws in a row that do not pay, after which a column is left
LOOK = 8  # iterations after which the gain is looked at
TOLERANCE = 1e-4  # nats a row that so many iterations have to gain for some column
LOWEST = -1e300


class Normals(NamedTuple):
    """Weights, means and spreads, (d, k) each; a weight of 0 is a law not used."""

    weights: np.ndarray
    means: np.ndarray
    spreads: np.ndarray

    def log_density(self, columns: np.ndarray) -> np.ndarray:
        """(n, d) of values in columns."""
        away = (columns[:, :, None] - self.means) / self.spreads
        with np.errstate(divide="ignore"):
            constants = np.log(self.weights) - np.log(self.spreads) - 0.5 * np.log(2 * np.pi)
        logs = constants - 0.5 * away**2
        top = np.maximum(logs.max(axis=2), LOWEST)  # a value beyond all laws has no density, without a warning
        with np.errstate(divide="ignore"):
            return np.asarray(top + np.log(np.exp(logs - top[:, :, None]).sum(axis=2)))

    def distribution(self, columns: np.ndarray) -> np.ndarray:
        return np.asarray((self.weights * ndtr((columns[:, :, None] - self.means) / self.spreads)).sum(axis=2))

    def distribution_above(self, columns: np.ndarray) -> np.ndarray:
        """1 - F without the loss of digits."""
        return np.asarray((self.weights * ndtr((self.means - columns[:, :, None]) / self.spreads)).sum(axis=2))


class Bins(NamedTuple):
    """Mass, mean and mean square of bins of sorted values, (d, m) each; rows of each column (d,)."""

    mass: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    rows: np.ndarray


def fit_normals(columns: np.ndarray, least: np.ndarray, most: int = MOST_LAWS) -> tuple[Normals, np.ndarray]:
    """Laws of (n, d) values with NaN for gaps, no spread below `least` (d,); and nats a row plus the price of BIC."""
    bins = _bins(columns)
    best, price = _climb(bins, 1, least)
    best, idle = _padded(best, most), np.zeros(len(price), int)
    for k in range(2, most + 1):
        some = np.flatnonzero(idle < PATIENCE)
        if not len(some):
            break
        found, cost = _climb(Bins(*(part[some] for part in bins)), k, least[some])
        better = cost < price[some]
        idle[some] = np.where(better, 0, idle[some] + 1)
        for new, old in zip(_padded(found, most), best):
            old[some[better]] = new[better]
        price[some] = np.minimum(price[some], cost)
    return best, price


def _bins(columns: np.ndarray) -> Bins:
    parts = [_binned(column[np.isfinite(column)]) for column in columns.T]
    m = max(len(mass) for mass, _, _ in parts)
    padded = [np.stack([np.pad(row, (0, m - len(row))) for row in rows]) for rows in zip(*parts)]
    rows = np.isfinite(columns).sum(axis=0).astype(float)
    return Bins(padded[0], padded[1], padded[2], rows)


def _binned(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    values = np.sort(values)
    edges = np.linspace(0, len(values), min(MOST_BINS, len(values)) + 1).astype(int)
    counts = np.diff(edges)
    mean, square = (np.add.reduceat(power, edges[:-1]) / counts for power in (values, values**2))
    return counts / len(values), mean, square


def _climb(bins: Bins, k: int, least: np.ndarray) -> tuple[Normals, np.ndarray]:
    """EM for k laws of every column from slices of equal mass; arrays are (d, k, m), long rows behind each other."""
    slices = np.clip((np.cumsum(bins.mass, axis=1) - 0.5 * bins.mass) * k, 0, k - 1e-9).astype(int)
    shares = (slices[:, None] == np.arange(k)[:, None]).astype(float)
    reached = np.full(len(bins.mass), np.inf)
    for i in range(1, (ITERATIONS if k > 1 else 1) + 1):
        laws = _estimate(bins, shares, least)
        away = (bins.mean[:, None] - laws.means[:, :, None]) / laws.spreads[:, :, None]
        logs = (np.log(laws.weights) - np.log(laws.spreads) - 0.5 * np.log(2 * np.pi))[:, :, None] - 0.5 * away**2
        top = logs.max(axis=1, keepdims=True)
        shares = np.exp(logs - top)
        sums = shares.sum(axis=1, keepdims=True)
        shares /= sums
        if i % LOOK == 0 or k == 1:
            before, reached = reached, -(bins.mass * (top + np.log(sums))[:, 0]).sum(axis=1)
            if (before - reached < TOLERANCE).all():
                break
    return laws, reached + 0.5 * (3 * k - 1) * np.log(bins.rows) / bins.rows


def _estimate(bins: Bins, shares: np.ndarray, least: np.ndarray) -> Normals:
    weighted = shares * bins.mass[:, None]
    mass = np.maximum(weighted.sum(axis=2), 1e-12)
    means = (weighted @ bins.mean[:, :, None])[:, :, 0] / mass
    variances = (weighted @ bins.square[:, :, None])[:, :, 0] / mass - means**2
    return Normals(mass / mass.sum(axis=1, keepdims=True), means, np.sqrt(np.maximum(variances, least[:, None] ** 2)))


def _padded(laws: Normals, k: int) -> Normals:
    lack = ((0, 0), (0, k - laws.weights.shape[1]))
    return Normals(
        np.pad(laws.weights, lack), np.pad(laws.means, lack), np.pad(laws.spreads, lack, constant_values=1.0)
    )
