"""A stand-in for K-means where a criterion needs hundreds of fits on small tables: same objective, no frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from unmix.algorithms.kmeans.lloyd.small import fit_sizes, labels_of_sizes
from unmix.validation.fits.quick_mean_shift import QuickMeanShift, is_mean_shift

MOST_WORK = 2_000_000  # rows × features × clusters up to which one compiled call beats a threaded fit
STARTS, MAX_ITER = 5, 100
LITTLE = 1e-3  # a start that gains less, of its cost, in one iteration is compared with the others
LEAST = 1e-300  # a scale can be the reciprocal of no less
PICKED = 64  # rows whose median is the origin


class QuickKMeans:
    """Centres and labels of a small table; `predict` is the nearest centre."""

    def __init__(self, X: np.ndarray, k: int, seed: int) -> None:
        self._fits = Fits(X, np.arange(len(X)), np.array([k]), seed)
        self.labels_ = self._fits.labels[0]

    @cached_property
    def cluster_centers_(self) -> np.ndarray:
        scale, shift = self._fits.frame[0], self._fits.frame[1:]
        return (self._fits.centers + shift) / scale

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self._fits.predict(X)[0]


class Fits:
    """K-means with each of several numbers of clusters on the same rows of a table, in one call.

    `labels` has a line a size; the centres stand one below the other, in a frame of their own.
    """

    def __init__(self, X: np.ndarray, part: np.ndarray, sizes: np.ndarray, seed: int) -> None:
        self.sizes, self.frame = sizes, frame_of(X, part)
        self.centers, self.labels = fit_sizes(self._inside(X[part]), sizes, STARTS, LITTLE, MAX_ITER, seed)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The nearest centre of every row, a line a size."""
        return labels_of_sizes(self._inside(X), self.centers, self.sizes)

    def _inside(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(X, np.float64) * self.frame[0] - self.frame[1:]


def frame_of(X: np.ndarray, part: np.ndarray) -> np.ndarray:
    """(scale, shift): squares of scale x - shift neither over- nor underflow, and most rows lie near the origin."""
    few = part[:: max(1, len(part) // PICKED)]
    scale = 1.0 / max(float(np.abs(X[part]).max()), LEAST)
    rising, middle = np.sort(X[few] * np.float64(scale), axis=0), len(few) // 2
    # the median; np.median takes longer than the fit
    return np.append(scale, rising[middle] if len(few) % 2 else (rising[middle - 1] + rising[middle]) / 2)


def quick_fit(estimator: Any, X: np.ndarray, seed: int) -> QuickKMeans | QuickMeanShift | None:
    """The stand-in, where `estimator` is plain K-means or MeanShift and the table small and without gaps; else None."""
    if is_mean_shift(estimator, X):
        return QuickMeanShift(estimator, X)
    return QuickKMeans(X, estimator.n_clusters, seed) if stands_in([estimator], X, len(X)) else None


def quick_labels(estimators: Sequence[Any], X: np.ndarray, seed: int) -> list[np.ndarray] | None:
    """The labels that the stand-in gives in place of each of these models; else None."""
    if not stands_in(estimators, X, len(X)):
        return None
    return list(Fits(X, np.arange(len(X)), cluster_numbers(estimators), seed).labels)


def cluster_numbers(estimators: Sequence[Any]) -> np.ndarray:
    return np.array([estimator.n_clusters for estimator in estimators])


def stands_in(estimators: Sequence[Any], X: np.ndarray, n_rows: int) -> bool:
    """Whether all models are plain K-means, and so many rows of the table are few and without gaps."""
    import numba

    if numba.config.DISABLE_JIT or not estimators or np.isnan(X).any():
        return False
    for estimator in estimators:
        kind = type(estimator)
        if kind.__name__ != "KMeans" or kind.__module__.split(".")[0] not in {"unmix", "sklearn"}:
            return False
        k, init = estimator.n_clusters, estimator.init
        if not (isinstance(init, str) and init == "k-means++") or k > n_rows or n_rows * X.shape[1] * k > MOST_WORK:
            return False
    return True
