"""Distances and moments of rows under Gaussians with independent columns; sparse rows stay sparse.

For a sparse row the square is expanded, Σ_j (x_j - u_j)² p_j = Σ_j x_j² p_j - 2 Σ_j x_j u_j p_j + Σ_j u_j² p_j,
so that only entries that are there cost time. For a dense row the difference is squared, which cancels nothing.
A missing entry of an axis-parallel Gaussian integrates to one, so it is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.gaussian import few_rows
from unmix.costs.gaussian.mixture import Mixture


def distances(block: Any, mixture: Mixture) -> np.ndarray:
    """(k, rows): -log π_c N(x_i; u_c, diag σ_c²), of the observed entries."""
    if hasattr(block, "tocsr"):
        return _sparse_distances(block, mixture)
    if few_rows.is_small(block):
        return _few_distances(block, mixture)
    from unmix.costs.gaussian.axis_parallel_tiles import add_distances

    block = block.astype(np.float64) if mixture.precise else block
    with np.errstate(divide="ignore"):
        out = np.tile(-np.log(mixture.weights)[:, None], len(block)).astype(block.dtype)
    constants = 0.5 * np.log(2 * np.pi) - np.log(mixture.whitening)
    parameters = (mixture.means, mixture.whitening**2, constants)
    add_distances(block, *(p.astype(block.dtype) for p in parameters), out)
    return out


def _few_distances(block: np.ndarray, mixture: Mixture) -> np.ndarray:
    constants, missing = mixture.log_constants[:, None], np.isnan(block)
    out = few_rows.half_norms(block, mixture.means, mixture.whitening) - constants
    if missing.any():  # the constant of a column that a row has not
        out += (np.log(mixture.whitening) - 0.5 * np.log(2 * np.pi)) @ missing.T
    return out


def _sparse_distances(block: Any, mixture: Mixture) -> np.ndarray:
    precision = mixture.whitening**2
    block = block.astype(np.float64)
    square = block.multiply(block).tocsr() @ precision.T - 2 * (block @ (mixture.means * precision).T)
    away = (mixture.means**2 * precision).sum(1)
    return np.ascontiguousarray((0.5 * np.maximum(square + away, 0) - mixture.log_constants).T)


def moments(block: Any, q: np.ndarray, mixture: Mixture) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Σ q, Σ q (x - u) and Σ q (x - u)² over the entries that are there; q (k, rows)."""
    if hasattr(block, "tocsr"):
        return _sparse_moments(block, q, mixture.means)
    if few_rows.is_small(block):
        return q.astype(np.float64) @ ~np.isnan(block), *few_rows.moments(block, q, mixture.means, diagonal=True)
    from unmix.costs.gaussian.axis_parallel_tiles import add_moments

    observed, first, second = np.zeros((3, *mixture.means.shape))
    add_moments(block, q.astype(block.dtype, copy=False), mixture.means.astype(block.dtype), observed, first, second)
    return observed, first, second


def _sparse_moments(block: Any, q: np.ndarray, means: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    block, q = block.astype(np.float64), q.astype(np.float64)
    mass = np.broadcast_to(q.sum(1)[:, None], means.shape).copy()
    sums, squares = (block.T @ q.T).T, (block.multiply(block).tocsr().T @ q.T).T
    return mass, sums - mass * means, squares - 2 * means * sums + mass * means**2
