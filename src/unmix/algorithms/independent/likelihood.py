"""The likelihood of an unmixing and all that its solvers ask of the rows, in one pass.

    loss(W) = -log |det W| + E Σ_i -log p_i(s_i),   s = W z;   relative gradient  G = E[φ(s) sᵀ] - I,   φ = -(log p)'

    logistic (peaked, super-Gaussian)       -log p = 2 log cosh(s / 2) + 2 log 2         φ = tanh(s / 2)
    two bells at ±1 (flat, sub-Gaussian)    -log p = s² / 2 - log cosh s + ½ + ½ log 2π  φ = s - tanh s

E[t'(s)] E[s²] - E[t(s) s] with t = tanh(s/2) or tanh s vanishes for a Gaussian s (Stein), is positive for peaked and
negative for flat sources: its sign is that of the kurtosis without listening to outliers, and it says which density
fits.

Bell & Sejnowski, Neural Computation 7, 1995; Lee, Girolami & Sejnowski, Neural Computation 11, 1999.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.independent.whitening import Whitening, pieces, unmixed
from unmix.core.blocks import RowBlocks

FLAT_CONSTANT = 0.5 + 0.5 * np.log(2 * np.pi) + np.log(2)  # -log p = s²/2 - |s| - log(1 + exp(-2|s|)) + this


class Sums(NamedTuple):
    products: np.ndarray  # Σ w φ(s) sᵀ
    slopes: np.ndarray  # Σ w φ'(s)
    squares: np.ndarray  # Σ w s²
    curvatures: np.ndarray  # Σ w φ'(s) s²
    energy: float  # Σ w Σ_i -log p_i(s_i)


class Point(NamedTuple):
    """An unmixing W of whitened rows, which sources count as flat, and what the rows say of it."""

    matrix: np.ndarray
    flat: np.ndarray
    loss: float
    gradient: np.ndarray
    slopes: np.ndarray
    squares: np.ndarray
    curvatures: np.ndarray

    @property
    def size(self) -> float:
        return float(np.abs(self.gradient).max())

    @property
    def peakedness(self) -> np.ndarray:
        """Stein's difference: positive for peaked sources, negative for flat ones."""
        difference = self.slopes * self.squares - (np.diag(self.gradient) + 1)
        return np.where(self.flat, -difference, difference)


def evaluate(X: RowBlocks, frame: Whitening, matrix: np.ndarray, flat: np.ndarray, weights: np.ndarray | None) -> Point:
    sums = X.reduce(sum_scores, frame.mean, matrix @ frame.matrix, flat, rows=weights)
    n = frame.weight
    loss = float(sums.energy / n - np.linalg.slogdet(matrix)[1])
    gradient = sums.products / n - np.eye(len(matrix))
    return Point(matrix, flat, loss, gradient, sums.slopes / n, sums.squares / n, sums.curvatures / n)


def sum_scores(block: Any, weights: Any, mean: np.ndarray, matrix: np.ndarray, flat: np.ndarray) -> Sums:
    k = len(matrix)
    products, rest, energy = np.zeros((k, k)), np.zeros((3, k)), 0.0
    for part in pieces(block, k):
        s = unmixed(block[part], mean, matrix)
        phi, sums, cost = scores(s, None if weights is None else weights[part], flat)
        products += phi @ s.T
        rest += sums
        energy += cost
    return Sums(products, rest[0], rest[1], rest[2], energy)


def scores(s: np.ndarray, weights: np.ndarray | None, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Weighted φ (k, m); Σ w φ', Σ w s², Σ w φ' s² by source (3, k); and Σ w -log p."""
    from unmix.algorithms.independent.hyperbolic import RUN, constants
    from unmix.algorithms.independent.likelihood_kernel import fill_rows, sum_rows

    k, m = s.shape
    t, logs, sums = np.empty_like(s), np.empty(k), np.empty((4, k))
    scales = np.where(flat, 1.0, 0.5).astype(s.dtype)
    fill_rows(s, scales, t, logs, np.empty(RUN, s.dtype), constants(s.dtype))
    if weights is None:
        w, mass = np.ones(m, s.dtype), float(m)
    else:
        w, mass = weights.astype(s.dtype), float(weights.sum())
        logs = (np.log(2) - np.log1p(np.abs(t).astype(np.float64))) @ weights  # 1 + u = 2 / (1 + |tanh|)
    sum_rows(s, t, w, flat, sums, s.dtype.type(0.5))
    sizes, squares = sums[3], sums[1]
    energies = np.where(flat, 0.5 * squares - sizes - logs + mass * FLAT_CONSTANT, sizes + 2 * logs)
    return t, sums[:3], float(energies.sum())
