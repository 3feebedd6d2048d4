"""First centres for K-means, chosen among rows held in memory.

Greedy k-means++: each new centre is a row drawn with probability proportional to w_i min_c ||x_i - u_c||²; of several
draws the one that lowers the total the most is kept. Every draw takes the row under a uniform position of the
cumulative weighted distance, so a row of weight 2 and a row that stands there twice are drawn alike.

Arthur & Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
"""

from collections.abc import Callable

import numpy as np

from unmix.algorithms.rows.sample import rows_under
from unmix.core.random import spawn
from unmix.costs.nearest.differences import Points


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


def several_plus_plus(points: Points, k: int, seed: int, draws: int) -> np.ndarray:
    """The rows (draws, k, d) that `plus_plus` chooses at its first restarts, all at once: few rows cost calls only."""
    trials, runs = 2 + int(np.log(k)), np.arange(draws)
    uniform = np.array([spawn(seed, restart).random((k, trials)) for restart in range(draws)])
    cumulative = np.cumsum(points.weights)
    centers = [points.take(rows_under(uniform[:, 0, 0], cumulative))]
    closest = points.distances(centers[0])
    weights = points.weights.astype(closest.dtype)
    for step in range(1, k):
        reached = np.cumsum(points.weights * closest, axis=1)
        reached[reached[:, -1] <= 0] = cumulative
        drawn = points.take(np.concatenate([rows_under(*each) for each in zip(uniform[:, step], reached, strict=True)]))
        trial = points.distances(drawn).reshape(draws, trials, -1)
        np.minimum(trial, closest[:, None], out=trial)
        best = np.argmin(trial @ weights, axis=1)
        closest = trial[runs, best]
        centers.append(drawn.reshape(draws, trials, -1)[runs, best])
    return np.stack(centers, axis=1)


def random_rows(points: Points, k: int, seed: int, restart: int) -> np.ndarray:
    """k rows drawn by weight, different ones as long as there are."""
    positions = spawn(seed, restart).random(8 * k)
    rows = points.take(rows_under(positions, np.cumsum(points.weights)))
    _, first = np.unique(rows, axis=0, return_index=True)
    first.sort()
    return rows[np.resize(first, k)]


STARTS: dict[str, Callable[..., np.ndarray]] = {
    "k-means++": plus_plus,
    "random": random_rows,
}
