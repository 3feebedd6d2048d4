"""Growing K-means: split the cluster of the largest distortion until a bound on the distortion holds.

    distortion of cluster c   = Σ_{i in c} w_i ||x_i - u_c||² / Σ_{i in c} w_i
    mean distortion           = Σ_c Σ_{i in c} w_i ||x_i - u_c||² / Σ_i w_i

The cluster that is split gets the two centres of a K-means with k = 2 on a sample of its rows; then all centres are
iterated over all rows.

Linde, Buzo & Gray, An algorithm for vector quantizer design, IEEE Trans. Communications 28 (1980).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.fit import Fit, finish
from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.lloyd.labels_and_cost import residuals
from unmix.algorithms.kmeans.lloyd.lloyd import Problem, begin, lloyd
from unmix.algorithms.kmeans.multi_start import choose_centers
from unmix.algorithms.rows.sample import draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.random import derive
from unmix.costs.nearest.centers import Frame, nearest

SAMPLE_ROWS, TRIALS, MOST_PASSES = 4096, 4, 100


class Bound(NamedTuple):
    """When to stop: the largest distortion, of every cluster or on average, or a share of that of a single cluster."""

    distortion: float
    relative: bool
    each: bool
    most: int


class Costs(NamedTuple):
    """Cost and weight of every cluster."""

    cost: np.ndarray
    mass: np.ndarray

    def consistent(self) -> bool:
        return len(self.cost) == len(self.mass)


class State(NamedTuple):
    """`iteration` is the number of clusters; centres are in the frame."""

    iteration: int
    done: bool
    centers: np.ndarray
    labels: Any
    costs: Costs

    def consistent(self) -> bool:
        return self.iteration == len(self.centers) == len(self.costs.cost)


def grow(
    X: RowBlocks, weights: np.ndarray | None, bound: Bound, max_iter: int, tol: float, seed: int
) -> tuple[Fit, bool]:
    """Centres, labels and cost with as many clusters as the bound takes, and whether it holds."""
    frame = find_frame(X, weights)
    problem = Problem(X, weights, frame, tol)
    center = mean_in(X, weights, frame)
    labels, costs = measure(problem, center)
    unit = float(costs.cost[0] / costs.mass[0])
    with np.errstate(over="ignore"):  # beyond all costs it asks for one cluster
        square = float(np.float64(frame.scale) ** 2)
    limit = max(bound.distortion * (unit if bound.relative else square), rounding(X, frame))

    def advance(state: State) -> tuple[State, dict[str, float]]:
        worst = int(np.argmax(state.costs.cost / np.where(state.costs.mass > 0, state.costs.mass, 1.0)))
        pair = split(problem, state, worst, derive(seed, len(state.centers)))
        centers = np.concatenate([state.centers[:worst], pair[:1], state.centers[worst + 1 :], pair[1:]])
        centers = lloyd(problem, begin(problem, centers), max_iter).centers
        labels, costs = measure(problem, centers)
        done = holds(costs, limit, bound.each)
        mean = frame.cost(float(costs.cost.sum() / costs.mass.sum()))
        return State(len(centers), done, centers, labels, costs), {"distortion": mean}

    state = State(1, holds(costs, limit, bound.each), center, labels, costs)
    state = iterate(advance, state, max_iter=bound.most, name="grow")
    return finish(X, weights, frame.leave(state.centers), state.iteration - 1), state.done


def mean_in(X: RowBlocks, weights: np.ndarray | None, frame: Frame) -> np.ndarray:
    """The mean in the frame."""
    total = X.reduce(sum_rows, frame, rows=weights)
    return total.cost[None] / total.mass


def sum_rows(block: Any, weights: np.ndarray | None, frame: Frame) -> Costs:
    weight = np.ones(block.shape[0]) if weights is None else weights
    if hasattr(block, "tocsr"):
        return Costs(np.asarray((frame.scale * weight) @ block, np.float64), np.array([weight.sum()]))
    return Costs(weight @ frame.enter(block), np.array([weight.sum()]))


def rounding(X: RowBlocks, frame: Frame) -> float:
    """The distortion that rounding of the mean alone may leave of rows that are all the same."""
    return X.shape[1] * (2.0**-48 * float(np.abs(frame.shift).max())) ** 2


def holds(costs: Costs, limit: float, each: bool) -> bool:
    """Whether the distortion is at most the limit, or no cluster has any that could be split."""
    full = costs.mass > 0
    by_cluster = costs.cost[full] / costs.mass[full]
    reached = by_cluster.max() if each else costs.cost.sum() / costs.mass.sum()
    return bool(reached <= limit * (1 + 1e-9) or by_cluster.max() <= 0)


def split(problem: Problem, state: State, worst: int, seed: int) -> np.ndarray:
    """Two centres in the frame for the rows of one cluster."""
    inside = (np.asarray(state.labels) == worst).astype(np.float64)
    weights = inside if problem.weights is None else inside * problem.weights
    sample = draw_sample(problem.X, weights, SAMPLE_ROWS, seed)
    part = Problem(sample.blocks, sample.weights, problem.frame, problem.tol)
    trials = [
        lloyd(part, begin(part, choose_centers(sample, problem.frame, 2, "k-means++", seed, turn)), MOST_PASSES)
        for turn in range(TRIALS)
    ]
    return min(trials, key=lambda trial: trial.objective).centers


def measure(problem: Problem, centers: np.ndarray) -> tuple[np.ndarray, Costs]:
    """Labels, and cost and weight by cluster from residuals."""
    return problem.X.step(label_and_add, problem.weights, problem.frame, centers)


def label_and_add(
    block: Any, weights: np.ndarray | None, frame: Frame, centers: np.ndarray
) -> tuple[np.ndarray, Costs]:
    labels, k = nearest(block, frame, centers).label, len(centers)
    weight = np.ones(len(labels)) if weights is None else weights
    cost = np.bincount(labels, weight * residuals(block, frame, centers, labels), minlength=k)
    return labels, Costs(cost, np.bincount(labels, weight, minlength=k))
