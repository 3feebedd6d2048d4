"""Dissimilarities of rows by the name of a metric.

Euclidean distances are taken from differences. Expanding the square, as scikit-learn does, is faster and loses the
distances of rows that are far from the origin: a clustering would then depend on where the origin is.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from unmix.shell.magnitude import refuse_far, refuse_vanishing, refuse_vast

EXPANDED: dict[str, Literal["euclidean", "sqeuclidean"]] = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "nan_euclidean": "euclidean",
    "sqeuclidean": "sqeuclidean",
}


def row_distances(X: np.ndarray, Y: np.ndarray | None = None, *, metric: Any) -> np.ndarray:
    """Dissimilarities (n, m) of the rows of X to those of Y, by default to each other; no entry may be missing."""
    if not isinstance(metric, str) or metric not in EXPANDED:
        from sklearn.metrics import pairwise_distances  # dear to import

        return np.asarray(pairwise_distances(X, Y, metric=metric))
    from scipy.spatial.distance import cdist

    rows = np.asarray(X, np.float64)
    return np.asarray(cdist(rows, rows if Y is None else np.asarray(Y, np.float64), EXPANDED[metric]))


def distances_between(X: np.ndarray, metric: Any) -> np.ndarray:
    """Dissimilarities (n, n) of the rows of X in their precision; such as no cost can be made of are refused."""
    with np.errstate(over="ignore", invalid="ignore"):
        D = row_distances(X, metric=metric).astype(X.dtype, copy=False)
    refuse_vast(D, "distances between rows of X")
    refuse_vanishing(X, D, metric)
    return D


def distances_to_fitted(model: Any, X: np.ndarray) -> np.ndarray:
    """Dissimilarities (n, m) of new rows to the objects of the fit; X itself where it holds them."""
    pre = isinstance(model.metric, str) and model.metric == "precomputed"
    if not pre and not hasattr(model, "objects_"):  # the metric was changed since, or comes from a file
        raise ValueError(f"metric={model.metric!r}: the fit was to dissimilarities; give 'precomputed', or fit again")
    with np.errstate(over="ignore", invalid="ignore"):  # such distances are refused in words
        D = X if pre else row_distances(X, model.objects_, metric=model.metric)
    refuse_far(D)
    return D


def mean_distance(D: np.ndarray) -> float:
    """Of two different objects."""
    n = len(D)
    return float(D.sum(dtype=np.float64)) / max(n * (n - 1), 1)


def nearness(X: np.ndarray, metric: Any) -> np.ndarray:
    """Similarities (n, n) of either sign: by how much rows are nearer than rows are on average."""
    D = distances_between(X, metric)
    return D.dtype.type(mean_distance(D)) - D


def refuse_similarities(D: np.ndarray) -> None:
    """Refuse a square matrix in which objects are more unlike themselves than each other, on average; NaN is not known.

    A constant added to all entries, diagonal included, makes no difference.
    """
    own, n = np.asarray(np.diagonal(D), np.float64), len(D)
    if n < 2 or not (own > 0).any():  # as dissimilarities are: looked at in no time
        return
    known = ~np.isnan(D)
    itself, count = float(np.nansum(own)), int(known.diagonal().sum())
    others = (float(np.nansum(D, dtype=np.float64)) - itself) / max(int(known.sum()) - count, 1)
    if itself / max(count, 1) > others:
        raise ValueError(
            f"X holds similarities, not dissimilarities: objects are {itself / count:.3g} from themselves"
            f" on average, {others:.3g} from each other; from similarities s, give s.max() - s, or s_ii + s_jj - 2 s_ij"
        )
