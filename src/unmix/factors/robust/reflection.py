"""Principal component pursuit at a fixed penalty, extrapolated: for splits that rank and support do not determine.

Where data are noisy, L has many small singular values and S hardly a zero; the optimum then lies on a curved surface
and is approached, not hit. With R = S + Y/μ as the only variable, Douglas and Rachford's iteration is

    Y/μ = clip(R, ±price/μ),   L = shrink(X - R + 2 Y/μ, 1/μ),   R⁺ = X - L + Y/μ

and Anderson's extrapolation of it needs tens of iterations where the plain one needs hundreds.
Eckstein & Bertsekas, Mathematical Programming 55, 1992.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.loop import iterate
from unmix.factors.robust.anderson import Anderson
from unmix.factors.robust.certificate import duality_gap
from unmix.factors.robust.finish import finish
from unmix.factors.robust.leading import Leading, follow_leading
from unmix.factors.robust.problem import Problem, Pursued, Split

CHECK_EVERY = 5  # iterations, to measure the gap
TRIES = frozenset(20 * 2**i for i in range(20))  # iterations at which the exact end is tried


class _State(NamedTuple):
    R: np.ndarray
    leading: Leading
    split: Split
    gap: float
    iteration: int
    done: bool


def reflect(
    problem: Problem, split: Split, Y: np.ndarray, leading: Leading, mu: float, *, tol: float, max_iter: int
) -> Pursued:
    """Go on from a split and its multipliers until the duality gap is below ``tol``."""
    limit, mixer = problem.price[:, None] / mu, Anderson()

    def advance(state: _State) -> tuple[_State, dict[str, float]]:
        clipped = np.clip(state.R, -limit, limit)
        if problem.observed is not None:
            clipped *= problem.observed
        leading, rank = follow_leading(problem.X - state.R + 2 * clipped, state.leading, 1 / mu)
        U, values, V = leading.U[:, :rank], leading.values[:rank] - 1 / mu, leading.V[:rank]
        L = (U * values) @ V
        image = problem.X - L + clipped
        iteration, split, gap = state.iteration + 1, state.split, state.gap
        if iteration % CHECK_EVERY == 0:
            misfit = problem.X - L if problem.observed is None else (problem.X - L) * problem.observed
            gap = duality_gap(problem, problem.cost(values, misfit), clipped * mu)
            if gap <= state.gap:
                split = Split(U, values, V, np.where(np.abs(clipped) >= limit, misfit, 0.0))
            if gap > tol and iteration in TRIES:
                found = finish(problem, L, V, clipped * mu, tol=tol)
                split, gap = found if found is not None and found[1] < gap else (split, gap)
        best = min(gap, state.gap)
        step = float(np.linalg.norm(image - state.R))
        after = _State(mixer.mix(state.R, image), leading, split, best, iteration, best <= tol)
        return after, {"step": step, "rank": rank, "gap": best}

    start = _State(split.S + Y / mu, leading, split, np.inf, 0, False)
    end = iterate(advance, start, max_iter=max_iter, name="reflection")
    return Pursued(end.split, end.gap, end.iteration, end.done)
