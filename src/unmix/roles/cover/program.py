"""Integer programmes with a certificate: the best solution, the proven bound, and whether they meet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, milp

from unmix.core.warning_filters import without_warnings
from unmix.roles.access.bits import Bits, covers
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.cost_tiers import Tier, tiers
from unmix.roles.problem.patience import patiently

# Seconds a programme may take when nothing else is asked: most end at once, the others rarely end at all.
MOST_SECONDS = 60.0
TOLERANCE = 1e-6  # of the solver, for costs and constraints


class Solution(NamedTuple):
    """What the solver found: ``x`` (whole numbers inside the constraints) is None if it found nothing in time."""

    x: np.ndarray | None
    bound: float
    proven: bool


class Rows(NamedTuple):
    """lower ≤ matrix x ≤ upper, and least ≤ x ≤ 1."""

    matrix: sp.csr_array
    lower: np.ndarray
    upper: np.ndarray
    least: np.ndarray

    def hold(self, x: np.ndarray) -> bool:
        value = self.matrix @ x
        inside = (value >= self.lower) & (value <= self.upper)
        return bool(inside.all() and (x >= self.least).all())

    def at_most(self, cost: np.ndarray, value: float) -> Rows:
        """The same with cost·x ≤ value."""
        matrix = sp.csr_array(sp.vstack([self.matrix, sp.csr_array(cost[None])]))
        return Rows(matrix, np.append(self.lower, -np.inf), np.append(self.upper, value), self.least)


def solve(cost: np.ndarray, matrix: Any, lower: Any, upper: Any, budget: Budget, *, fixed: Any = None) -> Solution:
    """min cost·x subject to lower ≤ matrix x ≤ upper, x in {0, 1}; ``fixed`` lists variables that must be 1.

    Costs are taken apart into tiers (`cost_tiers`), so neither their unit nor their span is left to the solver.
    """
    least = np.zeros(cost.size)
    if fixed is not None:
        least[fixed] = 1.0
    matrix = sp.csr_array(matrix)
    bounds = [np.broadcast_to(np.asarray(bound, float), matrix.shape[0]) for bound in (lower, upper)]
    rows = Rows(matrix, bounds[0], bounds[1], least)
    whole = Budget(MOST_SECONDS if budget.left is None else min(budget.left, MOST_SECONDS), budget)
    x, settled = None, Fraction(0)
    for tier in tiers(np.asarray(cost, float)):
        found = solve_tier(tier, rows, whole)
        x = x if found.x is None else found.x
        if not found.proven or found.x is None:
            bound = settled + tier.unit * Fraction(found.bound) if np.isfinite(found.bound) else settled
            return Solution(x, float(bound), False)
        value = float(tier.cost @ found.x)
        settled += tier.unit * Fraction(value)
        rows = rows.at_most(tier.cost, value if tier.whole else value + TOLERANCE)
    return Solution(x, float(settled), True)


def solve_tier(tier: Tier, rows: Rows, budget: Budget) -> Solution:
    """The least cost in one tier, in its own unit; proven where the solver's tolerances are below any difference."""
    options: Any = {"mip_rel_gap": 0.0}
    if budget.left is not None:
        options["time_limit"] = max(budget.left, 1e-3)

    def work() -> Any:
        with without_warnings(Warning):
            return milp(
                tier.cost,
                constraints=LinearConstraint(sp.csc_array(rows.matrix), rows.lower, rows.upper),
                bounds=Bounds(rows.least, 1.0),
                integrality=np.ones(tier.cost.size, np.int64),
                options=options,
            )

    answer = patiently(work, budget)
    if answer is None:
        return Solution(None, 0.0, False)
    bound = -np.inf if answer.mip_dual_bound is None else float(answer.mip_dual_bound)
    x = None if answer.x is None else np.round(answer.x)
    if x is not None and not rows.hold(x):
        x = None
    slack = TOLERANCE * max(1.0, float(tier.cost.max(initial=0.0)))
    # Whole costs add up to whole numbers, so the bound is rounded up to one.
    low = max(0.0, np.ceil(bound - slack) if tier.whole else bound - slack)
    met = x is not None and answer.status == 0 and float(tier.cost @ x) <= low + (0.0 if tier.whole else 2 * slack)
    return Solution(x, float(low), met and tier.sure)


def set_cover(holds: np.ndarray, budget: Budget) -> Solution:
    """Fewest rows of ``holds`` that together have a one in every column; nothing where the time is over already."""
    if budget.over:
        return Solution(None, 0.0, False)  # comparing thousands of rows alone takes seconds
    keep = useful(holds)
    small = holds[keep].astype(float)
    answer = solve(np.ones(keep.size), small.T, np.ones(holds.shape[1]), np.inf, budget)
    if answer.x is None:
        return answer
    x = np.zeros(holds.shape[0])
    x[keep] = answer.x
    return answer._replace(x=x)


def useful(holds: np.ndarray, limit: int = 4000) -> np.ndarray:
    """Rows that are not contained in another one (of equal rows the first), if there are few enough to compare."""
    first = distinct_rows(holds)
    first = first[holds[first].any(axis=1)]
    if first.size > limit:
        return np.sort(first)
    sets = Bits.of(holds[first])
    contains = covers(sets, sets)
    np.fill_diagonal(contains, False)
    return np.sort(first[~contains.any(axis=0)])


def distinct_rows(holds: np.ndarray) -> np.ndarray:
    """The first of each group of equal rows, by rising rows; eight entries are compared at once."""
    return np.unique(np.packbits(holds, axis=1), axis=0, return_index=True)[1]
