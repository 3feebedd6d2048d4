"""Dissimilarities of rows by the name of a metric.

Euclidean distances are taken from differences. Expanding the square, as scikit-learn does, is faster and loses the
distances of rows that are far from the origin: a clustering would then depend on where the origin is.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

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
