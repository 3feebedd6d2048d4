"""The loop: codes, then components, with momentum that never raises the objective.

    Z ← better codes for (Z, Û),   U' ← better components for (Z, Û),   Û ← U' + β (U' - U)

β grows while the objective falls.  A pass that would raise it is not taken: the next starts from the components
without momentum, and β is smaller from then on.  Where a parabola was only a guess and fails without momentum, the next
step of the components is shorter.

Ang & Gillis, Neural Computation 31, 2019; Bolte, Sabach & Teboulle, Mathematical Programming 146, 2014.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.components import update_components
from unmix.algorithms.factorization.full_pass import full_pass
from unmix.algorithms.factorization.general_pass import general_pass
from unmix.algorithms.factorization.problem import Problem, Statistics
from unmix.algorithms.factorization.whole_codes import improve_together
from unmix.core.iteration.loop import iterate

FIRST, GROWTH, LIMIT_GROWTH, CUT = 0.4, 1.05, 1.01, 1.5
PLAIN = 2  # first iterations without momentum
ROUNDING = 1e-13
SHORTER, SHORTEST = 4.0, 1e6
HOPELESS = 20  # iterations after which an objective that is still infinite stays so
CALM = 2  # iterations in a row that gain little


class State(NamedTuple):
    """All that the next iteration needs."""

    iteration: int
    done: bool
    codes: Any  # (n, k)
    components: np.ndarray  # as they came from the last pass that was taken
    ahead: np.ndarray  # with momentum: where the next pass is made
    base: np.ndarray  # where the last pass that was taken was made
    objective: float
    momentum: float = FIRST
    limit: float = 1.0
    plain: int = PLAIN
    damping: float = 1.0
    calm: int = 0


def alternate(problem: Problem, codes: Any, components: np.ndarray, max_iter: int) -> State:
    """Iterate until two iterations in a row lower the objective by less than ``tol`` of it."""
    first = State(0, not len(components), codes, components, components, components, np.inf)
    return iterate(lambda state: advance(problem, state), first, max_iter=max_iter, name="factorization")


def advance(problem: Problem, state: State) -> tuple[State, dict[str, float]]:
    codes, found = better_pair(problem, state)
    value = objective(problem, found, codes, state.ahead)
    if state.iteration and value > state.objective + ROUNDING * scale_of(problem, state.objective):
        return rejected(state), {"objective": state.objective}
    new = update_components(problem, found, state.ahead, state.damping)
    calm = state.calm + 1 if state.objective - value <= problem.tol * max(abs(value), problem.floor) else 0
    momentum = 0.0 if state.plain > 1 or not problem.components.convex else state.momentum
    limit = min(1.0, state.limit * LIMIT_GROWTH) if momentum else state.limit
    after = State(
        state.iteration + 1,
        calm >= CALM or (state.iteration >= HOPELESS and not np.isfinite(value)),
        codes,
        new,
        extrapolated(problem, new, state.components, momentum),
        state.ahead,
        value,
        min(limit, state.momentum * GROWTH) if momentum else state.momentum,
        limit,
        max(state.plain - 1, 0),
        max(1.0, state.damping / 2),
        calm,
    )
    return after, {"objective": value}


def better_pair(problem: Problem, state: State) -> tuple[Any, Statistics]:
    """Better codes for the components ahead, and the sums with them."""
    if not problem.rules.together:
        return one_pass(problem, state.codes, state.ahead)
    return one_pass(problem, improve_together(problem, state.codes, state.ahead), state.ahead, effort=0)


def rejected(state: State) -> State:
    """Back to the components without momentum, or, where these failed, to a shorter step from the last place."""
    again = state._replace(iteration=state.iteration + 1)
    if not np.array_equal(state.ahead, state.components):
        return again._replace(ahead=state.components, plain=2, momentum=state.momentum / CUT, limit=state.momentum)
    damping = state.damping * SHORTER
    return again._replace(
        ahead=state.base, components=state.base, damping=damping, done=damping > SHORTEST, objective=state.objective
    )


def one_pass(problem: Problem, codes: Any, components: np.ndarray, effort: int = 1) -> tuple[Any, Statistics]:
    work = full_pass if problem.rules.full else general_pass
    return problem.X.step(work, problem.rows(codes), problem.rules, components, effort)


def objective(problem: Problem, found: Statistics, codes: Any, components: np.ndarray) -> float:
    """Of the codes that a pass returned with the components it was given."""
    value = float(found.leaving) + problem.penalty(codes, components)
    return value + constant_part(problem, found, components) if problem.rules.full else value


def scale_of(problem: Problem, value: float) -> float:
    """What rounding errors of the objective are relative to."""
    return max(abs(value), problem.squares)


def constant_part(problem: Problem, found: Statistics, components: np.ndarray) -> float:
    """½ Σ w f (t - b)²: what `full_pass` leaves out, as it does not depend on the codes."""
    factors = problem.rules.design.factors
    if not problem.rules.intercept:
        return 0.5 * problem.squares
    b = components[-1].astype(np.float64)
    weight = float(found.products[0, -1])
    return 0.5 * problem.squares - float(found.pull[-1] @ b) + 0.5 * weight * float(factors @ b**2)


def extrapolated(problem: Problem, new: np.ndarray, old: np.ndarray, momentum: float) -> np.ndarray:
    if not momentum:
        return new
    ahead = new + new.dtype.type(momentum) * (new - old)
    k = len(new) - problem.rules.intercept
    ahead[:k] = problem.components.prox(ahead[:k], 0.0)
    return ahead
