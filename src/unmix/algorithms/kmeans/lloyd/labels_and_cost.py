"""Labels of all rows for given centres, and the cost computed from residuals, sum_i w_i ||x_i - u_c(i)||².

The cost from sums cancels when the fit is nearly exact, so what a fit reports is added up from differences here.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.centers import JIT_DISABLED, PIECE, Frame, frame_around, nearest
from unmix.costs.nearest.differences import CANCELLED, Points
from unmix.costs.nearest.small import SMALL_ENTRIES


class Cost(NamedTuple):
    cost: float
    mass: np.ndarray  # (k,) weight of each cluster


class Assessment(NamedTuple):
    """Labels, cost and the weights of the clusters."""

    labels: np.ndarray
    cost: float
    mass: np.ndarray


class Places(NamedTuple):
    """Final centres, as they are compared with rows: in a frame, and scaled only, which loses nothing."""

    frame: Frame
    inside: np.ndarray
    unmoved: np.ndarray

    @property
    def scaled(self) -> Frame:
        """The frame of the unmoved centres."""
        return Frame(self.frame.scale, np.zeros_like(self.frame.shift))


def place(centers: np.ndarray, sparse: bool, dtype: Any) -> Places:
    """Centres in the frame of their middle, the same whenever labels are asked for.

    The middle is the median column by column, so that a far centre does not take the origin away from the others. Where
    half of them are far, rows are compared by differences: slower, with the same result.
    """
    exact = np.asarray(centers, np.float64)
    middle = np.zeros(exact.shape[1]) if sparse else np.sort(exact, axis=0)[(len(exact) - 1) // 2]
    frame = frame_around(middle, float(np.abs(exact).max()), dtype)
    return Places(frame, frame.enter(exact), frame.scale * exact)


def assess(X: RowBlocks, weights: np.ndarray | None, centers: np.ndarray) -> Assessment:
    """The nearest of the centres for every row, and what that costs; infinite where it exceeds the largest float."""
    places = place(centers, X.sparse, X.dtype)
    labels, total = X.step(label_and_cost, weights, places)
    return Assessment(labels, places.frame.cost(total.cost), total.mass)


def label_and_cost(block: Any, weights: np.ndarray | None, places: Places) -> tuple[np.ndarray, Cost]:
    labels = nearest(block, places.frame, places.inside, unmoved=places.unmoved).label
    weights = np.ones(len(labels)) if weights is None else weights
    mass = np.bincount(labels, weights, minlength=len(places.inside))
    return labels, Cost(float(weights @ residuals(block, places.scaled, places.unmoved, labels)), mass)


def residuals(block: Any, frame: Frame, centers: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """||x - u||² of every row and its centre in float64, from differences."""
    if hasattr(block, "tocsr"):
        return sparse_residuals(block, frame.scale, centers, labels)
    if JIT_DISABLED or block.size <= SMALL_ENTRIES:
        away = frame.enter(block) - centers[labels]
        return np.einsum("ij,ij->i", away, away)
    from unmix.costs.nearest.tiles import row_residuals

    out = np.empty(len(labels))
    row_residuals(block, frame.scale, frame.shift, centers, labels, out)
    return out


def sparse_residuals(block: Any, scale: float, centers: np.ndarray, labels: np.ndarray) -> np.ndarray:
    # the entries that are not stored contribute u²: all of ||u||², less that of the stored ones
    data, rows = block.data * np.float64(scale), np.repeat(np.arange(len(labels)), np.diff(block.indptr))
    stored = centers[labels[rows], block.indices]
    squares = (centers * centers).sum(axis=1)[labels]
    found = np.bincount(rows, (data - stored) ** 2 - stored**2, minlength=len(labels)) + squares
    lost = np.flatnonzero(found < CANCELLED * squares)
    size = max(1, PIECE // block.shape[1])
    for start in range(0, len(lost), size):
        part = lost[start : start + size]
        dense = block[part].toarray().astype(np.float64) * scale
        found[part] = ((dense - centers[labels[part]]) ** 2).sum(axis=1)
    return found  # type: ignore[no-any-return]


def distances(X: RowBlocks, centers: np.ndarray) -> np.ndarray:
    """Distances (n, k) in the units of the data."""
    places = place(centers, X.sparse, X.dtype)
    return X.map(distance_rows, places.scaled, places.unmoved)


def distance_rows(block: Any, rows: None, frame: Frame, centers: np.ndarray) -> np.ndarray:
    square = Points(block, None, frame).distances(centers).T
    return np.ascontiguousarray(np.sqrt(square) / frame.scale, block.dtype)
