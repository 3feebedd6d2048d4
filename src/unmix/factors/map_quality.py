"""How well a map represents the rows, and how well it keeps their neighbourhoods.

    quantization error  = mean distance of a row to its nearest node
    topographic error   = share of the rows whose second nearest node is not adjacent to the nearest

Kiviluoto, Topology preservation in self-organizing maps, ICNN 1996.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.nearest import JIT_DISABLED, Frame, nearest
from unmix.core.points import plain_distances
from unmix.factors.assess import frame_of, residuals
from unmix.factors.batch_map import LEAN, NO_WEIGHTS, in_order

PIECE = 2**17  # numbers in an array of distances


class Sums(NamedTuple):
    distance: float
    torn: float
    mass: float


class Quality(NamedTuple):
    labels: np.ndarray
    quantization_error: float
    topographic_error: float


def assess_map(X: RowBlocks, weights: np.ndarray | None, centers: np.ndarray, adjacent: np.ndarray) -> Quality:
    """Labels and errors of final nodes; `adjacent` is the table of grid.neighbor_table."""
    frame = frame_of(centers, X.sparse, X.dtype)
    labels, total = X.step(label_and_measure, weights, frame, frame.enter(centers), adjacent)
    return Quality(np.asarray(labels), total.distance / total.mass / frame.scale, total.torn / total.mass)


def label_map(X: RowBlocks, centers: np.ndarray) -> np.ndarray:
    """The nearest node of each row, as `assess_map` says."""
    frame = frame_of(centers, X.sparse, X.dtype)
    return X.map(label_rows, frame, frame.enter(centers))


def label_rows(block: Any, rows: None, frame: Frame, centers: np.ndarray) -> np.ndarray:
    return nearest(block, frame, centers, in_order(centers)).label


def label_and_measure(
    block: Any, weights: np.ndarray | None, frame: Frame, centers: np.ndarray, adjacent: np.ndarray
) -> tuple[np.ndarray, Sums]:
    found = nearest(block, frame, centers, in_order(centers))
    error = (float(np.finfo(block.dtype).eps) + LEAN * len(centers)) * (4 + centers.shape[1] ** 0.5)
    weight = np.ones(len(found.label)) if weights is None else weights
    distance = float(weight @ np.sqrt(residuals(block, frame, centers, found.label)))
    if len(centers) == 1:
        torn = 0.0  # there is no second node
    elif JIT_DISABLED or hasattr(block, "tocsr"):
        torn = torn_plain(block, weight, frame, centers, found.label, adjacent, error)
    else:
        from unmix.factors.node_sums import count_torn

        given = NO_WEIGHTS if weights is None else weights
        torn = count_torn(block, given, found.label, found.far, frame.scale, frame.shift, centers, adjacent, error)
    return found.label, Sums(distance, torn, float(weight.sum()))


def torn_plain(
    block: Any,
    weight: np.ndarray,
    frame: Frame,
    centers: np.ndarray,
    labels: np.ndarray,
    adjacent: np.ndarray,
    error: float,
) -> float:
    """The definition, a piece of the rows at a time."""
    torn, size, longest = 0.0, max(64, PIECE // len(centers)), float((centers**2).sum(axis=1).max())
    for start in range(0, block.shape[0], size):
        part = slice(start, start + size)
        squares = np.asarray(plain_distances(block[part], frame, centers)).T.astype(np.float64)
        every, own = np.arange(len(squares)), labels[part]
        norms = 2 * squares[every, own] + 2 * longest  # ||x||² <= 2 ||x - u||² + 2 ||u||²
        squares[every, own] = np.inf
        around = np.where(adjacent[own] >= 0, squares[every[:, None], adjacent[own]], np.inf)
        torn += float(weight[part] @ (around.min(axis=1) > squares.min(axis=1) + error * (norms + longest)))
    return torn
