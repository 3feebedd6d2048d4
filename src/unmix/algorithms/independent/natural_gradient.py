"""Infomax by ascent: the gradient of the likelihood, and the natural gradient, which needs no inverse.

    A = I - E[φ(s) sᵀ],  s = W z:   gradient  W ← W + η A W⁻ᵀ,    natural gradient  W ← W + η A W

The natural path is equivariant: of W and the mixing only their product changes it. Amari, Cichocki & Yang, NIPS 1995;
Cardoso & Laheld, IEEE Trans. Signal Processing 44, 1996; Bell & Sejnowski, Neural Computation 7, 1995.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.independent.likelihood import Point, evaluate
from unmix.algorithms.independent.whitening import Whitening
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn

UNIT = 64.0  # rows that a given learning rate is meant for
PRIOR_ROWS = 400.0  # rows that the first steps of "newton" count as seen
MEMORY = 3200.0  # rows in the running means of the sources
WARM_UP_ROWS = 32.0  # rows before these say what is peaked and what is flat


class State(NamedTuple):
    """``rate`` is halved whenever a step raised the loss."""

    iteration: int
    done: bool
    point: Point
    rate: float


def ascend(
    X: RowBlocks,
    frame: Whitening,
    start: np.ndarray,
    *,
    natural: bool,
    rate: float,
    weights: np.ndarray | None,
    extended: bool,
    max_iter: int,
    tol: float,
) -> State:
    """Steps along the (natural) gradient of all rows, until its largest entry is below ``tol``."""

    rounding = 1e-6 if X.dtype == np.float32 else 1e-12  # of the loss, relatively

    def refit(point: Point) -> Point:
        flat = point.peakedness < 0
        if not extended or np.array_equal(flat, point.flat):
            return point
        return evaluate(X, frame, point.matrix, flat, weights)

    def advance(state: State) -> tuple[State, dict[str, float]]:
        last = state.point
        direction = -last.gradient @ (last.matrix if natural else np.linalg.inv(last.matrix).T)
        point = evaluate(X, frame, last.matrix + state.rate * direction, last.flat, weights)
        worse = not point.loss <= last.loss + rounding * (1 + abs(last.loss))
        rate = state.rate / 2 if worse else state.rate
        point = refit(point) if np.isfinite(point.loss) else last  # a step that fell off the map is taken back
        measured = {"loss": point.loss, "gradient": point.size, "rate": rate}
        return State(state.iteration + 1, point.size < tol, point, rate), measured

    first = refit(evaluate(X, frame, start, np.zeros(len(start), dtype=bool), weights))
    return iterate(advance, State(0, first.size < tol, first, rate), max_iter=max_iter, name="gradient")


class Learned(NamedTuple):
    """Where learning from batches stands.

    ``running`` (6, k) are running means of every source (the kernel names them), ``averaged`` the weight of the rows in
    them, ``weight`` that of all rows seen.
    """

    matrix: np.ndarray
    flat: np.ndarray
    running: np.ndarray
    averaged: float
    weight: float
    batches: int

    @property
    def peakedness(self) -> np.ndarray:
        """Stein's difference with t = tanh(s): positive for peaked sources, negative for flat ones."""
        squares, slopes, products = self.running[:3]
        out: np.ndarray = slopes * squares - products
        return out


class Batches(NamedTuple):
    """How batches are learned from: "natural", "gradient" or "newton", which scales the natural one by a Hessian.

    Steps go by rows, so that small batches do in many steps what large ones do in few: with n rows seen, m rows step by
    ``rate m / 64 (12800 / (12800 + n))^0.8``, with "newton" by ``rate m / (400 + n)``, its share in the answer.
    """

    rule: str
    size: int
    rate: float
    extended: bool

    def steps(self, masses: np.ndarray, seen: np.ndarray) -> np.ndarray:
        if self.rule == "newton":
            return np.minimum(self.rate * masses / (PRIOR_ROWS + seen + masses), 1.0)
        most = max(self.rate, 0.5)
        return np.minimum(self.rate * masses / UNIT, most) * (200 * UNIT / (200 * UNIT + seen)) ** 0.8


class Epoch(NamedTuple):
    iteration: int
    done: bool
    learned: Learned
    change: float


def begin(start: np.ndarray, weight: float = 0.0) -> Learned:
    k = len(start)
    return Learned(start, np.zeros(k, dtype=bool), np.zeros((6, k)), 0.0, weight, 0)


def natural_gradient_pass(state: Learned, rows: np.ndarray, weights: np.ndarray | None, how: Batches) -> Learned:
    """Go through centred rows once, in order."""
    from unmix.algorithms.independent.natural_gradient_kernel import GRADIENT, NATURAL, NEWTON, learn_batches

    w = np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)
    masses = np.add.reduceat(w, np.arange(0, len(rows), how.size))
    before = np.cumsum(masses) - masses
    averaged = state.averaged + before
    shares = np.maximum(-np.expm1(-masses / MEMORY), np.minimum(2 * masses / (averaged + 2 * masses), 1.0))
    judged = how.extended & (averaged + masses >= WARM_UP_ROWS)
    matrix, flat, running = state.matrix.copy(), state.flat.copy(), state.running.copy()
    rule = {"natural": NATURAL, "gradient": GRADIENT, "newton": NEWTON}[how.rule]
    rows = np.ascontiguousarray(rows, np.float64)
    steps = how.steps(masses, state.weight + before)
    k, batch = len(matrix), min(how.size, len(rows))
    room = np.zeros((batch, k)), np.zeros((k, batch)), np.empty((6, k)), *np.empty((3, k, k))
    learn_batches(rows, w, matrix, flat, running, steps, shares, judged, how.size, rule, *room)
    mass = float(masses.sum())
    batches = state.batches + len(masses)
    return Learned(matrix, flat, running, state.averaged + mass, state.weight + mass, batches)


def mini_batches(
    rows: np.ndarray,
    start: np.ndarray,
    how: Batches,
    *,
    weights: np.ndarray | None,
    max_iter: int,
    tol: float,
    seed: int,
) -> Epoch:
    """Epochs over whitened rows, in an order drawn anew each time, until one moves the unmixing by less than tol."""
    k = len(start)

    def advance(state: Epoch) -> tuple[Epoch, dict[str, float]]:
        order = spawn(seed, 1, state.iteration).permutation(len(rows))
        before = state.learned
        after = natural_gradient_pass(before, rows[order], None if weights is None else weights[order], how)
        change = float(np.abs(after.matrix @ np.linalg.inv(before.matrix) - np.eye(k)).max())
        return Epoch(state.iteration + 1, change < tol, after, change), {"change": change}

    return iterate(advance, Epoch(0, False, begin(start), np.inf), max_iter=max_iter, name="epoch")
