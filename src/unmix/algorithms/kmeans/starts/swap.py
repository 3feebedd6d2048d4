"""Swap moves: take centres from where they are hardly missed to where they help the most, and keep what pays.

    loss of centre c  =  sum over its rows of w (distance² to the second nearest - distance² to the nearest)
    gain of a point v =  sum over all rows of w max(0, distance² to the nearest - ||x - v||²)

Lloyd's iteration cannot move a centre across a gap, so its result keeps the faults of its start: two centres in one
group, one centre for two. A round scores every centre and some rows drawn like a k-means++ centre, swaps the best
pairs, iterates Lloyd, and goes back if the cost has not fallen; then it tries half as many pairs. The idea of adding
and removing several centres at once is that of breathing K-means (Fritzke, arXiv:2006.15666), the draws are those of
local search for k-means++ (Lattanzi & Sohler, ICML 2019).
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.lloyd.lloyd import PAIRS, AnyState, Problem, State, follow, lloyd
from unmix.algorithms.rows.sample import rows_under
from unmix.core.random import spawn
from unmix.costs.nearest.centers import Frame, nearest
from unmix.costs.nearest.differences import Points

MOST_SWAPS = 8
OPTIMISM = 4.0  # a new centre starts on a row and gains more once it has moved to the mean of its own
FEW_CLUSTERS = 32  # with so few the estimates are rough and a trial is cheap, so every pair is tried


class Survey(NamedTuple):
    """What removing each centre would cost."""

    loss: np.ndarray


def survey(block: Any, weights: np.ndarray | None, frame: Frame, centers: np.ndarray) -> tuple[np.ndarray, Survey]:
    """Squared distance to the nearest centre and its number, row by row, and the losses."""
    found = nearest(block, frame, centers)
    extra = found.far.astype(np.float64) - found.near
    loss = np.bincount(found.label, extra if weights is None else extra * weights, minlength=len(centers))
    return np.stack([found.near, found.label.astype(found.near.dtype)], axis=1), Survey(loss)


class Gain(NamedTuple):
    """How much each candidate would lower the cost."""

    gain: np.ndarray


def gains(block: Any, rows: Any, frame: Frame, candidates: np.ndarray) -> Gain:
    near, weights = rows if isinstance(rows, tuple) else (rows, None)
    lower = near[:, 0] - Points(block, None, frame).distances(candidates)
    np.maximum(lower, 0, out=lower)
    weights = np.ones(len(near)) if weights is None else weights
    return Gain(lower @ weights)


class Proposal(NamedTuple):
    """What a state could lose and gain; it stays valid until a swap is accepted."""

    loss: np.ndarray  # of every centre
    candidates: np.ndarray
    gain: np.ndarray  # of every candidate
    cluster: np.ndarray  # in which each candidate lies


def propose(problem: Problem, state: AnyState, count: int, draw: np.random.Generator) -> Proposal:
    """Score all centres, and some rows drawn in proportion to their distance from the centres."""
    X, weights, frame = problem.X, problem.weights, problem.frame
    near, losses = X.step(survey, weights, frame, state.centers)
    distance = near[:, 0] if weights is None else near[:, 0] * weights
    rows = np.unique(rows_under(draw.random(4 * count + 8), np.cumsum(distance, dtype=np.float64)))
    candidates = frame.enter(X.take(rows))
    rated = X.reduce(gains, frame, candidates, rows=near if weights is None else (near, weights))
    return Proposal(losses.loss, candidates, rated.gain, near[rows, 1].astype(np.intp))


def swap(state: AnyState, proposal: Proposal, count: int, skip: int) -> AnyState | None:
    """The state after at most `count` swaps; None if no pair looks worth trying."""
    loss, candidates, gain, _ = proposal
    leaving, arriving = choose_pairs(proposal, state.centers, count, skip)
    worth = (OPTIMISM * gain[arriving] > loss[leaving]) | (len(state.centers) <= FEW_CLUSTERS)
    if not worth.any():
        return None
    centers = state.centers.copy()
    centers[leaving[worth]] = candidates[arriving[worth]]
    return jump(state, centers)


def choose_pairs(proposal: Proposal, centers: np.ndarray, count: int, skip: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres to take away and candidates to put in their place; for a single swap, the next after `skip` others."""
    loss, _, gain, cluster = proposal
    arriving = best_apart(gain, cluster, len(centers) if count == 1 else count)
    if count > 1:
        leaving = least_missed(loss, centers, len(arriving))
        return leaving, arriving[: len(leaving)]
    price = loss[:, None] - gain[arriving]
    price[cluster[arriving], np.arange(len(arriving))] = np.inf  # its own rows would go with it
    chosen = np.argsort(price, axis=None, kind="stable")[skip : skip + 1]
    centre, candidate = np.unravel_index(chosen[np.isfinite(price.ravel()[chosen])], price.shape)
    return centre, arriving[candidate]


def best_apart(gain: np.ndarray, cluster: np.ndarray, count: int) -> np.ndarray:
    """The candidates of highest gain, at most one in a cluster: two there would share one gain."""
    order = np.argsort(-gain, kind="stable")
    _, first = np.unique(cluster[order], return_index=True)
    return order[np.sort(first)][:count]


def least_missed(loss: np.ndarray, centers: np.ndarray, count: int) -> np.ndarray:
    """The centres of lowest loss, of which none is the nearest neighbour of another: it takes over the rows."""
    heir = nearest_others(centers)
    chosen: list[int] = []
    frozen: set[int] = set()
    for c in np.argsort(loss, kind="stable"):
        if c not in frozen and len(chosen) < count:
            chosen.append(c)
            frozen.add(heir[c])
    return np.array(chosen, np.intp)


def nearest_others(centers: np.ndarray) -> np.ndarray:
    """The number of the nearest other centre of each, some lines of all pairs at a time."""
    norms, heir = (centers * centers).sum(axis=1), np.empty(len(centers), np.intp)
    size = max(1, PAIRS // len(centers))
    for first in range(0, len(centers), size):
        between = norms - 2 * centers[first : first + size] @ centers.T
        every = np.arange(len(between))
        between[every, first + every] = np.inf
        heir[first : first + size] = between.argmin(axis=1)
    return heir


def jump(state: AnyState, centers: np.ndarray) -> AnyState:
    """The state with centres moved by other means than a mean: clocks know how far, labels stay until they expire."""
    if not isinstance(state, State):
        return state._replace(centers=centers, done=False)
    return state._replace(centers=centers, done=False, clocks=follow(state.clocks, state.centers, centers)[0])


def improve(problem: Problem, state: AnyState, rounds: int, max_iter: int, patience: int, *stream: int) -> AnyState:
    """Rounds of swaps: many pairs at once while that pays, then single ones, until `patience` in a row have not."""
    count, failed = max(1, min(len(state.centers) // 4, MOST_SWAPS)), 0
    proposal = None
    for turn in range(rounds if len(state.centers) > 1 else 0):
        proposal = proposal or propose(problem, state, count, spawn(*stream, turn))
        trial = swap(state, proposal, count, failed)
        if trial is not None:
            trial = lloyd(problem, trial, max_iter, state.objective)
        if trial is not None and trial.objective < state.objective * (1 - 1e-6):
            state, failed, proposal = trial, 0, None
        elif count > 1:
            count //= 2
        else:
            failed += 1
        if failed == patience:
            break
    return state
