"""Rows that no sample has shown and that cost much: they are added to it, and the swaps are made again.

A sample of some ten thousand rows misses a single far one. Lloyd's iteration over all rows then lends it to the nearest
cluster, whose centre it pulls away from the others. The first pass over all rows tells: one row has a large part of the
cost.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.lloyd.lloyd import Problem, State
from unmix.algorithms.kmeans.multi_start import Settings, best_of
from unmix.algorithms.rows.sample import Sample, few_leaves
from unmix.costs.nearest.centers import Frame, nearest

LARGE = 0.01  # part of the cost


class FarRows(NamedTuple):
    """Rows of the highest costs and their weights, the most expensive first; on merging, as many as before stay."""

    cost: np.ndarray
    weights: np.ndarray
    rows: Any

    def merge(self, other: "FarRows") -> "FarRows":
        cost = np.concatenate([self.cost, other.cost])
        order = np.argsort(-cost, kind="stable")[: max(len(self.cost), len(other.cost))]
        weights = np.concatenate([self.weights, other.weights])
        return FarRows(cost[order], weights[order], stack(self.rows, other.rows)[order])


def stack(first: Any, second: Any) -> Any:
    if hasattr(first, "tocsr"):
        from scipy.sparse import vstack

        return vstack([first, second], format="csr")
    return np.concatenate([first, second])


def stand_out(state: State) -> bool:
    """Whether some row may have a large part of the cost, as far as the reach of the clusters tells."""
    return bool(state.clocks.reach.max() ** 2 > LARGE * state.objective)


def find_far_rows(block: Any, weights: np.ndarray | None, frame: Frame, centers: np.ndarray, count: int) -> FarRows:
    cost = nearest(block, frame, centers).near.astype(np.float64)
    weights = np.ones(len(cost)) if weights is None else weights
    order = np.argsort(-weights * cost, kind="stable")[:count]
    return FarRows((weights * cost)[order], weights[order], block[order])


def with_far_rows(
    problem: Problem, state: State, sample: Sample, centers: np.ndarray, settings: Settings, seed: int
) -> np.ndarray:
    """Better centres than the given ones, by swaps on the sample and the rows that cost much."""
    X, weights, frame = problem.X, problem.weights, problem.frame
    far = X.reduce(find_far_rows, frame, state.centers, len(centers), rows=weights)
    much = far.cost > LARGE * state.objective
    if not much.any():
        return centers
    drawn, mass = sample.blocks.gather(), float(X.shape[0] if weights is None else weights.sum())
    each = np.full(drawn.shape[0], mass / drawn.shape[0])
    rows = few_leaves(stack(drawn, far.rows[much]))
    wider = Sample(rows, np.concatenate([each, far.weights[much]]), False)
    return best_of(wider, frame, (centers,), settings, seed)
