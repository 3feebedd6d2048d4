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

from unmix.core.loop import iterate
from unmix.factors.robust.anderson import Anderson
from unmix.factors.robust.certificate import spectral_norm
from unmix.factors.robust.leading import Leading, follow_leading, start_leading
from unmix.factors.robust.problem import Problem, Pursued, Split

CHECK_EVERY = 5


class _State(NamedTuple):
    W: np.ndarray
    leading: Leading
    rank: int
    gap: float
    iteration: int
    done: bool


def pursue_stable(problem: Problem, delta: float, *, tol: float, max_iter: int) -> Pursued:
    """The split with the least cost; what is neither in L nor in S is noise."""
    mixer, limit = Anderson(), delta * problem.price[:, None]

    def advance(state: _State) -> tuple[_State, dict[str, float]]:
        leading, rank = follow_leading(state.W, state.leading, delta)
        L = _low_rank(leading, rank, delta)
        misfit = problem.X - L if problem.observed is None else (problem.X - L) * problem.observed
        clipped = np.clip(misfit, -limit, limit)
        image, iteration, gap = L + clipped, state.iteration + 1, state.gap
        if iteration % CHECK_EVERY == 0:
            gap = stable_gap(problem, delta, leading.values[:rank] - delta, misfit - clipped, clipped)
        step = float(np.linalg.norm(image - state.W))
        done = gap <= tol
        after = _State(state.W if done else mixer.mix(state.W, image), leading, rank, gap, iteration, done)
        return after, {"step": step, "rank": rank, "gap": gap}

    start = _State(problem.X.copy(), start_leading(problem.X, 10), 0, np.inf, 0, False)
    end = iterate(advance, start, max_iter=max_iter, name="stable pursuit")
    leading, rank = end.leading, end.rank
    misfit = problem.X - _low_rank(leading, rank, delta)
    if problem.observed is not None:
        misfit *= problem.observed
    S = misfit - np.clip(misfit, -limit, limit)
    split = Split(leading.U[:, :rank], leading.values[:rank] - delta, leading.V[:rank], S)
    return Pursued(split, end.gap, end.iteration, end.done)


def _low_rank(leading: Leading, rank: int, delta: float) -> np.ndarray:
    return np.asarray((leading.U[:, :rank] * (leading.values[:rank] - delta)) @ leading.V[:rank])


def stable_gap(problem: Problem, delta: float, values: np.ndarray, S: np.ndarray, rest: np.ndarray) -> float:
    """(cost - bound) / cost; the bound is ⟨X, Y⟩ - δ ‖Y‖² / 2 for Y = (X - L - S) / δ, scaled until ‖Y‖₂ ≤ 1."""
    cost = problem.cost(values, S) + float(np.vdot(rest, rest)) / (2 * delta)
    Y = rest / delta
    Y /= max(1.0, spectral_norm(Y))
    bound = float(np.vdot(problem.X, Y)) - delta * float(np.vdot(Y, Y)) / 2
    return abs(cost - bound) / cost if cost > 0 else 0.0
