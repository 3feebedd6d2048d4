"""Distances and moments of few rows under Gaussians, by kernels that are compiled in a moment (small_kernel.py).

Those of large blocks keep sums in registers and take the compiler ten times as long, more than few rows ever cost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FEW_ROWS = 512  # of a block; by its shape alone, so that the same rows are summed alike wherever they lie


def is_small(block: Any) -> bool:
    return bool(block.shape[0] <= FEW_ROWS)


def half_norms(rows: np.ndarray, means: np.ndarray, W: np.ndarray) -> np.ndarray:
    """(k, rows): ½ ||Wᵀ(x - u)||² over the entries that are there, for W (k, d, d) or, along axes, (k, d)."""
    from unmix.costs.gaussian.small_kernel import find_half_norms

    columns, out, diagonal = turned(rows), np.empty((len(means), len(rows))), W.ndim == 2
    W = W[:, :, None] * np.eye(W.shape[1]) if diagonal else W
    find_half_norms(columns, *plain(means, W), diagonal, room_for(columns), out)
    return out


def moments(rows: np.ndarray, q: np.ndarray, means: np.ndarray, diagonal: bool) -> tuple[np.ndarray, np.ndarray]:
    """Σ q (x - u) (k, d) and Σ q (x - u)(x - u)ᵀ (k, d, d) or its diagonal (k, d); q (k, rows)."""
    from unmix.costs.gaussian.small_kernel import find_moments

    columns, (k, d) = turned(rows), means.shape
    first, second = np.empty((k, d)), np.empty((k, d, d))
    find_moments(columns, *plain(q, means), diagonal, room_for(columns), first, second)
    return first, np.diagonal(second, axis1=1, axis2=2) if diagonal else second


def plain(*arrays: np.ndarray) -> list[np.ndarray]:
    """In the one layout and type that the kernels are compiled for."""
    return [np.ascontiguousarray(array, np.float64) for array in arrays]


def turned(rows: np.ndarray) -> np.ndarray:
    return np.array(rows.T, dtype=np.float64, order="C")


def room_for(columns: np.ndarray) -> np.ndarray:
    return np.empty((len(columns) + 1, columns.shape[1]))
