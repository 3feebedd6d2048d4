"""A stand-in for K-means where a criterion needs hundreds of fits on small tables: same objective, no frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

MOST_WORK = 2_000_000  # rows × features × clusters up to which one compiled call beats a threaded fit
MAX_ITER = 100


class QuickKMeans:
    """Centres and labels of some rows of a small table, by default all of them; `predict` is the nearest centre."""

    def __init__(self, X: np.ndarray, k: int, seed: int, part: np.ndarray | None = None) -> None:
        labels, self._centers, self._frame = _fit(X, np.array([k]), seed, part)
        self.labels_ = labels[0]

    @cached_property
    def cluster_centers_(self) -> np.ndarray:
        scale, shift = self._frame[0], self._frame[1:]
        return (self._centers + shift) / scale

    def predict(self, X: np.ndarray) -> np.ndarray:
        from unmix.validation.small_kmeans import nearest_of

        labels = np.empty(len(X), dtype=np.int64)
        nearest_of(np.ascontiguousarray(X, dtype=np.float64), self._centers, self._frame, labels)
        return labels


def quick_fit(estimator: Any, X: np.ndarray, seed: int) -> QuickKMeans | None:
    """The stand-in, where `estimator` is plain K-means and the table small and without gaps; else None."""
    return QuickKMeans(X, estimator.n_clusters, seed) if _allowed([estimator], X, len(X)) else None


def quick_labels(estimators: Sequence[Any], X: np.ndarray, seed: int) -> list[np.ndarray] | None:
    """The labels that the stand-in gives in place of each of these models, all in one call; else None."""
    if not estimators or not _allowed(estimators, X, len(X)):
        return None
    return list(_fit(X, np.array([estimator.n_clusters for estimator in estimators]), seed, None)[0])


def quick_view(estimator: Any, X: np.ndarray, part: np.ndarray, seed: int, carried: bool) -> np.ndarray | None:
    """Labels of all rows from the stand-in fitted to a part: others get that of the nearest centre, or -1; else None."""
    if not _allowed([estimator], X, len(part)):
        return None
    model = QuickKMeans(X, estimator.n_clusters, seed, part)
    view = model.predict(X) if carried else np.full(len(X), -1)
    view[part] = model.labels_
    return view


def _allowed(estimators: Sequence[Any], X: np.ndarray, n_rows: int) -> bool:
    for estimator in estimators:
        kind = type(estimator)
        if kind.__name__ != "KMeans" or kind.__module__.split(".")[0] not in {"unmix", "sklearn"}:
            return False
        k, init = estimator.n_clusters, estimator.init
        if not (isinstance(init, str) and init == "k-means++") or k > n_rows or n_rows * X.shape[1] * k > MOST_WORK:
            return False
    import numba

    return not (numba.config.DISABLE_JIT or np.isnan(X).any())


def _fit(
    X: np.ndarray, sizes: np.ndarray, seed: int, part: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels at each size, the centres of all sizes one below the other, and the frame they lie in."""
    from unmix.validation.small_kmeans import STARTS, small_kmeans

    part = np.arange(len(X)) if part is None else part
    d = X.shape[1]
    labels, centers = np.empty((len(sizes), len(part)), dtype=np.int64), np.empty((sizes.sum(), d))
    frame, uniforms = np.empty(1 + d), np.random.default_rng(seed).random(STARTS * sizes.max())
    X = np.ascontiguousarray(X, dtype=np.float64)
    small_kmeans(X, part, sizes, MAX_ITER, uniforms, labels, centers, frame)
    return labels, centers, frame
