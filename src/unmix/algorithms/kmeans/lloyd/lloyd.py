"""Lloyd's iteration for K-means: every row to its nearest centre, every centre to the mean of its rows.

    minimise  sum_i w_i ||x_i - u_c(i)||²   over the centres u and the labels c

A pass reads only the rows whose label may have changed (relabel.py) and returns differences of the cluster sums, so
late iterations cost little. The clock of cluster a advances by the movement of its own centre plus the largest
movement of any rival that could reach its rows: a centre u_c with ||u_a - u_c|| >= 2 max_{i in a} ||x_i - u_a|| can
be nearest to none of them, and its movement is charged only once it comes closer. After a swap of two far centres
the rest of the data is therefore not read again. Beyond MOST_CHARGES pairs, rivals are charged by groups of neighbours.

Lloyd, Least squares quantization in PCM, IEEE Trans. Information Theory 28 (1982); Hamerly, SDM 2010.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.lloyd import small
from unmix.algorithms.kmeans.lloyd.empty import place_empty
from unmix.algorithms.kmeans.lloyd.labels_and_cost import residuals
from unmix.algorithms.kmeans.lloyd.relabel import NO_WEIGHTS, UNSEEN, Moves, prepare, relabel
from unmix.algorithms.kmeans.lloyd.small import FURTHER_DECREASE
from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.execution import current_execution
from unmix.core.summation.tree import FAN_IN
from unmix.costs.nearest.centers import JIT_DISABLED, Frame, nearest
from unmix.costs.nearest.small import is_small

MOST_CHARGES = 2**22  # pairs of a cluster and a group of rivals; up to 2048 clusters every rival is its own group
PAIRS = 2**21  # inner products of centres that are held at a time


class Clocks(NamedTuple):
    """When the rows of a cluster have to be looked at again."""

    clock: np.ndarray  # (k,)
    travelled: np.ndarray  # (groups,) total movement, at each pass of the centre that moved most
    charged: np.ndarray  # (k, groups) movement of rivals in a group that the clock of a has been advanced for
    reach: np.ndarray  # (k,) no row of the cluster is farther from its centre
    group: np.ndarray  # (k,) of each centre


class State(NamedTuple):
    """All that the next iteration needs. Centres and sums are in the frame."""

    iteration: int
    done: bool
    centers: np.ndarray
    rows: np.ndarray  # (n, 2) label and deadline
    table: np.ndarray  # (k, d + 3) sums, weights, numbers of the rows, and squared norms
    clocks: Clocks
    objective: float

    @property
    def fixed_shapes(self) -> bool:
        """In a checkpoint: kernels trust numbers of centres and rows."""
        return True

    def consistent(self) -> bool:
        return bool(((self.labels >= -1) & (self.labels < len(self.centers))).all())

    @property
    def labels(self) -> np.ndarray:
        """The number of the cluster of each row, as a float; -1 before the first pass."""
        return np.asarray(self.rows)[:, 0]

    @property
    def mass(self) -> np.ndarray:
        """The weight of each cluster."""
        return self.table[:, -3]


@dataclass(frozen=True)
class Problem:
    """What stays fixed: the rows, their weights, the frame and how small a movement of the centres ends the loop."""

    X: RowBlocks
    weights: np.ndarray | None
    frame: Frame
    tol: float

    @cached_property
    def table(self) -> small.Table:
        """All rows here, where they are few."""
        return small.lay_out(self.X.gather(), self.weights, self.frame)


AnyState = State | small.State


def begin(problem: Problem, centers: np.ndarray) -> AnyState:
    """The state before the first pass from the given centres."""
    (k, d), n = centers.shape, problem.X.shape[0]
    if is_small(n, d, k):
        return small.begin(problem.table, centers)
    rows = np.tile(np.array(UNSEEN, np.float32), (n, 1))
    groups = min(k, max(1, MOST_CHARGES // k))
    clocks = Clocks(np.zeros(k), np.zeros(groups), np.zeros((k, groups)), np.zeros(k), group_centers(centers, groups))
    return State(0, False, centers, rows, np.zeros((k, d + 3)), clocks, np.inf)


def group_centers(centers: np.ndarray, groups: int) -> np.ndarray:
    """Each centre with the nearest of the first ones, which a start has put far apart; numbers of the groups."""
    if groups == len(centers):
        return np.arange(groups)
    plain = Frame(1.0, np.zeros(centers.shape[1]))
    return nearest(np.ascontiguousarray(centers, np.float64), plain, centers[:groups]).label.astype(np.intp)


def lloyd(problem: Problem, state: AnyState, max_iter: int, target: float = np.inf) -> AnyState:
    """Iterate without being watched or saved, for starts and trial moves.

    A trial ends early when at its pace it would not come below the target: the decreases of the cost shrink from
    pass to pass, so FURTHER_DECREASE times the last one is a generous guess of all that are to come.
    """
    last, before = state.iteration + max_iter, np.inf
    if isinstance(state, small.State):
        return iterate_table(problem, state, max_iter, target)
    while not state.done and state.iteration < last:
        if are_few_leaves(problem.X):
            state, empty = advance_leaves(problem, state, last - state.iteration, target, before)
            if not empty:
                break
            before = state.objective
        state, _ = advance_clocked(problem, state)
        if state.objective - FURTHER_DECREASE * (before - state.objective) > target:
            break
        before = state.objective
    return state


def iterate_table(problem: Problem, state: small.State, max_iter: int, target: float = np.inf) -> small.State:
    """The same for a small table, which is iterated in one go unless a cluster loses all its rows."""
    last, before, empty = state.iteration + max_iter, np.inf, True
    while empty and not state.done and state.iteration < last:
        state = small.iterate(problem.table, state, problem.tol, last - state.iteration, target, before)
        alive, before = state.sums[:, -1] > 0, state.objective
        empty = not alive.all()
        if empty:
            centers = fill_empty(problem, state.centers, state.sums, state.labels)
            state = state._replace(centers=centers, done=state.done and (centers == state.centers).all())
    return state


def are_few_leaves(X: RowBlocks) -> bool:
    """Whether all rows are here, dense and few: then the frame around a pass would cost more than the pass."""
    if X.sparse or JIT_DISABLED or not isinstance(X, LocalBlocks):
        return False
    return X.n_leaves == 1 or (X.n_leaves <= FAN_IN and current_execution().n_threads == 1)


def advance_leaves(problem: Problem, state: State, max_iter: int, target: float, before: float) -> tuple[State, bool]:
    """The state after at most `max_iter` iterations, and whether a cluster would be empty after the next."""
    from unmix.algorithms.kmeans.lloyd.lloyd_leaves import iterate_leaves

    X, weights, frame = problem.X, problem.weights, problem.frame
    assert isinstance(X, LocalBlocks), "what is few is here"
    scan = prepare(frame, state.centers, state.clocks.clock, X.dtype)
    changing = [np.array(array) for array in (state.rows, state.centers, state.table, *state.clocks)]
    settings = np.array([max_iter, problem.tol, target, FURTHER_DECREASE, before])
    weights = NO_WEIGHTS if weights is None else weights
    starts = np.array([0, *(stop for _, stop in X.plan)])
    iterations, done, objective, empty = iterate_leaves(
        X.gather().reshape(-1), starts, weights, scan.shift, scan.numbers, frame.shift, settings, *changing
    )
    rows, centers, table, *clocks = changing
    return State(state.iteration + iterations, done, centers, rows, table, Clocks(*clocks), objective), empty


def advance(problem: Problem, state: AnyState) -> tuple[AnyState, dict[str, float]]:
    """One pass over the data and one update of the centres."""
    if not isinstance(state, small.State):
        return advance_clocked(problem, state)
    new = iterate_table(problem, state, 1)
    moved = np.count_nonzero(new.labels != state.labels)
    return new, {"objective": problem.frame.cost(new.objective), "moved": float(moved)}


def advance_clocked(problem: Problem, state: State) -> tuple[State, dict[str, float]]:
    """A pass that spares rows whose label cannot have changed."""
    from unmix.algorithms.kmeans.lloyd.center_kernel import move_centers, unit_of_movement

    rows = state.rows if problem.weights is None else (state.rows, problem.weights)
    scan = prepare(problem.frame, state.centers, state.clocks.clock, problem.X.dtype)
    new_rows, moves = problem.X.step(relabel, rows, scan)
    table, centers = state.table.copy(), np.empty_like(state.centers)
    objective, variance, mass, empty = move_centers(table, moves.table, state.centers, centers)
    if objective < 0:
        rows = new_rows if problem.weights is None else (new_rows, problem.weights)
        objective = problem.X.reduce(cost_of_rows, problem.frame, centers, rows=rows).cost
    if empty:
        centers = fill_empty(problem, centers, table, new_rows)
    clocks, moved = follow(state.clocks, state.centers, centers, moves)
    done = bool(moves.moved == 0 or moved <= problem.tol * unit_of_movement(objective, variance, mass, *centers.shape))
    state = State(state.iteration + 1, done, centers, new_rows, table, clocks, objective)
    return state, {"objective": problem.frame.cost(objective), "moved": float(moves.moved)}


class Cost(NamedTuple):
    cost: float


def cost_of_rows(block: Any, rows: Any, frame: Frame, centers: np.ndarray) -> Cost:
    """What rows cost at the centres of their labels, from differences."""
    states, weights = rows if isinstance(rows, tuple) else (rows, NO_WEIGHTS)
    if JIT_DISABLED or hasattr(block, "tocsr"):
        labels = states[:, 0].astype(np.intp)
        share = (labels >= 0) * (weights if weights.size else 1.0)
        return Cost(float(share @ residuals(block, frame, centers, np.maximum(labels, 0))))
    from unmix.algorithms.kmeans.lloyd.relabel_kernel import own_cost

    return Cost(own_cost(block.reshape(-1), states, weights, frame.scale, frame.shift, centers))


@np.errstate(over="ignore", invalid="ignore")  # clocks that are not finite expire at once
def follow(clocks: Clocks, old: np.ndarray, new: np.ndarray, moves: Moves | None = None) -> tuple[Clocks, float]:
    """The clocks after the centres moved, and the sum of squared movements; without `moves` no row has been scanned."""
    from unmix.algorithms.kmeans.lloyd.center_kernel import add_movement, advance_clocks, movement

    drift = np.empty(len(old))
    moved = movement(old, new, drift)
    seen, held = (np.zeros(len(old)), np.ones(len(old))) if moves is None else (moves.reach, moves.table[:, -1].copy())
    clock, travelled, charged, reach = (field.copy() for field in clocks[:4])
    add_movement(drift, clocks.group, seen, held, travelled, reach)
    norms, size = (new * new).sum(axis=1), max(1, PAIRS // len(new))
    for first in range(0, len(new), size):
        gram = new[first : first + size] @ new.T
        advance_clocks(gram, first, norms, drift, clocks.group, clock, travelled, charged, reach)
    return Clocks(clock, travelled, charged, reach, clocks.group), moved


def fill_empty(problem: Problem, centers: np.ndarray, sums: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The centres, those without rows placed anew."""
    rows = labels if problem.weights is None else (labels, problem.weights)
    return place_empty(problem.X, problem.frame, centers, sums, rows)
