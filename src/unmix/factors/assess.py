"""Labels of all rows for given centres, and the cost computed from residuals, sum_i w_i ||x_i - u_c(i)||².

The cost from sums cancels when the fit is nearly exact, so what a fit reports is added up from differences here.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.nearest import JIT_DISABLED, Frame, frame_around, nearest
from unmix.core.points import Points


class Cost(NamedTuple):
    cost: float
    mass: np.ndarray  # (k,) weight of each cluster


class Assessment(NamedTuple):
    """Labels, cost and the weights of the clusters."""

    labels: np.ndarray
    cost: float
    mass: np.ndarray


def frame_of(centers: np.ndarray, sparse: bool, dtype: Any) -> Frame:
    """The frame in which rows are compared with final centres, the same whenever labels are asked for."""
    middle = np.zeros(centers.shape[1]) if sparse else np.asarray(centers, np.float64).mean(axis=0)
    return frame_around(middle, float(np.abs(centers).max()), dtype)


def assess(X: RowBlocks, weights: np.ndarray | None, centers: np.ndarray) -> Assessment:
    """The nearest of the centres for every row, and what that costs; infinite where it exceeds the largest float."""
    frame = frame_of(centers, X.sparse, X.dtype)
    labels, total = X.step(label_and_cost, weights, frame, frame.enter(centers))
    return Assessment(labels, frame.cost(total.cost), total.mass)


def label_and_cost(
    block: Any, weights: np.ndarray | None, frame: Frame, centers: np.ndarray
) -> tuple[np.ndarray, Cost]:
    labels = nearest(block, frame, centers).label
    weights = np.ones(len(labels)) if weights is None else weights
    mass = np.bincount(labels, weights, minlength=len(centers))
    return labels, Cost(float(weights @ residuals(block, frame, centers, labels)), mass)


def residuals(block: Any, frame: Frame, centers: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """||x - u||² of every row and its centre in float64, from differences."""
    if hasattr(block, "tocsr"):
        # the entries that are not stored contribute u²: all of ||u||², less that of the stored ones
        data, rows = block.data * np.float64(frame.scale), np.repeat(np.arange(len(labels)), np.diff(block.indptr))
        stored = centers[labels[rows], block.indices]
        inside = np.bincount(rows, (data - stored) ** 2 - stored**2, minlength=len(labels))
        return np.maximum(inside + (centers * centers).sum(axis=1)[labels], 0.0)  # type: ignore[no-any-return]
    if JIT_DISABLED:
        return ((frame.enter(block) - centers[labels]) ** 2).sum(axis=1)  # type: ignore[no-any-return]
    from unmix.core.tiles import row_residuals

    out = np.empty(len(labels))
    row_residuals(block, frame.scale, frame.shift, centers, labels, out)
    return out


def distance_rows(block: Any, rows: None, frame: Frame, centers: np.ndarray) -> np.ndarray:
    """Distances (n, k) in the units of the data."""
    square = Points(block, None, frame).distances(centers).T
    return np.ascontiguousarray(np.sqrt(square) / frame.scale, block.dtype)
