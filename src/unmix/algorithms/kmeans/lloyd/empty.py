"""Centres without rows: each takes one of the rows farthest from the centres that have some, out of its cluster.

The cluster that gives the row away has the mean of the others at once: u = (S - w x) / (W - w).
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.centers import Frame, nearest

LEAST_LEFT = 1e-9  # of the weight of a cluster: what is less is what rounding leaves of nothing


class Farthest(NamedTuple):
    """Rows far from all centres, the farthest first, with their clusters; on merging, as many as before stay."""

    distance: np.ndarray
    row: np.ndarray
    label: np.ndarray
    weight: np.ndarray  # (rows, 1), or of every entry

    def merge(self, other: "Farthest") -> "Farthest":
        both = [np.concatenate(pair) for pair in zip(self, other, strict=True)]
        order = np.argsort(-both[0], kind="stable")[: max(len(self.distance), len(other.distance))]
        return Farthest(*(part[order] for part in both))


def place_empty(X: RowBlocks, frame: Frame, centers: np.ndarray, sums: np.ndarray, rows: Any) -> np.ndarray:
    """The centres after rows were given to those that have none.

    `sums` are of each cluster: its rows, their weight, their number; `rows` the labels, or labels and weights.
    """
    d = centers.shape[1]
    missing = np.flatnonzero(sums[:, d + 1] <= 0)
    far = X.reduce(farthest, frame, np.delete(centers, missing, axis=0), len(missing), rows=rows)
    return give_rows(centers, sums[:, :d], sums[:, d : d + 1], missing, far)


def give_rows(
    centers: np.ndarray, sums: np.ndarray, mass: np.ndarray, missing: np.ndarray, far: Farthest
) -> np.ndarray:
    """Each missing centre on one of the rows that are far, and the clusters of these without them."""
    centers, sums, left = centers.copy(), sums.copy(), mass.copy()
    for c, distance, row, label, weight in zip(missing, *far):
        if distance > 0:
            centers[c] = row
            sums[label] -= weight * row
            left[label] -= weight
            held = left[label] > LEAST_LEFT * mass[label]
            centers[label] = np.where(held, sums[label] / np.where(held, left[label], 1.0), centers[label])
    return centers


def farthest(block: Any, rows: Any, frame: Frame, centers: np.ndarray, count: int) -> Farthest:
    labels, weights = rows if isinstance(rows, tuple) else (rows, np.ones(len(rows)))
    near = nearest(block, frame, centers).near.astype(np.float64)
    near[weights == 0] = -1.0
    order = np.argsort(-near, kind="stable")[:count]
    found = block[order].toarray() if hasattr(block, "tocsr") else block[order]
    label = labels.reshape(len(labels), -1)[order, 0].astype(np.intp)  # with deadlines, labels come first
    return Farthest(near[order], frame.enter(found), label, weights[order, None])
