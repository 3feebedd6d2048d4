"""Groups with independent columns inside: Σ_c π_c Π_j N(x_j; u_cj, ψ_cj), by EM, gaps left out exactly.

What `factor_mixture` is without factors, for all groups at once by products of matrices:

    Σ_j s_j (x_j - u_j)² / ψ_j = x² · 1/ψ - 2 x · u/ψ + s · u²/ψ,   s = 1 where there is a value, x = 0 elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.validation.bits.low_rank import Cells, log_sum

PRIOR_ROWS = 2.0
TOLERANCE = 2e-4  # nats a row
MOST_ITERATIONS = 60


class GroupMixture(NamedTuple):
    """Weights (K,), means and variances (K, d)."""

    weights: np.ndarray
    means: np.ndarray
    variances: np.ndarray


def group_densities(model: GroupMixture, cells: Cells) -> np.ndarray:
    """(K, n): the logarithm of weight times density."""
    _, means, variances = model
    constants = means**2 / variances + np.log(2 * np.pi * variances)
    square = (1 / variances) @ (cells.values**2).T - 2 * (means / variances) @ cells.values.T + constants @ cells.seen.T
    return np.asarray(np.log(model.weights)[:, None] - 0.5 * square)


def fit_groups(
    cells: Cells, shares: np.ndarray, least: np.ndarray, iterations: int = MOST_ITERATIONS
) -> tuple[GroupMixture, np.ndarray, float]:
    """EM from shares (K, n) of the rows; returns the model, the shares and the mean log-density of a row."""
    squares, reached = cells.values**2, -np.inf
    for _ in range(iterations):
        model = _estimate(cells, squares, shares, least)
        parts = group_densities(model, cells)
        total = log_sum(parts)
        shares, before, reached = np.exp(parts - total), reached, float(total.mean())
        if reached - before < TOLERANCE:
            break
    return model, shares, reached


def _estimate(cells: Cells, squares: np.ndarray, shares: np.ndarray, least: np.ndarray) -> GroupMixture:
    """Weighted moments; a variance is that of the rows and of two more with the mean variance inside groups."""
    rows = shares.sum(axis=1)
    mass = np.maximum(shares @ cells.seen if len(cells.seen) > 1 else rows[:, None] * cells.seen, 1e-12)
    means = shares @ cells.values / mass
    left = np.maximum(shares @ squares - mass * means**2, 0.0)
    inside = left.sum(axis=0) / mass.sum(axis=0)
    variances = np.maximum((left + PRIOR_ROWS * inside) / (mass + PRIOR_ROWS), least)
    return GroupMixture(np.maximum(rows / rows.sum(), 1e-12), means, variances)
