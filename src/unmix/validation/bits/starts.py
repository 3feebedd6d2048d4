"""First shares of rows for groups: K-means from rows far apart."""

from __future__ import annotations

import numpy as np

from unmix.validation.bits.low_rank import Cells


def spread_shares(
    cells: Cells, n_groups: int, rng: np.random.Generator, transform: np.ndarray | None = None
) -> np.ndarray:
    """(K, n): clusters of K-means from far-apart rows, shared a little, in coordinates turned by `transform`."""
    X = cells.values if transform is None else cells.values @ transform
    squares = (X**2).sum(1)[:, None]
    centers = X[rng.integers(len(X))][None]
    for _ in range(n_groups - 1):
        distances = _distances(X, squares, centers).min(axis=1) + 1e-12
        centers = np.vstack([centers, X[rng.choice(len(X), p=distances / distances.sum())]])
    nearest = None
    for _ in range(10):
        before, nearest = nearest, _distances(X, squares, centers).argmin(axis=1)
        if before is not None and np.array_equal(nearest, before):
            break
        hard = nearest[None] == np.arange(n_groups)[:, None]
        kept = hard.any(axis=1)
        centers[kept] = (hard @ X)[kept] / hard.sum(axis=1)[kept, None]
    return (hard + 0.05 / n_groups) / 1.05


def _distances(X: np.ndarray, squares: np.ndarray, centers: np.ndarray) -> np.ndarray:
    # ||x - u||² = ||x||² - 2 x·u + ||u||²
    return np.maximum(squares - 2 * X @ centers.T + (centers**2).sum(1), 0.0)
