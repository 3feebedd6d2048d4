"""Differential entropy, the uncertainty of a density: of a Gaussian in closed form, of a sample by nearest neighbours.

    h = -∫ f log f,      Gaussian: ½ log det(2πe Σ),      sample: ψ(n) + log V_d + mean_i (d log ε_i - ψ(k))

ε_i is the distance of row i to its k-th neighbour, V_d the volume of the unit ball. Rows are whitened first, h(AX) =
h(X) + log |det A|, so the estimate follows any linear change of the columns exactly. References: Kozachenko &
Leonenko, Sample estimate of the entropy of a random vector, Problems of Information Transmission 23 (1987).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from scipy.special import digamma, gammaln

from unmix.core.arguments import as_numbers
from unmix.information.distribution import units

FAR_DISTANCE = 1e4  # times the usual distance from the middle


def gaussian_entropy(covariance: Any, *, base: float = 2.0) -> float:
    """Differential entropy of the Gaussian with this covariance (or variance), ½ log det(2πe Σ); -inf if singular.

    Parameters
    ----------
    covariance : (d, d) array-like, or one variance
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Notes
    -----
    Cost: O(d³).

    References
    ----------
    Cover and Thomas, Elements of Information Theory, 2006, chapter 8.

    Examples
    --------
    >>> gaussian_entropy(1.0)
    2.04...
    """
    sigma = np.atleast_2d(as_numbers(covariance, "covariance"))
    if sigma.ndim != 2 or sigma.shape[0] != sigma.shape[1] or sigma.size == 0:
        raise ValueError(f"covariance has shape {np.shape(covariance)}; give a square matrix, or one variance")
    if not np.isfinite(sigma).all() or (np.diagonal(sigma) < 0).any():
        raise ValueError("covariance holds NaN, infinity or a negative variance; give a covariance matrix")
    spread = np.sqrt(np.diagonal(sigma))
    correlation = sigma / np.outer(*2 * [np.where(spread > 0, spread, 1.0)])  # each column in its own unit
    if not np.allclose(correlation, correlation.T, rtol=1e-8, atol=1e-12):
        raise ValueError("covariance is not symmetric; give a covariance matrix")
    if np.linalg.eigvalsh(correlation)[0] < -1e-10 * len(sigma):
        raise ValueError("covariance has a negative variance in some direction; give a covariance matrix")
    return float(len(sigma) * np.log(2 * np.pi * np.e) / 2 + _half_log_determinant(sigma)) / units(base)


def differential_entropy(X: Any, *, k: int = 3, base: float = 2.0) -> float:
    """Differential entropy of the density that rows were drawn from, by distances to nearest neighbours.

    Parameters
    ----------
    X : array-like of shape (n,) or (n, d)
        At least k + 1 rows. The columns together need a density: one that follows from others, or rows all alike,
        give -inf.
    k : int, default=3
        The neighbour whose distance counts; more is smoother and less local.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Notes
    -----
    Rows that repeat (rounded readings, copies) would have neighbours at distance zero. So the ball reaches to the k-th
    other value, and ψ takes the rows inside and half of those on its surface, as if each were spread over a cell.
    Memory is O(n k); time O(n log n) in few columns, and about n² from 20 columns on.

    Examples
    --------
    >>> rows = np.random.default_rng(0).uniform(0, 8, 2000)
    >>> round(differential_entropy(rows), 1)
    3.0
    """
    rows = _checked_rows(X, k)
    n, d = rows.shape
    middle = np.median(rows, axis=0)  # the differences of most rows keep their digits beside a few far ones
    near = _near(rows, middle)
    width = rows[near].max(axis=0) / 2 - rows[near].min(axis=0) / 2  # halved first: huge ranges overflow
    if not (width > 0).all():
        return float("-inf")
    scaled = (rows / 2 - middle / 2) / (width / 2)
    points, copies = np.unique(scaled, axis=0, return_counts=True)
    sigma = np.atleast_2d(np.cov(scaled[near], rowvar=False))
    half_log_determinant = _half_log_determinant(sigma)
    if half_log_determinant == -np.inf:
        return float("-inf")
    white = np.linalg.solve(np.linalg.cholesky(sigma), points.T).T
    reach, rank = _neighbours(white, copies, k)
    ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
    local = float(copies @ (d * np.log(reach) - digamma(rank))) / n
    return float(digamma(n) + ball + local + half_log_determinant + np.log(width).sum()) / units(base)


def _near(rows: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Which rows tell the shape of the rest: all, but for those beyond so many times the usual distance."""
    away = np.abs(rows / 2 - middle / 2)
    usual = np.median(away, axis=0)
    near = np.asarray((away <= FAR_DISTANCE * np.where(usual > 0, usual, np.inf)).all(axis=1))
    return near if near.sum() > rows.shape[1] else np.ones(len(rows), dtype=bool)


def _neighbours(points: np.ndarray, copies: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """For each different row the radius of its ball, and how many other rows are inside."""
    k = min(k, len(points) - 1)
    wide = min(len(points), k + 1 + 2 * points.shape[1])  # a few more than k, to see who else is on the surface
    distance, index = (np.asarray(part) for part in cKDTree(points).query(points, wide))
    reach = distance[:, k]
    if copies.max() == 1:
        return reach, np.full(len(points), float(k))
    surface = np.isclose(distance, reach[:, None], rtol=1e-9, atol=0.0)
    on = (copies[index] * surface).sum(axis=1)
    inside = (copies[index] * ((distance < reach[:, None]) & ~surface)).sum(axis=1) - 1.0
    return reach, np.where(on == 1, inside + 1, inside + on / 2)  # a single row on the surface has the usual rank


def _half_log_determinant(sigma: np.ndarray) -> float:
    """½ log det, from correlations, so that columns in different units do not look singular; -inf if they are."""
    spread = np.sqrt(np.diagonal(sigma))
    if not (spread > 0).all():
        return float("-inf")
    values = np.linalg.eigvalsh(sigma / np.outer(spread, spread))
    if values[0] <= len(sigma) * np.finfo(float).eps * values[-1]:
        return float("-inf")
    return float(np.log(values).sum() / 2 + np.log(spread).sum())


def _checked_rows(X: Any, k: int) -> np.ndarray:
    rows = as_numbers(X, "X")
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(f"X has shape {np.shape(X)}; give rows of at least one number")
    if not np.isfinite(rows).all():
        raise ValueError("X holds NaN or infinity; fill or drop those rows first")
    if len(rows) <= rows.shape[1]:
        raise ValueError(f"X has {len(rows)} row(s) in {rows.shape[1]} column(s); give more rows than columns")
    if isinstance(k, bool) or not (isinstance(k, int | np.integer) and 1 <= k < len(rows)):
        raise ValueError(f"k={k!r} with {len(rows)} row(s): give a whole number from 1 to one less than the rows")
    return rows
