"""Alternating descent with momentum that never raises the objective.

    Z' = better codes for (Z, U),   Z ← [Z' + β (Z' - Z'_before)]₊,   U' = better components for (Z, U),
    U ← [U' + β (U' - U'_before)]₊

β grows while the objective falls.  A pair that would raise it, or lower it by rounding alone, is not taken: the next
iteration starts from the last one that was, without momentum, and β is smaller from then on.  Two to four times fewer
iterations than without.

Ang & Gillis, Accelerating nonnegative matrix factorization algorithms using extrapolation, Neural Computation 31, 2019.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative.problem import Problem, State
from unmix.core.aligned.row_file import here, like, parts
from unmix.core.iteration.loop import iterate

FIRST, GROWTH, LIMIT_GROWTH, CUT = 0.4, 1.05, 1.01, 1.5
MOVEMENT_TOLERANCE = 0.02  # the share of its length by which a component may still move at the end
ROUNDING = 2e-15  # of the sum of squares, from which the objective is found by subtraction
PLAIN_ITERATIONS = 2  # first iterations without momentum: they have far to go anyway


class Method(NamedTuple):
    """What a solver supplies: a step of the codes for `RowBlocks.step`, one of the components, and the objective."""

    name: str
    codes: Callable[..., Any]  # (block, rows, *shared, lead, momentum) -> (codes, statistics of those with momentum)
    shared: Callable[[Problem, np.ndarray], tuple[Any, ...]]
    components: Callable[[Problem, Any, np.ndarray], tuple[np.ndarray, float]]  # -> new components, violation
    objective: Callable[[Problem, Any, np.ndarray], float]
    free: bool = False  # components may be negative
    plain: bool = False  # never with momentum


class Momentum(NamedTuple):
    """All that the next iteration needs; codes with momentum are made anew where they are read, from two without."""

    iteration: int
    done: bool
    codes: np.ndarray
    before: np.ndarray  # the codes of the pair before, where there is a momentum
    lead: float  # the momentum that codes got when they were taken
    components: np.ndarray
    ahead: np.ndarray  # components with momentum
    objective: float
    reference: float  # the projected gradient of the first iteration, or of an earlier stage
    momentum: float = FIRST
    limit: float = 1.0
    plain: int = PLAIN_ITERATIONS
    violation: float = np.inf  # the projected gradient of the last iteration that was taken


def descend(problem: Problem, state: State, max_iter: int, method: Method, slow: float = 0.0) -> State:
    """Iterate from ``state``; done when the projected gradient has fallen to ``tol`` of what it was at first.

    Or when an iteration lowers the objective by no more than the share ``slow`` of it.
    """
    codes, components = state.codes, state.components
    first = [Momentum(0, False, codes, codes, 0.0, components, components, np.inf, state.reference)]
    del state, codes
    last = iterate(
        lambda moving: advance(problem, method, moving, slow),
        first.pop(),  # it has no name here: its n k numbers are free for others after the first iterations
        max_iter=max_iter,
        name=method.name,
    )
    codes = led(last)
    return State(last.iteration, last.done, codes, last.components, last.objective, last.reference, last.violation)


def led(moving: Momentum) -> Any:
    """The codes with momentum, to which objective and components belong, where those without are."""
    if not moving.lead:
        return moving.codes
    codes, before = here(moving.codes), here(moving.before)
    out = like(codes, codes.shape[1])
    for place, part in parts(codes):
        out[place] = with_momentum(part, before[place], moving.lead)
    return out


def advance(problem: Problem, method: Method, moving: Momentum, slow: float) -> tuple[Momentum, dict[str, float]]:
    momentum = 0.0 if moving.plain or method.plain else moving.momentum
    shared = method.shared(problem, moving.ahead)
    rows = problem.rows(moving.codes, moving.before)
    codes, found = problem.X.step(method.codes, rows, *shared, moving.lead, momentum)
    components, gradient = method.components(problem, found, moving.ahead)
    value, violation = method.objective(problem, found, components), found.violation + gradient
    reference = moving.reference or violation
    if momentum and value > moving.objective - ROUNDING * problem.squares:
        new = moving._replace(iteration=moving.iteration + 1, ahead=moving.components, plain=1)
        new = new._replace(momentum=moving.momentum / CUT, limit=moving.momentum)
    elif value > moving.objective + ROUNDING * problem.squares:
        # no step raises it without momentum: codes that nearly depend on each other have used up the digits
        new = moving._replace(iteration=moving.iteration + 1, done=True)
    else:
        done = bool(violation <= problem.tol * reference) and has_converged(components, moving.components)
        done = done or moving.objective - value <= slow * value or value < problem.floor
        ahead = extrapolate(method, components, moving)
        counts = (*increased(moving, momentum), max(moving.plain - 1, 0))
        pair = codes, moving.codes if momentum else codes, momentum, components
        new = Momentum(moving.iteration + 1, done, *pair, ahead, value, reference, *counts, violation)
    share = violation / reference if reference else 0.0
    objective = float(new.objective) / problem.scale / problem.scale  # infinite where no number is as large
    return new, {"objective": objective, "violation": share}


def has_converged(components: np.ndarray, before: np.ndarray) -> bool:
    """Whether no component moves much any more: one row far out decides the gradient, but not all components."""
    moved, length = (np.linalg.norm(part.astype(np.float64), axis=1) for part in (components - before, components))
    return bool((moved <= MOVEMENT_TOLERANCE * length).all())


def extrapolate(method: Method, components: np.ndarray, moving: Momentum) -> np.ndarray:
    if moving.plain > 1 or method.plain:
        return components
    ahead = components + components.dtype.type(moving.momentum) * (components - moving.components)
    return ahead if method.free else np.maximum(ahead, 0)


def increased(moving: Momentum, momentum: float) -> tuple[float, float]:
    """Momentum and its limit after an iteration that lowered the objective."""
    if not momentum:
        return moving.momentum, moving.limit
    limit = min(1.0, moving.limit * LIMIT_GROWTH)
    return min(limit, moving.momentum * GROWTH), limit


def with_momentum(codes: np.ndarray, before: np.ndarray, momentum: float) -> np.ndarray:
    """[Z + β (Z - Z_before)]₊ of some rows, always a copy."""
    if not momentum:
        return codes.copy()
    return np.maximum(codes + codes.dtype.type(momentum) * (codes - before), 0)
