"""Grids of nodes for self-organising maps, and how strongly nodes feel each other.

    H_cr = f(g_cr / σ) / Σ_s f(g_cs / σ),   g_cr the distance of two nodes on the grid

with f(t) = exp(-t²/2) (gaussian), 1 for t ≤ 1 (bubble) or max(1 - t², 0) (epanechnikov). At σ = 0 nodes are on their
own. Rectangular grids have unit squares, hexagonal ones unit distances to all six neighbours.
"""

from __future__ import annotations

import numpy as np

TOPOLOGIES = ("rectangular", "hexagonal")
NEIGHBORHOODS = ("gaussian", "bubble", "epanechnikov")
ADJACENT = 1.5  # grid distance: takes in the diagonal of a square, and the six neighbours of a hexagon


def grid_positions(shape: tuple[int, ...], topology: str) -> np.ndarray:
    """(k, 1) or (k, 2): where the nodes are, row by row. Odd rows of a hexagonal grid are half a step to the right."""
    if len(shape) == 1:
        return np.arange(shape[0], dtype=np.float64)[:, None]
    row, column = (axis.ravel().astype(np.float64) for axis in np.indices(shape))
    if topology == "hexagonal":
        return np.column_stack([row * np.sqrt(0.75), column + 0.5 * (row % 2)])
    return np.column_stack([row, column])


def grid_distances(positions: np.ndarray) -> np.ndarray:
    """(k, k) Euclidean distances between nodes."""
    return np.sqrt(((positions[:, None] - positions) ** 2).sum(axis=2))


def neighborhood(distances: np.ndarray, sigma: float, kind: str) -> np.ndarray:
    """H (k, k), rows summing to one."""
    if sigma <= 0:
        return np.eye(len(distances))
    t = distances / sigma
    if kind == "gaussian":
        weights = np.exp(-0.5 * np.minimum(t, 38.0) ** 2) * (t < 38.0)  # beyond, exp is zero or has lost its digits
    elif kind == "bubble":
        weights = (t <= 1).astype(np.float64)
    else:
        weights = np.maximum(1 - t * t, 0.0)
    return weights / weights.sum(axis=1, keepdims=True)


def neighbor_table(distances: np.ndarray, reach: float = ADJACENT) -> np.ndarray:
    """(k, most) numbers of the adjacent nodes, filled up with -1."""
    near = (distances < reach) & (distances > 0)
    table = np.full((len(near), max(1, int(near.sum(axis=1).max()))), -1, np.int32)
    for c, row in enumerate(near):
        found = np.flatnonzero(row)
        table[c, : len(found)] = found
    return table
