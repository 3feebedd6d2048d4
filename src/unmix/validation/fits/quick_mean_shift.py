"""A stand-in for scikit-learn's MeanShift where a criterion needs hundreds of fits on small tables: all seeds at once.

Every row climbs to the mean of the rows within the bandwidth of where it stands, until it moves by less than a
thousandth of that. Of places nearer to each other than the bandwidth the one with the most rows about it is a centre.
scikit-learn asks for the neighbours of one place at a time, and spends most of a second on a hundred rows with it.
Reference: Comaniciu and Meer, Mean shift: a robust approach toward feature space analysis, IEEE TPAMI 24 (2002).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

MOST_ROWS = 3000  # whose distances are kept
SETTLED = 1e-3  # bandwidths


class QuickMeanShift:
    """Centres and labels of a small table; `predict` is the nearest centre."""

    def __init__(self, estimator: Any, X: np.ndarray) -> None:
        bandwidth = estimator.bandwidth
        if bandwidth is None:
            from sklearn.cluster import estimate_bandwidth

            bandwidth = estimate_bandwidth(X)
        places, counts = climb(np.asarray(X, dtype=np.float64), float(bandwidth), estimator.max_iter)
        self.cluster_centers_ = apart(places, counts, float(bandwidth))
        distances = cdist(X, self.cluster_centers_)
        self.labels_ = distances.argmin(axis=1)
        if not estimator.cluster_all:
            self.labels_[distances.min(axis=1) > bandwidth] = -1

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(cdist(X, self.cluster_centers_).argmin(axis=1))


def climb(X: np.ndarray, bandwidth: float, max_iter: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each row ends, and how many rows were about it on its last step."""
    places, counts, moving = X.copy(), np.ones(len(X), dtype=np.intp), np.arange(len(X))
    for _ in range(max_iter + 1):
        near = cdist(places[moving], X) <= bandwidth
        counts[moving] = near.sum(axis=1)
        moved = near @ X / counts[moving][:, None]
        far = np.linalg.norm(moved - places[moving], axis=1) > SETTLED * bandwidth
        places[moving] = moved
        moving = moving[far]
        if not len(moving):
            break
    return places, counts


def apart(places: np.ndarray, counts: np.ndarray, bandwidth: float) -> np.ndarray:
    """The places with the most rows about them, none within the bandwidth of a better one."""
    order = np.lexsort((*places.T[::-1], counts))[::-1]
    places = places[order]
    near, kept = cdist(places, places) <= bandwidth, np.ones(len(places), dtype=bool)
    for i in range(len(places)):
        if kept[i]:
            kept[near[i]] = False
            kept[i] = True
    return np.asarray(places[kept])


def is_mean_shift(estimator: Any, X: np.ndarray) -> bool:
    """Whether the model is plain MeanShift, and the table small and without gaps."""
    kind = type(estimator)
    if kind.__name__ != "MeanShift" or kind.__module__.split(".")[0] != "sklearn":
        return False
    plain = estimator.seeds is None and not estimator.bin_seeding
    return plain and len(X) <= MOST_ROWS and bool(np.isfinite(X).all())
