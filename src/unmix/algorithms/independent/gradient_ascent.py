"""ICA by gradient ascent: the textbook's batch rules for kurtosis and negentropy, with steps that never lower them.

One unit, z whitened, |b| = 1, y = b·z, γ = E[G(y)] - E[G(ν)], ν Gaussian:

    negentropy   J = Σ γ²         Δb = ε γ E[z g(y)]
    kurtosis     J = Σ 2 |γ|      Δb = ε sgn(γ) E[z y³]          (G = s⁴ / 4, the contrast "cube")

then b ← b / |b|. All units at once keep of every step the part that turns them against each other. ε is halved until J
rises by its share and doubled after, so J never falls. Ends where the angle that a Newton step would still turn,
gradient over curvature, is as small as asked for.
Hyvärinen, Karhunen & Oja, Independent Component Analysis, Wiley 2001, chapter 8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.independent.contrast import Contrast, respond, values
from unmix.algorithms.independent.fixed_point import State, deflate, orthogonal_to
from unmix.algorithms.independent.online import gaussian_means
from unmix.algorithms.independent.whitening import Whitening, nearest_rotation, pieces, unmixed
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate

MOST_HALVINGS = 40  # halvings of a step
SHARE = 1e-4  # of the rise that the gradient promises
LEAST_CURVATURE = 1e-3


class Sums(NamedTuple):
    values: np.ndarray  # Σ w G(s)
    products: np.ndarray  # Σ w g(s) zᵀ
    slopes: np.ndarray  # Σ w g'(s)


class Climb(NamedTuple):
    """``direction`` is the ascent at ``rotation``, ``rate`` the next step, ``change`` what a Newton step would move."""

    iteration: int
    done: bool
    rotation: np.ndarray
    value: float
    direction: np.ndarray
    rate: float
    change: float


Evaluate = Callable[[np.ndarray], tuple[float, np.ndarray, float]]


def sum_contrast(block: Any, weights: Any, frame: Whitening, rotation: np.ndarray, contrast: Contrast) -> Sums:
    k = len(frame.matrix)
    total, products, slopes = np.zeros(len(rotation)), np.zeros((len(rotation), k)), np.zeros(len(rotation))
    for part in pieces(block, k):
        w = None if weights is None else weights[part]
        z = unmixed(block[part], frame.mean, frame.matrix)
        s = np.ascontiguousarray(rotation.astype(z.dtype) @ z)
        g, slope = respond(contrast, s, w)
        total += values(contrast, s, w)
        products += g @ z.T
        slopes += slope
    return Sums(total, products, slopes)


def measure(
    X: RowBlocks, frame: Whitening, contrast: Contrast, weights: np.ndarray | None, units: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """J, the pull (units, k) on every unit, and the curvature of each."""
    sums = X.reduce(sum_contrast, frame, units, contrast, rows=weights)
    gamma = sums.values / frame.weight - gaussian_means(str(contrast.kind), contrast.a)[0]
    products = sums.products / frame.weight
    force = np.sign(gamma) if contrast.kind == "cube" else gamma
    value = float(np.sum(2 * np.abs(gamma) if contrast.kind == "cube" else gamma**2))
    curvatures = np.abs(force * (np.vecdot(products, units) - sums.slopes / frame.weight))
    return value, force[:, None] * products, curvatures


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
    """All units together."""

    def evaluate(rotation: np.ndarray) -> tuple[float, np.ndarray, float]:
        value, pull, curvatures = measure(X, frame, contrast, weights, rotation)
        turn = pull @ rotation.T
        turn = (turn - turn.T) / 2
        angles = 2 * turn / np.maximum(curvatures[:, None] + curvatures, LEAST_CURVATURE)
        return value, turn @ rotation, float(np.max(np.square(angles).sum(axis=1)) / 2)

    end = climb(evaluate, nearest_rotation, nearest_rotation(start), max_iter, tol, "gradient")
    return State(end.iteration, end.done, end.rotation, end.change)


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

    def find(unit: int, before: np.ndarray, first: np.ndarray) -> Climb:
        def retract(vector: np.ndarray) -> np.ndarray:
            return orthogonal_to(before, vector[0])[None]

        def evaluate(b: np.ndarray) -> tuple[float, np.ndarray, float]:
            value, pull, curvatures = measure(X, frame, contrast, weights, b)
            rest = pull[0] - before.T @ (before @ pull[0])
            rest = rest - (rest @ b[0]) * b[0]
            angle = np.linalg.norm(rest) / max(curvatures[0], LEAST_CURVATURE)
            return value, rest[None], float(angle**2 / 2)

        return climb(evaluate, retract, retract(first[None]), max_iter, tol, f"unit {unit}")

    return deflate(start, find)


def climb(
    evaluate: Evaluate,
    retract: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    max_iter: int,
    tol: float,
    name: str,
) -> Climb:
    """Steps uphill from ``start``, each brought back to where units are orthonormal by ``retract``."""

    def advance(state: Climb) -> tuple[Climb, dict[str, float]]:
        rate, size = state.rate, float(np.sum(state.direction**2))
        for _ in range(MOST_HALVINGS):
            moved = retract(state.rotation + rate * state.direction)
            value, direction, change = evaluate(moved)
            if value >= state.value + SHARE * rate * size:
                break
            rate /= 2
        else:  # no step rises any more: J is known to no more digits
            return state._replace(iteration=state.iteration + 1, done=True), {"contrast": state.value}
        new = Climb(state.iteration + 1, change < tol, moved, value, direction, 2 * rate, change)
        return new, {"contrast": value, "change": change}

    value, direction, change = evaluate(start)
    rate = 0.5 / max(float(np.abs(direction).max()), np.finfo(float).tiny)
    return iterate(advance, Climb(0, change < tol, start, value, direction, rate, change), max_iter=max_iter, name=name)
