"""The information curve: the most that a code of each rate can tell, traced by beta.

Codes are found along a path of beta, each starting from the last. Down: from a hard code, whose clusters flow into each
other as beta falls. Up: from a single cluster, whose copies part as beta grows. A code found at one beta may be the
better one at another; then it is taken over and relaxed there. In the end every point minimises
I(X;X̂) - beta I(X̂;Y) among all points at its own beta, and such points always form a concave curve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.inference.bottleneck.soft import Code, relax
from unmix.information.objects import Objects

MIXED_SHARE = 1e-3  # share of p(y) that is mixed into each law between two betas: what has no chance never gets one
NOISE = 0.1  # relative size of the push that lets copies part
ROUNDS = 20  # of taking over; far more than are used

BITS = float(np.log(2.0))


def information_curve(
    objects: Objects,
    hard: Code,
    betas: np.ndarray,
    path: str,
    seed: int,
    *,
    tol: float,
    max_iter: int,
) -> list[Code]:
    """Codes at rising ``betas``; ``path`` is "down", "up" or "both"."""
    found = []
    if path in ("down", "both"):
        found.append(curve_downwards(objects, hard, betas, tol=tol, max_iter=max_iter))
    if path in ("up", "both"):
        found.append(curve_upwards(objects, len(hard.mass), betas, seed, tol=tol, max_iter=max_iter))
    codes = [_best(list(pair), beta) for beta, *pair in zip(betas, *found)]
    return exchange_codes(objects, codes, betas, [hard], tol=tol, max_iter=max_iter)


class Walk(NamedTuple):
    """The codes found so far, one a beta in the order of the walk."""

    mass: np.ndarray  # (betas, k)
    distributions: np.ndarray  # (betas, k, d)
    rate: np.ndarray
    information: np.ndarray
    iteration: int
    done: bool

    def code(self, place: int) -> Code:
        return Code(
            self.mass[place], self.distributions[place], float(self.rate[place]), float(self.information[place])
        )


def curve_downwards(objects: Objects, hard: Code, betas: np.ndarray, *, tol: float, max_iter: int) -> list[Code]:
    """Codes at rising ``betas``, found from the last to the first, beginning at a hard code."""

    def prepare(code: Code, step: int) -> Code:
        return smoothed(objects, code)

    return _walk(objects, hard, betas[::-1], prepare, tol, max_iter, "curve down")[::-1]


def curve_upwards(objects: Objects, k: int, betas: np.ndarray, seed: int, *, tol: float, max_iter: int) -> list[Code]:
    """Codes at rising ``betas``, found from the first to the last, beginning at one cluster."""

    def prepare(code: Code, step: int) -> Code:
        code = smoothed(objects, code)
        push = 1.0 + NOISE * spawn(seed, step).uniform(-1.0, 1.0, code.distributions.shape)
        laws = code.distributions * push
        return code._replace(distributions=laws / laws.sum(axis=1, keepdims=True))

    trivial = Code(np.full(k, 1.0 / k), np.tile(objects.marginal, (k, 1)))
    return _walk(objects, trivial, betas, prepare, tol, max_iter, "curve up")


def _walk(
    objects: Objects,
    start: Code,
    betas: np.ndarray,
    prepare: Callable[[Code, int], Code],
    tol: float,
    max_iter: int,
    name: str,
) -> list[Code]:
    k, d = start.distributions.shape

    def advance(walk: Walk) -> tuple[Walk, dict[str, float]]:
        step = walk.iteration
        before = walk.code(step - 1) if step else start
        beta = float(betas[step])
        found = relax(objects, prepare(before, step), beta, tol=tol, max_iter=max_iter)
        walk = _write(walk, step, found)._replace(iteration=step + 1)
        return walk, {"beta": beta, "rate": found.rate / BITS, "information": found.information / BITS}

    size = len(betas)
    empty = Walk(np.zeros((size, k)), np.zeros((size, k, d)), np.zeros(size), np.zeros(size), 0, False)
    walk = iterate(advance, empty, max_iter=size, name=name)
    # where an observer stopped the walk, the last code stands for the betas that were not reached
    return [walk.code(min(place, walk.iteration - 1)) for place in range(size)]


def _write(walk: Walk, place: int, code: Code) -> Walk:
    walk.mass[place], walk.distributions[place] = code.mass, code.distributions
    walk.rate[place], walk.information[place] = code.rate, code.information
    return walk


def smoothed(objects: Objects, code: Code) -> Code:
    """Every law gets a small share of p(y), every cluster a small share of the mass."""
    mass = (1 - MIXED_SHARE) * code.mass + MIXED_SHARE / len(code.mass)
    return Code(mass, (1 - MIXED_SHARE) * code.distributions + MIXED_SHARE * objects.marginal)


def exchange_codes(
    objects: Objects, codes: list[Code], betas: np.ndarray, others: list[Code], *, tol: float, max_iter: int
) -> list[Code]:
    """Let each beta have the best of all codes, relaxed there, until no beta prefers another's.

    ``others`` are codes that stand for no beta of the path, such as the hard one.
    """
    codes = list(codes)
    for _ in range(ROUNDS):
        changed = False
        for place, beta in enumerate(betas):
            best = _best([*codes, *others], beta)
            if best.lagrangian(beta) < codes[place].lagrangian(beta) - tol:
                codes[place] = _best([best, relax(objects, best, beta, tol=tol, max_iter=max_iter)], beta)
                changed = True
        if not changed:
            break
    return codes


def _best(codes: list[Code], beta: float) -> Code:
    values = [code.lagrangian(beta) for code in codes]
    return codes[int(np.argmin(values))]
