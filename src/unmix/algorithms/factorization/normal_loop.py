"""The loop of codes with a normal law: expectation, maximization, and longer steps along the way both go.

Of two steps in a row from x₀, written as x = (U / √ψ, b / √ψ, log ψ),

    r = x₁ - x₀,   v = (x₂ - x₁) - r,   x' = x₀ + 2 a r + a² v,   a = |r| / |v|   (a = 1 is x₂)

x' is kept if the objective is no worse there; else the loop goes on from x₂.  So no iteration lowers the objective,
and there are a third of those that plain steps need.  Varadhan & Roland, Scandinavian Journal of Statistics 35, 2008.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.factorization.normal_codes import (
    LEAST_NOISE,
    NormalModel,
    Sums,
    balanced,
    expanded,
    expect,
    log_prior,
    maximized,
    normal_model,
)
from unmix.algorithms.factorization.problem import Problem
from unmix.core.iteration.loop import iterate

FIRST_REACH, GROWTH = 4.0, 4.0  # the longest step a, and what it grows by where it was reached
FARTHEST = 1e5  # of components and intercepts in units of the noise: beyond, sums of squares lose their last digits
MOST_NOISE = 1e4
CALM = 2  # iterations in a row that gain little


class State(NamedTuple):
    iteration: int
    done: bool
    ahead: NormalModel  # where the next expectation is taken
    plain: NormalModel  # one step from the last that was taken, never worse than it
    before: np.ndarray  # x₀ of two steps in a row; empty at the first of them
    objective: float  # log-posterior of the last model whose expectation was taken and kept
    far: bool = False  # whether ``ahead`` is more than the plain step
    reach: float = FIRST_REACH
    calm: int = 0


def fit_normal(problem: Problem, components: np.ndarray, noise: np.ndarray, max_iter: int) -> State:
    """From components (the intercept last) and noises; stops where two iterations gain less than ``tol`` a cell."""
    most = problem.rules.codes.most_precision  # type: ignore[attr-defined]
    first = NormalModel(components.astype(np.float64), noise, np.ones(len(components) - 1), most)
    start = State(0, False, first, first, np.empty(0), -np.inf)
    return iterate(lambda state: advance(problem, state), start, max_iter=max_iter, name="normal codes")


def advance(problem: Problem, state: State) -> tuple[State, dict[str, float]]:
    nothing = np.zeros((problem.X.shape[0], 0), problem.X.dtype)
    found: Sums = problem.X.reduce(expect, problem.rules, state.ahead, rows=problem.rows(nothing))
    value = found.log_likelihood + log_prior(state.ahead)
    if state.far and not value >= state.objective:
        return rejected(state), {"objective": -state.objective}
    value = max(value, state.objective)  # a plain step is never worse but for rounding
    little = problem.tol * max(float(found.cells.sum()), 1.0)
    calm = state.calm + 1 if value - state.objective <= little else 0
    if calm >= CALM:
        return State(state.iteration + 1, True, state.ahead, state.ahead, np.empty(0), value), {"objective": -value}
    new = expanded(maximized(found, state.ahead), found)
    return stepped(state, new, value, calm), {"objective": -value}


def rejected(state: State) -> State:
    """Back to the plain step; the next longer ones are shorter."""
    reach = max(FIRST_REACH, state.reach / GROWTH)
    return state._replace(iteration=state.iteration + 1, ahead=state.plain, far=False, reach=reach)


def stepped(state: State, new: NormalModel, value: float, calm: int) -> State:
    """On to the plain step, and after every second one farther."""
    old = state.ahead
    after = State(state.iteration + 1, False, new, new, packed(old), value, False, state.reach, calm)
    if not len(state.before):
        return after
    ahead, length = extrapolated(state.before, packed(old), new, state.reach)
    reach = state.reach * GROWTH if length >= state.reach else state.reach
    return after._replace(ahead=ahead, before=np.empty(0), far=ahead is not new, reach=reach)


def extrapolated(x0: np.ndarray, x1: np.ndarray, new: NormalModel, reach: float) -> tuple[NormalModel, float]:
    """The model far along the way, and how far; the plain one where there is no way to see."""
    r = x1 - x0
    v = packed(new) - x1 - r
    bend = float(np.linalg.norm(v))
    length = min(reach, float(np.linalg.norm(r)) / bend) if bend > 0 else 1.0
    ahead = x0 + 2 * length * r + length**2 * v
    if length <= 1 or not np.abs(ahead).max() < FARTHEST:
        return new, length
    return unpacked(ahead, new), length


def packed(model: NormalModel) -> np.ndarray:
    return np.append(model.components / np.sqrt(model.noise), np.log(model.noise))


def unpacked(x: np.ndarray, like: NormalModel) -> NormalModel:
    size = like.components.size
    noise = np.exp(np.clip(x[size:], np.log(LEAST_NOISE), np.log(MOST_NOISE)))
    components = x[:size].reshape(like.components.shape) * np.sqrt(noise)
    return balanced(components, noise, like.most)


def normal_step(problem: Problem, components: np.ndarray) -> float:
    """How far a plain step goes from components of a fit, as a share of their size, both in units of the noise."""
    model = normal_model(problem.rules, components)
    nothing = np.zeros((problem.X.shape[0], 0), problem.X.dtype)
    found: Sums = problem.X.reduce(expect, problem.rules, model, rows=problem.rows(nothing))
    before, after = packed(model), packed(maximized(found, model))
    return float(np.linalg.norm(after - before) / np.linalg.norm(before))
