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

from unmix.algorithms.robust.anderson import NO_MEMORY, Memory, extrapolate
from unmix.algorithms.robust.certificate import duality_gap, spectral_norm
from unmix.algorithms.robust.far_entries import misjudged
from unmix.algorithms.robust.finish import finish
from unmix.algorithms.robust.leading import Leading, follow_leading
from unmix.algorithms.robust.problem import Problem, Pursued, Split
from unmix.core.iteration.loop import iterate

CHECK_EVERY, JUDGE_EVERY = 5, 20  # iterations, to measure the gap, and to see whether this is the problem to solve
FINISH_AT = frozenset(20 * 2**i for i in range(20))  # iterations at which the exact end is tried


class _State(NamedTuple):
    R: np.ndarray
    memory: Memory
    leading: Leading
    split: Split
    gap: float
    iteration: int
    done: bool


def reflect(
    problem: Problem, split: Split, Y: np.ndarray, leading: Leading, mu: float, *, tol: float, max_iter: int
) -> Pursued:
    """Go on from a split and its multipliers until the duality gap is below ``tol``."""
    limit, size = problem.price[:, None] / mu, float(np.linalg.norm(problem.X)) or 1.0

    def advance(state: _State) -> tuple[_State, dict[str, float]]:
        clipped = np.clip(state.R, -limit, limit)
        if problem.observed is not None:
            clipped *= problem.observed
        leading, rank = follow_leading(problem.X - state.R + 2 * clipped, state.leading, 1 / mu)
        U, values, V = leading.U[:, :rank], leading.values[:rank] - 1 / mu, leading.V[:rank]
        L = (U * values) @ V
        image = problem.X - L + clipped
        step = float(np.linalg.norm(image - state.R))
        iteration, split, gap = state.iteration + 1, state.split, state.gap
        if iteration % CHECK_EVERY == 0:
            misfit = problem.X - L if problem.observed is None else (problem.X - L) * problem.observed
            gap = _gap(problem, problem.cost(values, misfit), clipped * mu, mu * step, tol)
            here = Split(U, values, V, np.where(np.abs(clipped) >= limit, misfit, 0.0))
            if iteration % JUDGE_EVERY == 0 and misjudged(problem.signs, here.S):
                return state._replace(split=here, gap=np.inf, iteration=iteration, done=True), {"step": step / size}
            split = here if gap <= state.gap else split
            if gap > tol and iteration in FINISH_AT:
                found = finish(problem, L, V, clipped * mu, tol=tol)
                split, gap = found if found is not None and found[1] < gap else (split, gap)
        best = min(gap, state.gap)
        memory, R = extrapolate(state.memory, state.R, image)
        after = _State(R, memory, leading, split, best, iteration, best <= tol)
        return after, {"step": step / size, "rank": rank, "gap": best}

    start = _State(split.S + Y / mu, NO_MEMORY, leading, split, np.inf, 0, False)
    end = iterate(advance, start, max_iter=max_iter, name="reflection")
    return Pursued(end.split, end.gap, end.iteration, end.gap <= tol)


def _gap(problem: Problem, cost: float, Y: np.ndarray, step: float, tol: float) -> float:
    """The duality gap, with the bound ‖Y‖₂ ≤ 1 + μ ‖R⁺ - R‖; before it is believed the norm is measured as well.

    What the threshold leaves of the matrix it shrinks has norm 1/μ, and differs from Y/μ by the step.
    """
    gap = duality_gap(problem, cost, Y, 1 + step)
    if gap > tol:
        return gap
    norm = spectral_norm(Y)
    return gap if norm <= 1 + step + 1e-6 else duality_gap(problem, cost, Y, norm)
