"""Covariances drawn towards a ball: (1 - s) Σ + s m I, with m the mean variance of the columns.

Ledoit and Wolf's s minimises the expected squared error of all entries. With n rows, d columns and S the covariance,

    s = min(1, b / (n e)),   b = Σ_i w_i ||x_i - u||⁴ / n - ||S||²,   e = ||S - m I||²    (Frobenius norms, n = Σ w).

Reference: Ledoit & Wolf, A well-conditioned estimator for large-dimensional covariance matrices, J. Multivariate
Analysis 88 (2004).
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks


class Fourth(NamedTuple):
    mass: float
    total: float  # Σ_i w_i ||x_i - u||⁴


def fourth_powers(block: Any, weights: np.ndarray | None, mean: np.ndarray, relative: np.ndarray) -> Fourth:
    """Of the distances of rows to the mean, in one unit for all columns."""
    squares = (((block - mean) / relative) ** 2).sum(axis=1, dtype=np.float64)
    weights = np.ones(len(squares)) if weights is None else weights
    return Fourth(float(weights.sum()), float(weights @ squares**2))


def ledoit_wolf(
    X: RowBlocks, weights: np.ndarray | None, mean: np.ndarray, S: np.ndarray, relative: np.ndarray
) -> float:
    """The share s for rows of this mean and covariance, both in units ``relative`` to a common one."""
    moments = X.reduce(fourth_powers, mean, relative, rows=weights)
    common = S / np.outer(relative, relative)
    away = common - np.eye(len(common)) * np.trace(common) / len(common)
    excess = float((away**2).sum())
    noise = moments.total / moments.mass - float((common**2).sum())
    return min(1.0, max(0.0, noise) / (moments.mass * excess)) if excess > 0 else 0.0


def shrink(S: np.ndarray, share: float, relative: np.ndarray) -> np.ndarray:
    """S drawn towards a ball of the common unit."""
    if share == 0:
        return S
    ball = np.mean(np.diagonal(S) / relative**2) * np.diag(relative**2)
    return (1 - share) * S + share * ball
