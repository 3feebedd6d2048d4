"""How well a map represents the rows, and how well it keeps their neighbourhoods.

    quantization error  = mean distance of a row to its nearest node
    topographic error   = share of the rows whose second nearest node is not adjacent to the nearest

Kiviluoto, Topology preservation in self-organizing maps, ICNN 1996.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.lloyd.labels_and_cost import Places, place, residuals
from unmix.algorithms.self_organizing_map.batch import LEAN
from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.centers import JIT_DISABLED, Frame, expansion_error, nearest
from unmix.costs.nearest.differences import plain_distances

DISTANCES_AT_ONCE = 2**17  # numbers in an array of distances


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
    places = place(centers, X.sparse, X.dtype)
    labels, total = X.step(label_and_measure, weights, places, adjacent)
    return Quality(np.asarray(labels), total.distance / total.mass / places.frame.scale, total.torn / total.mass)


def label_map(X: RowBlocks, centers: np.ndarray) -> np.ndarray:
    """The nearest node of each row, as `assess_map` says."""
    return X.map(label_rows, place(centers, X.sparse, X.dtype))


def label_rows(block: Any, rows: None, places: Places) -> np.ndarray:
    return nearest(block, places.frame, places.inside, unmoved=places.unmoved, lean=LEAN).label


def label_and_measure(
    block: Any, weights: np.ndarray | None, places: Places, adjacent: np.ndarray
) -> tuple[np.ndarray, Sums]:
    (frame, inside, nodes), dtype = places, block.dtype
    labels, _, far = nearest(block, frame, inside, unmoved=nodes, lean=LEAN)
    weight = np.ones(len(labels)) if weights is None else weights
    distance = float(weight @ np.sqrt(residuals(block, places.scaled, nodes, labels)))
    if len(nodes) == 1:
        torn = 0.0  # there is no second node
    elif JIT_DISABLED or hasattr(block, "tocsr"):
        torn = torn_plain(block, weight, places.scaled, nodes, labels, adjacent)
    else:
        from unmix.algorithms.self_organizing_map.node_sums_kernel import count_torn

        error = float(expansion_error(dtype, inside.shape[1]))
        torn = count_torn(block, weight, labels, far, frame.scale, frame.shift, nodes, adjacent, error, LEAN)
    return labels, Sums(distance, torn, float(weight.sum()))


def torn_plain(
    block: Any, weight: np.ndarray, frame: Frame, centers: np.ndarray, labels: np.ndarray, adjacent: np.ndarray
) -> float:
    """The definition, a piece of the rows at a time; distances that differ by rounding only count as equal."""
    torn, size = 0.0, max(64, DISTANCES_AT_ONCE // len(centers))
    for start in range(0, block.shape[0], size):
        rows, own = block[start : start + size], labels[start : start + size]
        away = np.sqrt(np.asarray(plain_distances(rows, frame, centers), np.float64).T)
        length = np.sqrt(np.asarray((rows.multiply(rows) if hasattr(rows, "tocsr") else rows * rows).sum(axis=1)))
        every = np.arange(len(own))
        away[every, own] = np.inf
        around = np.where(adjacent[own] >= 0, away[every[:, None], adjacent[own]], np.inf)
        limit = away.min(axis=1) * (1 + LEAN) + LEAN * frame.scale * length
        torn += float(weight[start : start + size] @ (around.min(axis=1) > limit))
    return torn
