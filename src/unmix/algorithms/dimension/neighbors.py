"""The dimension in which rows spread, from how the distances to their nearest neighbours grow.

In dimension D a ball of radius r holds about r^D rows, so with r_1 ≤ r_2 ≤ … the distances of a row to its neighbours

two_nn               log(r_2 / r_1) is exponential with rate D; the largest tenth is only known to be larger (censored):
                     D = (m - 1) / (Σ_{i≤m} log μ_i + (n - m) log μ_(m)).    Facco et al., Scientific Reports 7, 2017
maximum_likelihood   D = (n (k - 1) - 1) / Σ_i Σ_{j<k} log(r_k / r_j).   Levina & Bickel, NIPS 2004; MacKay &
Ghahramani 2005

Standard errors are over cells of neighbours (spatial_blocks.py), for rows close together share their neighbours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.dimension.spatial_blocks import error_of_ratio, spatial_blocks
from unmix.core.execution import current_execution

CENSORED = 0.1  # share of the ratios whose size is not looked at: outliers and curvature live there


class Dimension(NamedTuple):
    value: float
    error: float


def neighbor_distances(X: np.ndarray, queries: np.ndarray, k: int) -> np.ndarray:
    """Distances (queries, k) of the rows ``queries`` of X to their k nearest other rows; no row may occur twice."""
    from scipy.spatial import cKDTree

    distances, _ = cKDTree(X).query(X[queries], k=k + 1, workers=current_execution().n_threads)
    return np.asarray(distances)[:, 1:]


def two_nearest(X: np.ndarray, queries: np.ndarray) -> Dimension:
    distances = neighbor_distances(X, queries, 2)
    logs = np.log(distances[:, 1] / distances[:, 0])
    kept = len(logs) - int(CENSORED * len(logs))
    limit = np.sort(logs)[kept - 1]
    seen = np.minimum(logs, limit)
    value = (kept - 1) / max(float(seen.sum()), np.finfo(float).tiny)
    counted = (logs <= limit).astype(np.float64)
    return Dimension(value, error_of_ratio(counted, seen, _blocks(X[queries])))


def maximum_likelihood(X: np.ndarray, queries: np.ndarray, k: int) -> Dimension:
    distances = neighbor_distances(X, queries, k)
    sums = np.log(distances[:, -1:] / distances[:, :-1]).sum(axis=1)
    counts = np.full(len(sums), k - 1.0)
    value = (counts.sum() - 1) / max(float(sums.sum()), np.finfo(float).tiny)
    return Dimension(value, error_of_ratio(counts, sums, _blocks(X[queries])))


def _blocks(X: np.ndarray) -> np.ndarray:
    """32 cells, fewer where a cell would hold less than eight rows."""
    return spatial_blocks(X, int(np.clip(np.log2(max(len(X), 1) / 8), 1, 5)))
