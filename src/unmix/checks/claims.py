"""Whether a constraint is what it says of itself: symmetric, free to turn, convex, bounded, cheaper if smaller."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from unmix.checks.better_points import allowed
from unmix.checks.evidence import require, require_close
from unmix.checks.factor import SLACK, STEPS, Part

FAR = (1e100, 1e150)  # matrices of these sizes become equally large ones under a constraint that bounds


def check_claims(part: Part) -> None:
    points = part.points()
    if part.constraint.symmetric:
        _check_as_good(part, points, [-W for W in points], "symmetric is said, but -V is not as good as V")
    if part.constraint.rotates:
        among_vectors, among_entries = (_orthogonal(size, part.rng) for size in part.V.shape)
        turned = [among_vectors @ W @ among_entries for W in points]
        _check_as_good(part, points, turned, "rotates is said, but V turned is not as good as V")
    if part.constraint.convex:
        _check_convex(part, points)
    _check_bounded(part)
    _check_shrinks(part, points)
    _check_holds(part)


def _orthogonal(size: int, rng: np.random.Generator) -> np.ndarray:
    return np.linalg.qr(rng.normal(size=(size, size)))[0]


def _check_as_good(part: Part, points: list[np.ndarray], others: list[np.ndarray], words: str) -> None:
    for W, other in zip(points, others):
        require(allowed(part.constraint, other), f"{part.name}.{words}: it is not allowed")
        paid = part.penalty(W).sum()
        require_close(part.penalty(other).sum(), paid, f"{part.name}.{words}: it pays another penalty", 1e-6)


def _check_convex(part: Part, points: list[np.ndarray]) -> None:
    """Between allowed points all is allowed and pays no more than the line; maps of two matrices come nearer."""
    for A, B in pairwise(points):
        words = f"{part.name}.convex is said, but "
        require(allowed(part.constraint, (A + B) / 2), f"{words}the middle of two allowed matrices is not allowed")
        middle, ends = part.penalty((A + B) / 2).sum(), (part.penalty(A).sum() + part.penalty(B).sum()) / 2
        require(middle <= ends + SLACK * (1 + abs(ends)), f"{words}the middle of two matrices pays more than both")
    for step in STEPS:
        for U, V in pairwise(part.matrices()):
            gap = part.prox(U, step) - part.prox(V, step)
            short = np.square(gap).sum() <= (gap * (U - V)).sum() + SLACK * (1 + np.square(gap).sum())
            require(short, f"{part.name}.convex is said, but prox takes two matrices further apart")


def _check_bounded(part: Part) -> None:
    sizes = [max(float(np.abs(part.prox(size * V, 0.0)).max()) for V in (part.V, -part.V)) for size in FAR]
    grows = sizes[1] > 10 * sizes[0]
    if part.constraint.bounded:
        require(not grows, f"{part.name}.bounded is said, but a large matrix stays as large as {sizes[1]:.3g}")
    else:
        require(grows, f"{part.name}.bounded is False, but no matrix stays larger than {sizes[0]:.3g}; say True")


def _check_holds(part: Part) -> None:
    """What is not bounded pays in every direction, also for a constant."""
    constraint, level = part.constraint, np.ones(part.V.shape)
    if constraint.holds and not constraint.bounded:
        paid = [float(part.penalty(part.prox(size * level, 0.0)).sum()) for size in FAR]
        require(paid[1] > paid[0], f"{part.name}.holds is said, but a large constant pays no more than a small one")


def _check_shrinks(part: Part, points: list[np.ndarray]) -> None:
    """Only where halves are allowed can a smaller factor pay less."""
    halves = [(W, W / 2) for W in points if W.any() and allowed(part.constraint, W / 2)]
    less = [part.penalty(half).sum() < part.penalty(W).sum() * (1 - SLACK) for W, half in halves]
    if part.constraint.shrinks:
        require(any(less), f"{part.name}.shrinks is said, but half a factor pays no less")
    else:
        require(not any(less), f"{part.name}.shrinks is False, but half a factor pays less; say True")
