"""Principal component pursuit by alternating directions, ended exactly as soon as rank and support are known.

    minimise ‖L‖_* + Σ price_i |S_ij|   subject to   L + S = X where observed

    L ← shrink the singular values of W = X - S + Y/μ by 1/μ      (leading.py: only those that survive)
    S, Y ← one pass over the entries                               (shrink.py)

μ grows while the primal residual leads. When the rank stands still and the support nearly so, the split is completed to
rounding (completion.py) and accepted if its duality gap is below ``tol`` (certificate.py). Where that fails, because
the data are noisy and rank and support do not determine the split, a fixed μ takes over (reflection.py). Lin, Chen &
Ma, 2010 (augmented Lagrangian); Candès et al. 2011.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.robust.far_entries import misjudged
from unmix.algorithms.robust.finish import finish, is_determined
from unmix.algorithms.robust.leading import Leading, follow_leading, start_leading
from unmix.algorithms.robust.problem import Problem, Pursued, Split
from unmix.algorithms.robust.reflection import reflect
from unmix.algorithms.robust.shrink import shrink_step
from unmix.core.iteration.loop import iterate

GROWTH = 1.5  # of μ
LIMIT = 60  # iterations, after which the support is not expected to settle


class _State(NamedTuple):
    leading: Leading
    Y: np.ndarray
    W: np.ndarray
    rank: int
    mu: float
    next_mu: float
    tries: int
    next_try: int
    split: Split | None
    gap: float
    iteration: int
    done: bool


def pursue(problem: Problem, *, tol: float, max_iter: int) -> Pursued:
    """The split of X with the least cost, exact where rank and support determine it."""
    leading = start_leading(problem.X, 10)
    norm = float(leading.values[0])
    first = _identify(problem, leading, norm, tol, min(max_iter, LIMIT))
    if first.gap <= tol and first.split is not None:
        return Pursued(first.split, first.gap, first.iteration, True)
    left, split = max_iter - first.iteration, _as_it_stands(problem, first)
    if misjudged(problem.signs, split.S):
        return Pursued(split, np.inf, first.iteration, False)
    found = reflect(problem, split, first.Y, first.leading, first.mu / 5, tol=tol, max_iter=left)
    return found._replace(n_iter=first.iteration + found.n_iter)


def _identify(problem: Problem, leading: Leading, norm: float, tol: float, max_iter: int) -> _State:
    size, price = float(np.linalg.norm(problem.X)), problem.price[:, None]

    def advance(state: _State) -> tuple[_State, dict[str, float]]:
        leading, rank = follow_leading(state.W, state.leading, 1 / state.mu)
        L = (leading.U[:, :rank] * (leading.values[:rank] - 1 / state.mu)) @ leading.V[:rank]
        moved = shrink_step(problem, L, state.Y, state.W, state.mu, state.next_mu)
        primal, dual = moved.primal / size, state.mu * moved.change / max(float(np.linalg.norm(state.Y)), 1e-300)
        iteration, tries, next_try = state.iteration + 1, state.tries, state.next_try
        support = int(np.count_nonzero(np.abs(state.Y) >= price))
        found: tuple[Split | None, float] | None = None
        if iteration >= next_try and rank == state.rank and moved.switched <= 0.02 * support + 2:
            found = finish(problem, L, leading.V[:rank], state.Y, tol=tol)
            tries, next_try = tries + 1, iteration + 3 + 2 * tries
        split, gap = found or (None, np.inf)
        next_mu = _next_mu(state.next_mu, primal, dual, rank)
        open_end = iteration >= LIMIT // 4 and not is_determined(problem, rank, support)
        done = gap <= tol or open_end
        after = _State(leading, state.Y, state.W, rank, state.next_mu, next_mu, tries, next_try, split, gap,
                       iteration, done)  # fmt: skip
        return after, {"primal": primal, "dual": dual, "rank": rank, "support": support, "gap": gap}

    mu, Y = 1.25 / norm, problem.clipped(problem.X / norm)
    start = _State(leading, Y, problem.X + Y / mu, -1, mu, mu * GROWTH, 0, 5, None, np.inf, 0, False)
    return iterate(advance, start, max_iter=max_iter, name="pursuit")


def _next_mu(mu: float, primal: float, dual: float, rank: int) -> float:
    if rank == 0 or primal > dual / 30:
        return mu * GROWTH
    return mu / GROWTH if primal < dual / 300 else mu


def _as_it_stands(problem: Problem, end: _State) -> Split:
    """The last iterate."""
    kept = slice(0, end.rank)
    values = np.maximum(end.leading.values[kept] - 1 / end.mu, 0.0)
    return Split(end.leading.U[:, kept], values, end.leading.V[kept], problem.X - end.W + end.Y / end.mu)
