"""What every kind knows of single columns: a density of each, and two scales on which columns can be joined.

A number has a mixture of few normal laws, of itself or of its logarithm; a column of few levels a share for each. A
little of the mass lies far and wide, so that no value is impossible. On the *scores* z = Φ⁻¹(F(x)) every column is
standard normal, and what a model of them says beyond that is dependence alone:

    log p(x) = Σ_j (log f_j(x_j) - log φ(z_j)) + log p(z).

On the *plain* scale numbers are only moved and stretched, y = (x - a) / b or the same of log x:

    log p(x) = Σ_j log |dy_j / dx_j| + log p(y).

An atom, a value that many cells of a column of numbers hold, stands beside the laws of the others (`atoms`). Where
there are some, the plain scale is not used: a narrow law of it would code an atom as if it were structure.

A level is a piece of the score, of the width of its share, and a cell a point of the piece drawn at random: the density
of the point is the share of the level, and a model of points never codes a level in too few bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from unmix.validation.bits.atoms import Atoms, find_atoms
from unmix.validation.bits.normals import Normals, fit_normals

LEAST_SPREAD = 0.03  # of a law, as a share of the column's
NEAR = 100.0  # spreads from the centre: what lies farther is left to the wide part of a density
FARTHEST_AWAY = 1e100  # spreads
FARTHEST = 1e-14  # the least tail that a score can stand for
HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)


class Numbers(NamedTuple):
    """Columns of numbers: centre and width, or those of the logarithm; laws on that scale; mass that lies wide."""

    logarithm: np.ndarray
    center: np.ndarray
    width: np.ndarray
    wide: np.ndarray  # centre and width of the wide part, (2, d), in the column's units
    laws: Normals
    far: float
    atoms: Atoms

    def plain(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The plain scale, -inf for what has no logarithm, and log |dy / dx|."""
        X = _within(X, self.wide)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.maximum(X, 0.0))
        base = np.where(self.logarithm, logs, X)
        slope = -np.log(self.width) - np.where(self.logarithm & np.isfinite(logs), logs, 0.0)
        return (base - self.center) / self.width, slope

    def measure(self, X: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log f(x) and the score of every cell, at `places` in (0, 1) of the pieces of atoms; 0 and NaN for a gap."""
        gone, given = np.isnan(X), X
        X = _within(np.where(gone, self.wide[0], X), self.wide)
        y, slope = self.plain(X)
        away = (X - self.wide[0]) / self.wide[1]
        log_wide = -np.log(np.pi * self.wide[1] * (1 + away**2))
        log_density = np.logaddexp(np.log1p(-self.far) + self.laws.log_density(y) + slope, np.log(self.far) + log_wide)
        upper = self.far * (0.5 - np.arctan(away) / np.pi) + (1 - self.far) * self.laws.distribution_above(y)
        lower = self.far * (0.5 + np.arctan(away) / np.pi) + (1 - self.far) * self.laws.distribution(y)
        log_density, lower, upper = self.atoms.join(given, log_density, lower, upper, places)
        z = np.where(lower < 0.5, ndtri(np.maximum(lower, FARTHEST)), -ndtri(np.maximum(upper, FARTHEST)))
        return np.where(gone, 0.0, log_density), np.where(gone, np.nan, z)


class Levels(NamedTuple):
    """A column of few levels in order, and their shares; the last share is for a level not seen before."""

    levels: np.ndarray
    shares: np.ndarray

    def measure(self, column: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log share and score of every cell, at `places` in (0, 1) of the pieces."""
        order = np.argsort(self.levels)
        at = np.clip(np.searchsorted(self.levels[order], column), 0, len(order) - 1)
        known = self.levels[order][at] == column
        at = np.where(known, order[at], len(order))
        below = np.cumsum(self.shares) - self.shares
        z = ndtri(np.clip(below[at] + places * self.shares[at], 1e-12, 1 - 1e-12))
        gone = np.isnan(column)
        return np.where(gone, 0.0, np.log(self.shares[at])), np.where(gone, np.nan, z)


def fit_numbers(X: np.ndarray, gaps: np.ndarray, precision: np.ndarray) -> Numbers:
    """No law is narrower than `gaps` (d,); `precision` (d,) is what cells are written to."""
    atoms = find_atoms(X, precision)
    X = atoms.without(X) if atoms else X
    center, width = robust_spread(X)
    positive = np.nanmin(X, axis=0) > 0
    logs = np.log(np.where(positive, X, 1.0))
    log_center, log_width = robust_spread(np.where(np.isnan(X), np.nan, logs))
    least = np.maximum(gaps / width, LEAST_SPREAD)
    log_least = np.maximum(gaps / np.where(positive, np.nanmedian(X, axis=0), 1.0) / log_width, LEAST_SPREAD)
    both = np.hstack([(X - center) / width, ((logs - log_center) / log_width)[:, positive]])
    fitted, prices = fit_normals(_near(both), np.append(least, log_least[positive]))
    d = X.shape[1]
    place = np.where(positive, d + np.cumsum(positive) - 1, np.arange(d))
    laws, log_laws = Normals(*(part[:d] for part in fitted)), Normals(*(part[place] for part in fitted))
    price = prices[:d] + np.log(width)
    log_price = prices[place] + np.log(log_width) + np.nanmean(logs, axis=0)
    better = positive & (log_price < price)
    chosen = Normals(*(np.where(better[:, None], a, b) for a, b in zip(log_laws, laws)))
    return Numbers(
        better,
        np.where(better, log_center, center),
        np.where(better, log_width, width),
        np.stack([center, width]),
        chosen,
        1.0 / (len(X) + 1),
        atoms,
    )


def fit_levels(column: np.ndarray) -> Levels:
    levels, counts = np.unique(column[np.isfinite(column)], return_counts=True)
    mass = np.append(counts, 0.0) + 0.5
    return Levels(levels, mass / mass.sum())


def robust_spread(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Median, and the middle half in units of a normal law's; where that is a point more of the middle, then all."""
    low, center, high = np.nanquantile(X, [0.25, 0.5, 0.75], axis=0)
    width = (high - low) / 1.349
    for tail in (0.1, 0.02, 0.0):
        low, high = np.nanquantile(X, [tail, 1 - tail], axis=0)
        width = np.where(width > 0, width, (high - low) / 4)
    return center, np.where(width > 0, width, 1.0)


def _within(X: np.ndarray, wide: np.ndarray) -> np.ndarray:
    """Values whose squares, in spreads, are numbers: beyond, one is as impossible as the other."""
    with np.errstate(over="ignore"):
        return np.clip(X, wide[0] - FARTHEST_AWAY * wide[1], wide[0] + FARTHEST_AWAY * wide[1])


def _near(y: np.ndarray) -> np.ndarray:
    return np.where(np.abs(y) > NEAR, np.nan, y)
