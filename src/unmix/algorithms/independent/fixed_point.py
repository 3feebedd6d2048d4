"""FastICA: rotations of whitened rows at which every source is as far from Gaussian as it gets.

One unit, z whitened and |b| = 1:   b ← E[z g(b·z)] - E[g'(b·z)] b,   b ← b / |b|.
All units at once, s = B z:         B ← (E[g(s) sᵀ] - diag E[g'(s)]) B,   B ← (B Bᵀ)^(-1/2) B.

Since z = Bᵀ s, the products of all units need the sources alone: a pass reads blocks of x, forms their sources and
adds up k×k numbers. Hyvärinen & Oja, A fast fixed-point algorithm for independent component analysis, Neural
Computation 9, 1997.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.independent.contrast import Contrast, respond
from unmix.algorithms.independent.whitening import Whitening, few_rows, nearest_rotation, pieces, unmixed
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate

SAMPLE_TOL = 1e-3  # few rows are asked for few digits


class Sums(NamedTuple):
    products: np.ndarray  # Σ w g(s) sᵀ, or for one unit Σ w g(s) x and Σ w g(s)
    slopes: np.ndarray  # Σ w g'(s)


class State(NamedTuple):
    """``change`` is the largest 1 - |cos| between a unit before and after the last iteration."""

    iteration: int
    done: bool
    rotation: np.ndarray
    change: float


def sum_units(block: Any, weights: Any, mean: np.ndarray, matrix: np.ndarray, contrast: Contrast) -> Sums:
    k = len(matrix)
    products, slopes = np.zeros((k, k)), np.zeros(k)
    for part in pieces(block, k):
        s = unmixed(block[part], mean, matrix)
        g, slope = respond(contrast, s, None if weights is None else weights[part])
        products += g @ s.T
        slopes += slope
    return Sums(products, slopes)


def sum_unit(block: Any, weights: Any, mean: np.ndarray, direction: np.ndarray, contrast: Contrast) -> Sums:
    g, slopes = respond(contrast, unmixed(block, mean, direction[None, :]), weights)
    product = np.asarray(g[0] @ block, dtype=np.float64)  # about zero: the mean is taken off when all is summed
    return Sums(np.append(product, g.sum(dtype=np.float64)), slopes)


def symmetric(
    X: RowBlocks,
    frame: Whitening,
    start: np.ndarray,
    contrast: Contrast,
    *,
    weights: np.ndarray | None,
    max_iter: int,
    tol: float,
) -> State:
    """All units together, from the rotation ``start``; on few rows first, where there are many."""
    start = nearest_rotation(start)
    sample = few_rows(X, len(start), weights)
    if sample is not None:
        whole = frame._replace(weight=float(sample.shape[0]))
        advance = pass_over(sample, whole, contrast, None, max(tol, SAMPLE_TOL))
        start = iterate(advance, State(0, False, start, np.inf), max_iter=max_iter, name="sample").rotation
    advance = pass_over(X, frame, contrast, weights, tol)
    return iterate(advance, State(0, False, start, np.inf), max_iter=max_iter, name="fixed point")


def pass_over(
    X: RowBlocks, frame: Whitening, contrast: Contrast, weights: np.ndarray | None, tol: float
) -> Callable[[State], tuple[State, dict[str, float]]]:
    """The iteration of all units on these rows."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        sums = X.reduce(sum_units, frame.mean, state.rotation @ frame.matrix, contrast, rows=weights)
        rotation = nearest_rotation((sums.products - np.diag(sums.slopes)) @ state.rotation / frame.weight)
        change = float(np.max(1 - np.abs(np.vecdot(rotation, state.rotation))))
        return State(state.iteration + 1, change < tol, rotation, change), {"change": change}

    return advance


def deflation(
    X: RowBlocks,
    frame: Whitening,
    start: np.ndarray,
    contrast: Contrast,
    *,
    weights: np.ndarray | None,
    max_iter: int,
    tol: float,
) -> State:
    """One unit after the other, each orthogonal to those before it."""

    def find(unit: int, found: np.ndarray, first: np.ndarray) -> State:
        begin = State(0, False, orthogonal_to(found, first), np.inf)
        return one_unit(X, frame, found, begin, contrast, weights, max_iter, tol, f"unit {unit}")

    return deflate(start, find)


def deflate(start: np.ndarray, find: Callable[[int, np.ndarray, np.ndarray], Any]) -> State:
    """Units that `find` makes of their number, those before them and a first guess; the most iterations and change."""
    found, iterations, done, change = np.empty((0, len(start))), 0, True, 0.0
    for unit, first in enumerate(nearest_rotation(start)):
        last = find(unit, found, first)
        found = np.vstack([found, last.rotation])
        iterations, done, change = max(iterations, last.iteration), done and last.done, max(change, last.change)
    return State(iterations, done, found, change)


def one_unit(
    X: RowBlocks,
    frame: Whitening,
    found: np.ndarray,
    begin: State,
    contrast: Contrast,
    weights: np.ndarray | None,
    max_iter: int,
    tol: float,
    name: str,
) -> State:
    def advance(state: State) -> tuple[State, dict[str, float]]:
        sums = X.reduce(sum_unit, frame.mean, state.rotation @ frame.matrix, contrast, rows=weights)
        total, mass = sums.products[:-1], sums.products[-1]
        moved = frame.matrix @ (total - mass * frame.mean) - sums.slopes * state.rotation
        moved = orthogonal_to(found, moved)
        change = float(1 - abs(moved @ state.rotation))
        return State(state.iteration + 1, change < tol, moved, change), {"change": change}

    return iterate(advance, begin, max_iter=max_iter, name=name)


def orthogonal_to(found: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """The unit vector of what the rows of ``found`` leave of ``vector``; any free direction if they leave nothing."""
    size = np.linalg.norm(vector)
    rest = vector / size if size > 0 else vector
    for _ in range(2):  # the second time takes off what the first left by rounding
        rest = rest - found.T @ (found @ rest)
    if np.linalg.norm(rest) < 1e-8:
        axis = int(np.argmin(np.sum(found**2, axis=0)))
        rest = np.eye(len(vector))[axis]
        rest = rest - found.T @ (found @ rest)
    unit: np.ndarray = rest / np.linalg.norm(rest)
    return unit
