"""First centres for K-means, chosen among rows held in memory.

Greedy k-means++: each new centre is a row drawn with probability proportional to w_i min_c ||x_i - u_c||²; of several
draws the one that lowers the total the most is kept. Every draw takes the row under a uniform position of the
cumulative weighted distance, so a row of weight 2 and a row that stands there twice are drawn alike.

Arthur & Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.core.nearest import JIT_DISABLED, Frame
from unmix.core.random import spawn
from unmix.factors.sample import rows_under


class Points:
    """Rows in the frame, held so that distances to a few candidates are fast."""

    def __init__(self, rows: Any, weights: np.ndarray | None, frame: Frame) -> None:
        self.rows, self.frame = rows, frame
        self.weights = np.ones(rows.shape[0]) if weights is None else weights
        self.compiled = not (JIT_DISABLED or hasattr(rows, "tocsr"))
        if self.compiled:
            from unmix.core.tiles import fill_tiles

            kind = rows.dtype.type
            self.tiles = fill_tiles(rows.reshape(-1), *rows.shape, kind(frame.scale), frame.shift.astype(kind))

    def take(self, indices: np.ndarray) -> np.ndarray:
        rows = self.rows[indices]
        return self.frame.enter(rows.toarray() if hasattr(rows, "tocsr") else rows)

    def distances(self, centers: np.ndarray) -> np.ndarray:
        """Squared distances (k, n) of all rows to the given centres, zero where they agree."""
        n, d = self.rows.shape
        if not self.compiled:
            return plain_distances(self.rows, self.frame, centers)
        from unmix.core.tiles import all_distances

        out = np.empty((len(centers), self.tiles.size // (d + 1)), self.rows.dtype)
        all_distances(self.tiles, d, np.ascontiguousarray(centers, self.rows.dtype), out)
        return out[:, :n]


def plain_distances(rows: Any, frame: Frame, centers: np.ndarray) -> np.ndarray:
    if hasattr(rows, "tocsr"):
        rows = rows.astype(np.float64) * frame.scale
        norms, squares = rows.multiply(rows).sum(axis=1), (centers * centers).sum(axis=1)[:, None]
        distances = squares + norms - 2 * np.asarray(rows @ centers.T).T
        # where nothing but rounding is left the row is the centre
        return np.where(distances > 1e-14 * (squares + norms), distances, 0.0)
    inside = frame.enter(rows)
    return np.stack([((inside - center.astype(rows.dtype)) ** 2).sum(axis=1) for center in centers])


def plus_plus(points: Points, k: int, seed: int, restart: int, trials: int | None = None) -> np.ndarray:
    """k rows by greedy k-means++; the first of them are a start for fewer clusters."""
    trials = trials or 2 + int(np.log(k))
    uniform = spawn(seed, restart).random((k, trials))
    cumulative = np.cumsum(points.weights)
    chosen = rows_under(uniform[0, :1], cumulative)
    centers = points.take(chosen)
    closest = points.distances(centers)[0]
    weights = points.weights.astype(closest.dtype)
    for step in range(1, k):
        reached = np.cumsum(points.weights * closest)
        if reached[-1] <= 0:  # every row is a centre already
            reached = cumulative
        drawn = points.take(rows_under(uniform[step], reached))
        trial = points.distances(drawn)
        np.minimum(trial, closest, out=trial)
        best = int(np.argmin(trial @ weights))
        closest = trial[best]
        centers = np.concatenate([centers, drawn[best : best + 1]])
    return centers


def random_rows(points: Points, k: int, seed: int, restart: int) -> np.ndarray:
    """k rows drawn by weight, different ones as long as there are."""
    positions = spawn(seed, restart).random(8 * k)
    rows = points.take(rows_under(positions, np.cumsum(points.weights)))
    _, first = np.unique(rows, axis=0, return_index=True)
    first.sort()
    return rows[np.resize(first, k)]


def random_points(points: Points, k: int, seed: int, restart: int) -> np.ndarray:
    """k points of a normal law with the mean and the variances of the columns."""
    rows = points.rows.astype(np.float64) * points.frame.scale
    share = points.weights / points.weights.sum()
    mean = share @ rows
    square = share @ (rows.multiply(rows) if hasattr(rows, "tocsr") else rows * rows)
    deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
    return mean - points.frame.shift + deviation * spawn(seed, restart).standard_normal((k, rows.shape[1]))


STARTS: dict[str, Callable[..., np.ndarray]] = {
    "k-means++": plus_plus,
    "data": random_rows,
    "random": random_points,
}
