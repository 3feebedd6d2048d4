"""Integer programmes with a certificate: the best solution, the proven bound, and whether they meet."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, milp

from unmix.core.quiet import without_warnings
from unmix.roles.budget import Budget

# Seconds a programme may take when nothing else is asked: most end at once, the others rarely end at all.
LONGEST = 60.0


class Solution(NamedTuple):
    """What the solver found: ``x`` is None if it found nothing in time."""

    x: np.ndarray | None
    bound: float
    proven: bool
    infeasible: bool


def solve(
    cost: np.ndarray, matrix: Any, lower: Any, upper: Any, budget: Budget, *, integer: Any = 1, fixed: Any = None
) -> Solution:
    """min cost·x subject to lower ≤ matrix x ≤ upper, 0 ≤ x ≤ 1; ``fixed`` lists variables that must be 1."""
    least = np.zeros(cost.size)
    if fixed is not None:
        least[fixed] = 1.0
    options: Any = {"mip_rel_gap": 0.0}
    options["time_limit"] = LONGEST if budget.left is None else min(max(budget.left, 1e-3), LONGEST)
    integrality = np.full(cost.size, integer) if np.isscalar(integer) else integer
    with without_warnings(Warning):
        answer = milp(
            cost,
            constraints=LinearConstraint(sp.csc_array(matrix), lower, upper),
            bounds=Bounds(least, 1.0),
            integrality=integrality,
            options=options,
        )
    bound = answer.mip_dual_bound if answer.mip_dual_bound is not None else -np.inf
    return Solution(answer.x, float(bound), answer.status == 0, answer.status == 2)


def set_cover(holds: np.ndarray, budget: Budget) -> Solution:
    """Fewest rows of ``holds`` that together have a one in every column."""
    keep = useful(holds)
    small = holds[keep].astype(float)
    answer = solve(np.ones(keep.size), small.T, np.ones(holds.shape[1]), np.inf, budget)
    if answer.x is None:
        return answer
    x = np.zeros(holds.shape[0])
    x[keep] = np.round(answer.x)
    return answer._replace(x=x)


def useful(holds: np.ndarray, limit: int = 4000) -> np.ndarray:
    """Rows that are not contained in another one (of equal rows the first), if there are few enough to compare."""
    _, first = np.unique(holds, axis=0, return_index=True)
    first = first[holds[first].any(axis=1)]
    if first.size > limit:
        return np.sort(first)
    sets = holds[first].astype(np.float32)
    sizes = sets.sum(axis=1)
    contained = (sets @ sets.T >= sizes[:, None]) & (sizes[None] > sizes[:, None])
    return np.sort(first[~contained.any(axis=1)])
