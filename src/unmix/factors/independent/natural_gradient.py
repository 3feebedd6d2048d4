"""Infomax by ascent: the gradient of the likelihood, and the natural gradient, which needs no inverse.

    A = I - E[φ(s) sᵀ],  s = W z:   gradient  W ← W + η A W⁻ᵀ,    natural gradient  W ← W + η A W

The natural path is equivariant: of W and the mixing only their product changes it. Amari, Cichocki & Yang, NIPS 1995;
Cardoso & Laheld, IEEE Trans. Signal Processing 44, 1996; Bell & Sejnowski, Neural Computation 7, 1995.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.loop import iterate
from unmix.core.random import spawn
from unmix.factors.independent.likelihood import Point, evaluate, scores
from unmix.factors.independent.whitening import Whitening

FORGETTING = 0.02  # share of a batch in the running estimate of what is peaked and what is flat


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


class Stream(NamedTuple):
    """Where learning from batches stands: the unmixing, running peakedness of its sources, batches seen."""

    matrix: np.ndarray
    flat: np.ndarray
    peakedness: np.ndarray
    batches: int


class Epoch(NamedTuple):
    iteration: int
    done: bool
    stream: Stream
    change: float


def learn(
    stream: Stream,
    rows: np.ndarray,
    weights: np.ndarray | None,
    *,
    batch_size: int,
    rate: float,
    natural: bool,
    extended: bool,
) -> Stream:
    """Go through centred rows once, in order; batch t moves by rate (200 / (200 + t))^0.8 times its gradient."""
    for start in range(0, len(rows), batch_size):
        batch = rows[start : start + batch_size]
        w = None if weights is None else weights[start : start + batch_size]
        mass = float(len(batch) if w is None else w.sum())
        if mass > 0:
            stream = one_batch(stream, batch, w, mass, len(batch) / batch_size * rate, natural, extended)
    return stream


def one_batch(
    stream: Stream,
    batch: np.ndarray,
    weights: np.ndarray | None,
    mass: float,
    rate: float,
    natural: bool,
    extended: bool,
) -> Stream:
    k = len(stream.matrix)
    s = np.ascontiguousarray(stream.matrix.astype(batch.dtype) @ batch.T)
    phi, sums, _ = scores(s, weights, stream.flat)
    ascent = np.eye(k) - (phi @ s.T).astype(np.float64) / mass
    slopes, squares = sums[0] / mass, sums[1] / mass
    stein = slopes * squares - (1 - np.diag(ascent))
    share = max(FORGETTING, 1 / (1 + stream.batches))
    peakedness = stream.peakedness + share * (np.where(stream.flat, -stein, stein) - stream.peakedness)
    step = rate * (200 / (200 + stream.batches)) ** 0.8 * ascent
    size = np.abs(step).max()
    if size > 0.5:  # a wild batch turns the unmixing, it does not throw it away
        step *= 0.5 / size
    moved = step @ (stream.matrix if natural else np.linalg.pinv(stream.matrix).T)
    flat = peakedness < 0 if extended else stream.flat
    return Stream(stream.matrix + moved, flat, peakedness, stream.batches + 1)


def mini_batches(
    rows: np.ndarray,
    start: np.ndarray,
    *,
    weights: np.ndarray | None,
    batch_size: int,
    rate: float,
    natural: bool,
    extended: bool,
    max_iter: int,
    tol: float,
    seed: int,
) -> Epoch:
    """Epochs over whitened rows, in an order drawn anew each time, until one moves the unmixing by less than tol."""
    k = len(start)

    def advance(state: Epoch) -> tuple[Epoch, dict[str, float]]:
        order = spawn(seed, 1, state.iteration).permutation(len(rows))
        before = state.stream
        w = None if weights is None else weights[order]
        after = learn(before, rows[order], w, batch_size=batch_size, rate=rate, natural=natural, extended=extended)
        change = float(np.abs(after.matrix @ np.linalg.inv(before.matrix) - np.eye(k)).max())
        return Epoch(state.iteration + 1, change < tol, after, change), {"change": change}

    stream = Stream(start, np.zeros(k, dtype=bool), np.zeros(k), 0)
    return iterate(advance, Epoch(0, False, stream, np.inf), max_iter=max_iter, name="epoch")
