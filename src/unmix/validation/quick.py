"""A stand-in for K-means where a criterion needs hundreds of fits on small tables: same objective, no frame."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_WORK = 2_000_000  # rows × features × clusters up to which one compiled call beats a threaded fit


class QuickKMeans:
    """Centres and labels of a small table; `predict` is the nearest centre."""

    def __init__(self, X: np.ndarray, k: int, n_init: int, seed: int) -> None:
        from unmix.validation.small_kmeans import small_kmeans

        rows = np.ascontiguousarray(X, dtype=np.float64)
        shift, scale = rows.mean(axis=0), np.abs(rows).max(initial=0.0) or 1.0  # squares of 1e300 would overflow
        rows = (rows - shift) / scale
        self.labels_ = np.empty(len(rows), dtype=np.int64)
        centers = np.empty((k, rows.shape[1]))
        uniforms = np.random.default_rng(seed).random((n_init, k))
        small_kmeans(rows, k, n_init, 100, uniforms, self.labels_, centers)
        self._centers, self._shift, self._scale = centers, shift, scale
        self.cluster_centers_ = centers * scale + shift

    def predict(self, X: np.ndarray) -> np.ndarray:
        rows = (np.asarray(X, dtype=np.float64) - self._shift) / self._scale
        return np.argmin((self._centers**2).sum(axis=1) - 2 * rows @ self._centers.T, axis=1)


def quick_fit(estimator: Any, X: np.ndarray, seed: int) -> QuickKMeans | None:
    """The stand-in, where `estimator` is plain K-means and the table small and without gaps; else None."""
    kind = type(estimator)
    if kind.__name__ != "KMeans" or kind.__module__.split(".")[0] not in {"unmix", "sklearn"}:
        return None
    k, init = estimator.n_clusters, estimator.init
    if not (isinstance(init, str) and init == "k-means++") or k > len(X) or X.size * k > MOST_WORK:
        return None
    import numba

    if numba.config.DISABLE_JIT or np.isnan(X).any():
        return None
    return QuickKMeans(X, k, 5, seed)
