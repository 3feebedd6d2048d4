"""Maximum likelihood unmixing by L-BFGS with a Hessian of 2×2 blocks underneath.

A relative step W ← (I + E) W changes the loss to second order by  <G, E> + ½ <E, H E>. For independent sources
H couples only e_ij with e_ji, through the block  [[h_ij, 1], [1, h_ji]],  h_ij = E[φ'(s_i)] E[s_j²],  and
h_ii = 1 + E[φ'(s_i) s_i²]. Blocks are kept positive by shifting their eigenvalues, their inverse starts the recursion
of L-BFGS, and a step is halved until the loss falls.

With few rows for so many sources every rotation that is drawn makes them look Gaussian: whether one counts as peaked or
flat is then a toss, and the wrong density holds it where it is. The fixed point of FastICA needs no such choice, so
there it goes first. Blocks are true to independent sources: a descent that takes many iterations has not found them,
and the rotation drawn is tried too. Many sources begin with the fixed point also where rows abound, since densities
that switch cost the descent its memory: half uniform, half Laplace, 100 sources need 12 iterations instead of 52.

Ablin, Cardoso & Gramfort, Faster independent component analysis by preconditioning with Hessian approximations, IEEE
Trans. Signal Processing 66, 2018.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.independent.contrast import Contrast
from unmix.algorithms.independent.fixed_point import symmetric
from unmix.algorithms.independent.likelihood import Point, evaluate
from unmix.algorithms.independent.whitening import Whitening, few_rows
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate

MEMORY = 7  # pairs of steps and changes of gradient
LEAST_EIGENVALUE = 0.01
MOST_HALVINGS = 12  # halvings of a step
MOST_SWITCHES = 5  # of one source between peaked and flat: one that is neither would go on for ever
SAMPLE_TOL = 1e-2
CROWDED = 2  # rows for every pair of sources, below which a rotation that is drawn does not show their densities
FIRST_TURNS, FIRST_TOL = 150, 1e-3  # of the fixed point
MANY = 16  # sources from which the fixed point saves more than it costs
TURNS_OF_MANY = 30
QUICK = 60  # iterations that a descent to independent sources takes at most


class State(NamedTuple):
    iteration: int
    done: bool
    point: Point
    steps: np.ndarray  # (m, k, k), oldest first
    changes: np.ndarray
    switches: np.ndarray  # by source
    stuck: bool


def maximize(
    X: RowBlocks,
    frame: Whitening,
    start: np.ndarray,
    *,
    weights: np.ndarray | None,
    extended: bool,
    max_iter: int,
    tol: float,
    drawn: bool = False,
) -> State:
    """From ``start``, or from where the fixed point leads if that was ``drawn`` and rows are few or sources many."""

    def descend(begin: np.ndarray, most: int) -> State:
        return maximize_from(X, frame, begin, weights=weights, extended=extended, max_iter=most, tol=tol)

    def turned(most: int) -> np.ndarray:
        contrast = Contrast("logcosh")
        return symmetric(X, frame, start, contrast, weights=weights, max_iter=most, tol=FIRST_TOL).rotation

    if not (drawn and extended):
        return descend(start, max_iter)
    if frame.weight >= CROWDED * len(start) ** 2:
        return descend(turned(TURNS_OF_MANY) if len(start) >= MANY else start, max_iter)
    quick = descend(turned(FIRST_TURNS), min(QUICK, max_iter))
    if quick.done:
        return quick
    other = descend(start, max_iter)
    return other if other.point.loss <= quick.point.loss else descend(quick.point.matrix, max_iter)


def maximize_from(
    X: RowBlocks,
    frame: Whitening,
    start: np.ndarray,
    *,
    weights: np.ndarray | None,
    extended: bool,
    max_iter: int,
    tol: float,
) -> State:
    """On few rows first, where there are many."""
    flat = np.zeros(len(start), dtype=bool)
    sample = few_rows(X, len(start), weights)
    if sample is not None:
        whole = frame._replace(weight=float(sample.shape[0]))
        solver = Solver(sample, whole, None, extended, max(tol, SAMPLE_TOL))
        point = iterate(solver.advance, solver.begin(start, flat), max_iter=max_iter, name="sample").point
        start, flat = point.matrix, point.flat
    solver = Solver(X, frame, weights, extended, tol)
    return iterate(solver.advance, solver.begin(start, flat), max_iter=max_iter, name="quasi-Newton")


class Solver:
    """One table and the settings of its fit; everything that changes is in the state."""

    def __init__(self, X: RowBlocks, frame: Whitening, weights: np.ndarray | None, extended: bool, tol: float) -> None:
        self.X, self.frame, self.weights, self.extended, self.tol = X, frame, weights, extended, tol
        # losses nearer than this are equal: then a smaller gradient counts as progress
        self.rounding = 1e-6 if X.dtype == np.float32 else 1e-13

    def begin(self, matrix: np.ndarray, flat: np.ndarray) -> State:
        point, switches = self.match_densities(self.at(matrix, flat), np.zeros(len(matrix), dtype=np.int64))
        nothing = np.empty((0, *matrix.shape))
        return State(0, point.size < self.tol, point, nothing, nothing, switches, False)

    def at(self, matrix: np.ndarray, flat: np.ndarray) -> Point:
        return evaluate(self.X, self.frame, matrix, flat, self.weights)

    def match_densities(self, point: Point, switches: np.ndarray) -> tuple[Point, np.ndarray]:
        """Give every source the density that fits it, if both are allowed."""
        wrong = (point.flat != (point.peakedness < 0)) & (switches < MOST_SWITCHES)
        if not (self.extended and wrong.any()):
            return point, switches
        return self.at(point.matrix, point.flat ^ wrong), switches + wrong

    def advance(self, state: State) -> tuple[State, dict[str, float]]:
        point = state.point
        direction = -descent(point, state.steps, state.changes)
        found, step = self.search(point, direction)
        if found is None and len(state.steps):  # the memory misled
            state = state._replace(steps=state.steps[:0], changes=state.changes[:0])
            found, step = self.search(point, -descent(point, state.steps, state.changes))
        if found is None:
            return state._replace(iteration=state.iteration + 1, done=True, stuck=True), measured(point)
        steps, changes = remember(state, step, found.gradient - point.gradient)
        settled, switches = self.match_densities(found, state.switches)
        if settled is not found:
            steps, changes = steps[:0], changes[:0]
        done = settled.size < self.tol
        return State(state.iteration + 1, done, settled, steps, changes, switches, False), measured(settled)

    def search(self, point: Point, direction: np.ndarray) -> tuple[Point | None, np.ndarray]:
        """The first of the steps 1, ½, ¼, … that lowers the loss, or at equal losses the gradient."""
        step = direction
        for _ in range(MOST_HALVINGS):
            found = self.at(point.matrix + step @ point.matrix, point.flat)
            fall = point.loss - found.loss
            if abs(fall) <= self.rounding * (1 + abs(point.loss)):
                if found.size < point.size:
                    return found, step
            elif fall > 0:
                return found, step
            step = step / 2
        return None, step


def measured(point: Point) -> dict[str, float]:
    return {"loss": point.loss, "gradient": point.size}


def remember(state: State, step: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if np.sum(step * change) <= 0:  # no curvature to learn from
        return state.steps, state.changes
    steps, changes = np.concatenate([state.steps, step[None]]), np.concatenate([state.changes, change[None]])
    return steps[-MEMORY:], changes[-MEMORY:]


def descent(point: Point, steps: np.ndarray, changes: np.ndarray) -> np.ndarray:
    """Two-loop recursion of L-BFGS around the blocks' inverse (Nocedal & Wright, Numerical Optimization, 7.2)."""
    q = point.gradient.copy()
    shares = []
    for step, change in zip(steps[::-1], changes[::-1]):
        scale = 1 / np.sum(step * change)
        share = scale * np.sum(step * q)
        shares.append((scale, share))
        q -= share * change
    q = solve_blocks(point, q)
    for (scale, share), step, change in zip(shares[::-1], steps, changes):
        q += step * (share - scale * np.sum(change * q))
    return q


def solve_blocks(point: Point, gradient: np.ndarray) -> np.ndarray:
    """H⁻¹ G, pair by pair."""
    h = np.outer(point.slopes, point.squares)
    least = 0.5 * (h + h.T - np.sqrt((h - h.T) ** 2 + 4))
    h = h + np.maximum(LEAST_EIGENVALUE - least, 0)
    determinant = h * h.T - 1
    np.fill_diagonal(determinant, 1)  # not used, and not to be divided by
    out: np.ndarray = (h.T * gradient - gradient.T) / determinant
    np.fill_diagonal(out, np.diag(gradient) / (1 + point.curvatures))
    return out
