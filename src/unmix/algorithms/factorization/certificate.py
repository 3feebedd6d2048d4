"""How far a factorization is from where no small change helps: the length of a proximal step, as a share of the pulls.

    L ‖V - prox(V - gradient / L, 1 / L)‖ / ‖pull‖,      0 at a stationary point

for the codes (each row with an L of its own) and for the components (one L).  The losses enter by their parabolas,
which touch them, so their gradients are those of the objective itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.alternate import one_pass
from unmix.algorithms.factorization.components import all_slopes
from unmix.algorithms.factorization.problem import Problem, Rules
from unmix.algorithms.factorization.quadratic import product
from unmix.algorithms.factorization.whole_codes import row_problems, shared_gram
from unmix.algorithms.principal.latent_gaussian import unpack


class Stationarity(NamedTuple):
    codes: float
    components: float


class Lengths(NamedTuple):
    """Sums of squares over rows: of the steps, and of the pulls."""

    steps: float
    pulls: float


def stationarity(problem: Problem, codes: Any, components: np.ndarray) -> Stationarity:
    rules = problem.rules
    of_codes = 0.0
    if components.shape[0] - rules.intercept and not rules.together:
        found = problem.X.reduce(code_steps, rules, components, rows=problem.rows(codes))
        of_codes = float(np.sqrt(found.steps / found.pulls)) if found.pulls > 0 else 0.0
    return Stationarity(of_codes, component_step(problem, codes, components))


def code_steps(block: Any, rows: Any, rules: Rules, components: np.ndarray) -> Lengths:
    codes = (rows[0] if isinstance(rows, tuple) else rows).astype(np.float64)
    weights = rows[1] if rules.weighted else np.ones(len(codes))
    parts, k = row_problems(block, rows, rules, components).astype(np.float64), codes.shape[1]
    gram = shared_gram(rules, components) if rules.full else unpack(parts[:, k:], k)
    size = np.abs(gram).sum(axis=2).max(axis=1, keepdims=True)
    size = np.broadcast_to(np.where(size > 0, size, 1.0), (len(codes), 1))
    slope = parts[:, :k] - product(gram, codes)
    steps = size * (rules.codes.prox(codes + slope / size, 1 / size) - codes)
    return Lengths(float(weights @ (steps**2).sum(axis=1)), float(weights @ (parts[:, :k] ** 2).sum(axis=1)))


def component_step(problem: Problem, codes: Any, components: np.ndarray) -> float:
    K, free = len(components), int(problem.rules.intercept)
    if K == 0:
        return 0.0
    _, found = one_pass(problem, codes, components, effort=0)
    grams, U = unpack(found.products, K), components.astype(np.float64)
    if problem.rules.full:
        grams = grams * problem.rules.design.factors[:, None, None]
    top = float(np.abs(grams).sum(axis=2).max()) or 1.0
    slopes = all_slopes(grams, found.pull, U)
    steps = slopes / top
    steps[: K - free] = problem.components.prox(U[: K - free] + steps[: K - free], 1 / top) - U[: K - free]
    pulls = float(np.sqrt((found.pull**2).sum()))
    return top * float(np.sqrt((steps**2).sum())) / pulls if pulls > 0 else 0.0
