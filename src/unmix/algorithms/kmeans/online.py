"""Online K-means: rows one by one, the nearest centre moves a part ε of the way towards each.

    u_c += ε_t (x - u_c),   c = argmin_c ||x - u_c||²,   t = rows that centre c has won, this one included

    constant  ε = rate                             follows data that drift, never settles
    inverse   ε = 1 / (t + 1)                      every centre is the mean of its start and all it won (MacQueen)
    power     ε = rate ((1 + τ) / (t + τ))^κ       forgets the start; settles for 1/2 < κ <= 1 (Robbins & Monro)

Rows are shown in batches, after each of which the cost as it was met says whether to go on (Sculley, Web-scale k-means
clustering, WWW 2010). A centre that wins hardly any row may move to one of the batch, if that lowers its cost.

MacQueen, Some methods for classification and analysis of multivariate observations, 5th Berkeley Symposium 1967;
Bottou & Bengio, Convergence properties of the K-means algorithms, NIPS 1994.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.rows.presentation import ShownRows
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.costs.nearest.centers import Frame

CHUNK = 1024
LEAST_FALL = 5e-3  # of the cost in an epoch: less is no improvement, for the cost as it is met falls with the steps
ROWS_A_CENTRE = 10  # between two looks for centres that win hardly any row


class Rate(NamedTuple):
    """The schedule of ε, and the share of the wins of the first centre below which another may be moved."""

    schedule: str
    rate: float
    tau: float
    kappa: float
    reassignment_ratio: float = 0.0


class Stop(NamedTuple):
    """When to end: the number of steps, a movement of all centres (in the frame), steps without a lower cost."""

    steps: int
    movement: float = 0.0
    patience: int | None = None


class State(NamedTuple):
    """Centres in the frame, the rows each has won, the cost of the last batch, and its moving average."""

    iteration: int
    done: bool
    centers: np.ndarray
    wins: np.ndarray
    objective: float
    average: float = np.inf
    lowest: float = np.inf
    waited: int = 0

    @property
    def fixed_shapes(self) -> bool:
        """In a checkpoint: kernels trust the number of centres."""
        return True


def learn(shown: ShownRows, frame: Frame, state: State, rate: Rate, size: int, stop: Stop, seed: int) -> State:
    """Batches of `size` rows until it is time to stop, in a frame without shift; an epoch follows the other."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        new = step(shown, state.iteration * size, size, frame, state, rate, seed)
        new = stop_if_resting(new, state.centers, size / shown.showings, stop)
        return new, {"objective": frame.cost(new.objective)}

    return iterate(advance, state, max_iter=stop.steps, name="online")


def epoch(shown: ShownRows, frame: Frame, state: State, rate: Rate, seed: int) -> State:
    """All rows once, in an order of their own."""
    return step(shown, state.iteration * shown.showings, shown.showings, frame, state, rate, seed)


def step(shown: ShownRows, first: int, size: int, frame: Frame, state: State, rate: Rate, seed: int) -> State:
    """`size` rows from presentation `first` on, one by one; `objective` is their cost as they were met."""
    from unmix.algorithms.kmeans.online_kernel import learn_means

    turned, wins, total = np.ascontiguousarray(state.centers.T), state.wins.copy(), 0.0
    squares, power = np.empty(len(wins)), 0.0 if rate.schedule == "constant" else rate.kappa
    for _, rows in shown.in_chunks(first, size, frame.scale, CHUNK):
        inverse = rate.schedule == "inverse"
        total += learn_means(rows, turned, wins, inverse, rate.rate, rate.tau, power, squares)
    centers = np.ascontiguousarray(turned.T)
    if is_due(wins, size) and (wins < rate.reassignment_ratio * wins.max()).any():
        _, rows = next(shown.in_chunks(first, size, frame.scale, CHUNK))
        centers, wins = reassigned(rows, centers, wins, rate.reassignment_ratio, seed, state.iteration)
    return state._replace(iteration=state.iteration + 1, centers=centers, wins=wins, objective=total)


def stop_if_resting(state: State, before: np.ndarray, share: float, stop: Stop) -> State:
    """Whether the centres rest, or the moving average of the cost has not fallen for a while.

    The first cost is that of the start, and does not count.
    """
    if state.iteration == 1:
        return state
    weight = min(1.0, 2 * share) if np.isfinite(state.average) else 1.0
    average = state.objective if weight == 1.0 else state.average * (1 - weight) + state.objective * weight
    waited = 0 if average < (1 - LEAST_FALL * share) * state.lowest else state.waited + 1
    lowest = min(average, state.lowest) if waited == 0 else state.lowest
    rest = stop.movement > 0 and ((state.centers - before) ** 2).sum() <= stop.movement
    done = bool(rest or (stop.patience is not None and waited >= stop.patience))
    return state._replace(average=average, lowest=lowest, waited=waited, done=done)


def is_due(wins: np.ndarray, shown: int) -> bool:
    """Whether a multiple of 10 rows a centre was passed with the last ones."""
    pause, total = ROWS_A_CENTRE * len(wins), wins.sum()
    return bool(total // pause > (total - shown) // pause)


def reassigned(
    rows: np.ndarray, centers: np.ndarray, wins: np.ndarray, ratio: float, seed: int, iteration: int
) -> tuple[np.ndarray, np.ndarray]:
    """Centres that won least, at most one for two rows, at rows drawn far from the others where the cost falls."""
    rng, centers, wins = spawn(seed, 6, iteration), centers.copy(), wins.copy()
    idle = np.flatnonzero(wins < ratio * wins.max())
    enough = wins[wins >= ratio * wins.max()].min()
    squares = np.stack([((rows - center) ** 2).sum(axis=1) for center in centers], axis=1)
    for c in idle[np.argsort(wins[idle], kind="stable")][: len(rows) // 2]:
        others = np.delete(squares, c, axis=1).min(axis=1, initial=np.inf)
        reached = np.cumsum(others)
        if not 0 < reached[-1] < np.inf:
            break
        row = rows[np.searchsorted(reached, rng.random() * reached[-1], side="right").clip(max=len(rows) - 1)]
        away = ((rows - row) ** 2).sum(axis=1)
        if np.minimum(others, away).sum() < np.minimum(others, squares[:, c]).sum():
            centers[c], squares[:, c], wins[c] = row, away, enough
    return centers, wins
