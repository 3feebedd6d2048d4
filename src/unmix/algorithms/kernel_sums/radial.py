"""Sums of kernels that depend on the distance alone: over the pairs within reach, or over all of them.

    S_q = Σ_j w_j K(|z_q - z_j|)

Kernels that end at one width meet the rows in a ball only, which a k-d tree finds. The others, and other distances than
Euclid's, sum all pairs, some queries at a time and relative to the nearest, so that no tail is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from unmix.algorithms.kernel_sums.profile import COMPACT, profile
from unmix.core.execution import current_execution
from unmix.core.threads import run_in_order

PAIRS = 2_000_000  # looked at together

Distance = Callable[[np.ndarray, np.ndarray], np.ndarray]  # queries (m, d), rows (n, d) -> (m, n)


def near_log_sums(kernel: str, rows: np.ndarray, weights: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """log S of a kernel that ends, in widths; minus infinity where no row is near."""
    from scipy.spatial import cKDTree

    tree, total = cKDTree(rows), np.zeros(len(queries))
    for part in portions(tree.query_ball_point(queries, 1.0, return_length=True)):
        pairs = cKDTree(queries[part]).sparse_distance_matrix(tree, 1.0, output_type="ndarray")
        terms = weights[pairs["j"]] * profile(kernel, pairs["v"])
        total[part] = np.bincount(pairs["i"], weights=terms, minlength=part.stop - part.start)
    with np.errstate(divide="ignore"):
        return np.log(total)


def portions(counts: np.ndarray) -> Iterator[slice]:
    """Consecutive queries that have about PAIRS pairs together, or one with more."""
    portion = np.cumsum(counts) // PAIRS
    starts = np.concatenate([[0], np.flatnonzero(np.diff(portion)) + 1, [len(counts)]])
    for start, stop in pairwise(starts):
        yield slice(int(start), int(stop))


def all_log_sums(
    kernel: str, rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, distance: Distance
) -> np.ndarray:
    """log S over all pairs, of any kernel, for distances in widths."""
    out, step = np.empty(len(queries)), max(1, PAIRS // len(rows))

    def work(piece: int) -> None:
        part = slice(piece * step, (piece + 1) * step)
        out[part] = log_sums_of(kernel, distance(queries[part], rows), weights)

    def keep(piece: int, result: Any) -> None:
        """The piece has written its results in place."""

    run_in_order(work, -(-len(queries) // step), keep, current_execution().n_threads)
    return out


def log_sums_of(kernel: str, r: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """For distances (m, n)."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        if kernel in COMPACT:
            return np.log(profile(kernel, r) @ weights)
        logs = -0.5 * r * r if kernel == "gaussian" else -r
        highest = np.maximum(logs.max(axis=1), np.finfo(np.float64).min)
        return highest + np.log(np.exp(logs - highest[:, None]) @ weights)
