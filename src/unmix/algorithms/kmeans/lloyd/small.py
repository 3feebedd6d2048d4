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
    """Rows as tiles, their weights (0 for what only fills the last tile up), and the mean variance of the columns."""

    tiles: np.ndarray
    weights: np.ndarray
    n_rows: int
    mass: float
    variance: float


class State(NamedTuple):
    """All that the next iteration needs. Centres and sums are in the frame."""

    iteration: int
    done: bool
    centers: np.ndarray
    labels: np.ndarray  # (n,) as floats; -1 before the first pass
    sums: np.ndarray  # (k, d + 2) sum, weight and number of the rows of each cluster
    objective: float

    @property
    def fixed_shapes(self) -> bool:
        """In a checkpoint: kernels trust numbers of centres and rows."""
        return True

    def consistent(self) -> bool:
        return bool(((self.labels >= -1) & (self.labels < len(self.centers))).all())

    @property
    def mass(self) -> np.ndarray:
        return self.sums[:, -2]


class Limits(NamedTuple):
    """When the compiled iteration stops, in the order in which it reads them."""

    most: float  # iterations
    movement: float = 0.0  # the sum of squared movements of all centres
    movement_of_cost: float = 0.0  # the same, times the cost
    expected_decreases: float = 0.0  # how many times the last decrease may still be expected
    target: float = np.inf  # the cost to come below by that
    empty: float = 0.0  # 1: goes on when a cluster has no rows
    decrease: float = 0.0  # a share of the cost


class Sizes(NamedTuple):
    """Fits with several numbers of clusters: the centres of all stand one below the other, labels have a line each."""

    centers: np.ndarray
    labels: np.ndarray


def lay_out(rows: Any, weights: np.ndarray | None, frame: Frame) -> Table:
    inside = frame.enter(as_dense(rows))
    tiles, (n, d) = fill_tiles(inside), inside.shape
    share = np.zeros(tiles.size // d)
    share[:n] = 1.0 if weights is None else weights
    mass = float(share.sum())
    away = inside - share[:n] @ inside / mass
    return Table(tiles, share, n, mass, float((share[:n] @ (away * away)).sum() / mass / d))


def begin(table: Table, centers: np.ndarray) -> State:
    """The state before the first pass from the given centres."""
    k, d = centers.shape
    return State(0, False, centers, np.full(table.n_rows, -1.0), np.zeros((k, d + 2)), np.inf)


def iterate(
    table: Table, state: State, tol: float, max_iter: int, target: float = np.inf, before: float = np.inf
) -> State:
    """At most so many iterations more, fewer where a cluster loses all its rows or the target is out of reach."""
    from unmix.algorithms.kmeans.lloyd.small_kernel import lloyd

    k, d = state.centers.shape
    # least movement: that of `unit_of_movement` in center_kernel.py
    movement = (tol * table.variance, tol * 16.0 * k ** (2.0 / d) / (table.mass * d))
    limits = Limits(max_iter, *movement, FURTHER_DECREASE, target)
    centers, labels, sums = np.array(state.centers, np.float64, order="C"), state.labels.copy(), state.sums.copy()
    iterations, done, objective, _ = lloyd(
        table.tiles, table.weights, table.n_rows, centers.reshape(-1), 0, k, np.array(limits), before,
        labels, sums.reshape(-1), *np.empty((3, table.weights.size)),
    )  # fmt: skip
    return State(state.iteration + iterations, bool(done), centers, labels, sums, objective)


def fit_sizes(rows: np.ndarray, sizes: np.ndarray, count: int, little: float, max_iter: int, seed: int) -> Sizes:
    """K-means with each number of clusters, the best of `count` starts: for the many refits of resamples.

    A start is iterated until it gains `little` of its cost, the best of them on until no row changes its cluster.
    """
    from unmix.algorithms.kmeans.lloyd.small_kernel import best_of_starts

    (n, d), tiles, most, total = rows.shape, fill_tiles(rows), int(sizes.max()), int(sizes.sum())
    uniforms = np.random.default_rng(seed).random(most * count)
    stops = [np.array(Limits(max_iter, empty=1.0, decrease=share)) for share in (little, 0.0)]
    centers, labels, room = np.empty((total + most, d)), np.empty((len(sizes), n)), np.empty((4, tiles.size // d))
    best_of_starts(
        tiles, (np.arange(tiles.size // d) < n) * 1.0, n, sizes, most, uniforms, count, *stops,
        np.empty(count * most * d), centers.reshape(-1), labels.reshape(-1), np.empty(most * (d + 2)), *room,
    )  # fmt: skip
    return Sizes(centers[:total], labels.astype(np.int64))


def labels_of_sizes(rows: np.ndarray, centers: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The nearest centre of every row, a line for each number of clusters."""
    from unmix.costs.nearest.small_kernel import find_nearest

    (n, d), tiles, first = rows.shape, fill_tiles(rows), 0
    (near, far), labels = np.empty((2, tiles.size // d)), np.empty((len(sizes), tiles.size // d))
    for line, k in zip(labels, sizes.tolist(), strict=True):
        find_nearest(tiles, d, centers.reshape(-1), first, first + k, line, near, far)
        first += k
    return labels[:, :n].astype(np.int64)
