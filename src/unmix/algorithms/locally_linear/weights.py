"""Weights that put a point together from its neighbours.

    min ||x - Σ_j w_j y_j||²  with  Σ_j w_j = 1:   C w ∝ 1,   C_ij = (x - y_i)·(x - y_j) + reg · trace · δ_ij

They do not change when all points are turned, moved or scaled together. C is singular where there are more neighbours
than directions in which they differ; the share ``reg`` of the trace makes the answer unique, and is added everywhere,
so that a table of few columns, written in more of them, keeps its weights.
Reference: Roweis & Saul, Nonlinear dimensionality reduction by locally linear embedding, Science 290 (2000).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.neighbors.gather import difference_blocks

BLOCK_ENTRIES = 2_000_000
LEAST_REGULARIZATION = 1e-12  # below it a singular C would divide by rounding errors


def reconstruction_weights(queries: Any, points: Any, neighbors: np.ndarray, reg: float) -> np.ndarray:
    """Weights (m, k) of the neighbours ``points[neighbors]`` of every query; arrays or sparse tables."""
    weights = np.empty(neighbors.shape)
    for part, differences in difference_blocks(points, queries, neighbors, BLOCK_ENTRIES):
        weights[part] = _weights_of(differences, reg)
    return weights


def _weights_of(differences: np.ndarray, reg: float) -> np.ndarray:
    k = differences.shape[1]
    largest = np.abs(differences).max(axis=(1, 2), keepdims=True)
    differences = differences / np.where(largest > 0, largest, 1.0)  # neighbours at 1e-200 have squares, too
    C = differences @ differences.transpose(0, 2, 1)
    trace = np.trace(C, axis1=1, axis2=2)
    C[:, np.arange(k), np.arange(k)] += (max(reg, LEAST_REGULARIZATION) * np.where(trace > 0, trace, 1.0))[:, None]
    weights = np.linalg.solve(C, np.ones((len(C), k, 1)))[..., 0]
    return weights / weights.sum(axis=1, keepdims=True)


def relative_errors(points: Any, neighbors: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """||x - Σ_j w_j y_j||² as a share of the mean squared distance of the neighbours, for every point."""
    errors = np.empty(len(neighbors))
    for part, differences in difference_blocks(points, points, neighbors, BLOCK_ENTRIES):
        error = np.einsum("ij,ijl->il", weights[part], differences)
        spread = np.einsum("ijl,ijl->i", differences, differences) / neighbors.shape[1]
        errors[part] = np.einsum("il,il->i", error, error) / np.where(spread > 0, spread, 1.0)
    return errors
