"""Stable principal component pursuit: low rank plus sparse plus dense noise.

    minimise ‖L‖_* + Σ price_i |S_ij| + ‖X - L - S‖² / (2 δ)        over the observed entries

For given L the best S is what exceeds δ price, so that only L is left, with Huber's loss:

    L ← shrink(L + clip(X - L, ±δ price), δ)

extrapolated by Anderson's rule. δ = σ √p (√n + √d) for noise of deviation σ on a share p of entries: the largest
singular value of noise alone, so that noise makes no rank. Zhou, Li, Wright, Candès & Ma, ISIT 2010.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.robust.anderson import NO_MEMORY, Memory, extrapolate
from unmix.algorithms.robust.far_entries import misjudged
from unmix.algorithms.robust.leading import Leading, follow_leading, start_leading
from unmix.algorithms.robust.problem import Problem, Pursued, Split
from unmix.core.iteration.loop import iterate

CHECK_EVERY, JUDGE_EVERY = 5, 20  # iterations, to measure the gap, and to see whether this is the problem to solve

COST_INCREASE = 1.1  # times the cost before, from which on an extrapolation is not taken


class _State(NamedTuple):
    W: np.ndarray
    plain: np.ndarray  # W without extrapolation
    cost: float  # of the last point that was taken
    memory: Memory
    leading: Leading
    rank: int
    gap: float
    iteration: int
    done: bool


def pursue_stable(problem: Problem, delta: float, *, tol: float, max_iter: int) -> Pursued:
    """The split with the least cost; what is neither in L nor in S is noise."""
    limit, size = delta * problem.price[:, None], float(np.linalg.norm(problem.X)) or 1.0

    def advance(state: _State) -> tuple[_State, dict[str, float]]:
        leading, rank = follow_leading(state.W, state.leading, delta)
        L = _low_rank(leading, rank, delta)
        misfit = problem.X - L if problem.observed is None else (problem.X - L) * problem.observed
        clipped = np.clip(misfit, -limit, limit)
        cost = problem.cost(leading.values[:rank] - delta, misfit - clipped)
        cost += float(np.vdot(clipped, clipped)) / (2 * delta)
        image, iteration, gap = L + clipped, state.iteration + 1, state.gap
        step = float(np.linalg.norm(image - state.W))
        if cost > COST_INCREASE * state.cost:  # steps are bounded, so their length does not tell that one led astray
            again = state._replace(W=state.plain, memory=NO_MEMORY, iteration=iteration)
            return again, {"step": step / size, "rank": rank, "gap": gap}
        if iteration % CHECK_EVERY == 0:
            gap = stable_gap(problem, delta, cost, clipped, 1 + step / delta)
        done = gap <= tol or (iteration % JUDGE_EVERY == 0 and misjudged(problem.signs, misfit - clipped))
        memory, W = extrapolate(state.memory, state.W, image)
        after = _State(W, image, cost, memory, leading, rank, gap, iteration, done)
        return after, {"step": step / size, "rank": rank, "gap": gap}

    # from far entries, a step of δ price at a time, it would take long
    first = problem.X.copy() if problem.signs is None else np.where(problem.signs == 0, problem.X, 0.0)
    start = _State(first, first, np.inf, NO_MEMORY, start_leading(first, 10), 0, np.inf, 0, False)
    end = iterate(advance, start, max_iter=max_iter, name="stable pursuit")
    leading, rank = end.leading, end.rank
    misfit = problem.X - _low_rank(leading, rank, delta)
    if problem.observed is not None:
        misfit *= problem.observed
    S = misfit - np.clip(misfit, -limit, limit)
    split = Split(leading.U[:, :rank], leading.values[:rank] - delta, leading.V[:rank], S)
    return Pursued(split, end.gap, end.iteration, end.gap <= tol)


def _low_rank(leading: Leading, rank: int, delta: float) -> np.ndarray:
    return np.asarray((leading.U[:, :rank] * (leading.values[:rank] - delta)) @ leading.V[:rank])


def stable_gap(problem: Problem, delta: float, cost: float, rest: np.ndarray, norm: float) -> float:
    """(cost - bound) / cost; the bound is ⟨X, Y⟩ - δ ‖Y‖² / 2 for Y = (X - L - S) / δ, scaled down by norm ≥ ‖Y‖₂.

    What the threshold leaves of W has norm δ and differs from δ Y by the step, hence norm = 1 + step / δ.
    """
    Y = rest / (delta * norm)
    bound = float(np.vdot(problem.X, Y)) - delta * float(np.vdot(Y, Y)) / 2
    return problem.whole_gap(abs(cost - bound) / cost, cost, norm) if cost > 0 else 0.0
