"""Round Gaussian clusters whose centres keep a stated distance: x = u_c + ε, ε ~ N(0, 1), min |u_a - u_b| ≥ separation.

In units of the clusters' standard deviation: at 2 two clusters merge into one mode, at 4 they barely touch, at 6 and
more they are well separated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def blobs(
    n_rows: int = 500,
    n_features: int = 2,
    n_clusters: int = 3,
    *,
    separation: float = 7.0,
    sizes: Sequence[float] | str = "equal",
    random_state: int | np.random.Generator | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw Gaussian clusters of unit spread, no two centres nearer than ``separation``.

    Parameters
    ----------
    sizes : "equal", "unequal" or one number a cluster
        Proportions of the clusters. "unequal" draws them, the largest up to several times the smallest; no cluster
        gets less than a quarter of an equal share.
    random_state : int, Generator or None

    Returns
    -------
    X : array of shape (n_rows, n_features)
    y : array of shape (n_rows,), the cluster of each row

    Examples
    --------
    >>> X, y = blobs(90, 2, 3, random_state=0)
    >>> X.shape, np.bincount(y).tolist()
    ((90, 2), [30, 30, 30])
    """
    if n_clusters < 1 or n_rows < n_clusters:
        raise ValueError(
            f"n_rows={n_rows} rows cannot hold n_clusters={n_clusters} clusters; give at least one row each"
        )
    rng = np.random.default_rng(random_state)
    centers = scattered_centers(n_clusters, n_features, separation, rng)
    y = np.repeat(np.arange(n_clusters), _counts(n_rows, _proportions(sizes, n_clusters, rng)))
    y = rng.permutation(y)
    return centers[y] + rng.standard_normal((n_rows, n_features)), y


def scattered_centers(k: int, d: int, separation: float, rng: np.random.Generator) -> np.ndarray:
    """Uniform in a cube just large enough to hold k centres at this distance, found by rejection."""
    half = separation * max(0.75, 0.5 * k ** (1 / d))
    while True:
        centers = rng.uniform(-half, half, (k, d))
        distance = np.linalg.norm(centers[:, None] - centers, axis=2)[np.triu_indices(k, 1)]
        if k == 1 or distance.min() >= separation:
            return centers
        half *= 1.02


def _proportions(sizes: Sequence[float] | str, k: int, rng: np.random.Generator) -> np.ndarray:
    if isinstance(sizes, str):
        if sizes not in {"equal", "unequal"}:
            raise ValueError(f"sizes={sizes!r} is not known; give 'equal', 'unequal' or one number for each cluster")
        share = np.full(k, 1 / k) if sizes == "equal" else rng.dirichlet(np.full(k, 2.0))
        return 0.25 / k + 0.75 * share if sizes == "unequal" else share
    share = np.asarray(sizes, dtype=float)
    if share.shape != (k,) or (share <= 0).any():
        raise ValueError(f"sizes has shape {share.shape}; give {k} positive numbers, one for each cluster")
    return share / share.sum()


def _counts(n: int, share: np.ndarray) -> np.ndarray:
    """Whole numbers that sum to n, each at least 1, by largest remainder."""
    counts = np.maximum(1, np.floor(share * n).astype(int))
    while counts.sum() != n:
        step = 1 if counts.sum() < n else -1
        counts[np.argmax(step * (share * n - counts) - 1e9 * ((step < 0) & (counts == 1)))] += step
    return counts
