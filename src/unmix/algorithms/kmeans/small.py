"""Lloyd's iteration on a small table: dense, in the frame, in float64, whatever form and precision the rows came in.

On a few hundred rows every row is compared with every centre again, from differences, in less time than the clocks of
lloyd.py would take to spare it, and one small kernel serves every table: compiling takes longer than such a fit.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.nearest.centers import Frame
from unmix.costs.nearest.small import as_dense, fill_tiles

FURTHER_DECREASE = 15.0


class Table(NamedTuple):
    """Rows as tiles, their weights, the sum of these, and the mean variance of the columns."""

    tiles: np.ndarray
    weights: np.ndarray
    mass: float
    variance: float


class State(NamedTuple):
    """All that the next iteration needs. Centres and sums are in the frame."""

    iteration: int
    done: bool
    centers: np.ndarray
    labels: np.ndarray  # of every row of the tiles, as floats; -1 before the first pass
    sums: np.ndarray  # (k, d + 2) sum, weight and number of the rows of each cluster
    objective: float

    @property
    def mass(self) -> np.ndarray:
        return self.sums[:, -2]


def lay_out(rows: Any, weights: np.ndarray | None, frame: Frame) -> Table:
    inside = frame.enter(as_dense(rows))
    weights = np.ones(len(inside)) if weights is None else np.ascontiguousarray(weights, np.float64)
    mass = float(weights.sum())
    away = inside - weights @ inside / mass
    return Table(fill_tiles(inside), weights, mass, float((weights @ (away * away)).sum() / mass / inside.shape[1]))


def begin(table: Table, centers: np.ndarray) -> State:
    """The state before the first pass from the given centres."""
    k, d = centers.shape
    return State(0, False, centers, np.full(table.tiles.size // d, -1.0), np.zeros((k, d + 2)), np.inf)


def iterate(
    table: Table, state: State, tol: float, max_iter: int, target: float = np.inf, before: float = np.inf
) -> State:
    """At most so many iterations more, fewer where a cluster loses all its rows or the target is out of reach."""
    from unmix.algorithms.kmeans.small_kernel import lloyd

    k, d = state.centers.shape
    # as `unit_of_movement` of center_kernel.py
    limits = (max_iter, tol * table.variance, tol * 16.0 * k ** (2.0 / d) / (table.mass * d))
    settings = np.array([*limits, FURTHER_DECREASE, target, 0.0, 0.0])
    centers, labels, sums = np.array(state.centers, np.float64, order="C"), state.labels.copy(), state.sums.copy()
    iterations, done, objective, _ = lloyd(
        table.tiles, table.weights, centers.reshape(-1), 0, k, settings, before,
        labels, sums.reshape(-1), *np.empty((3, labels.size)),
    )  # fmt: skip
    return State(state.iteration + iterations, bool(done), centers, labels, sums, objective)
