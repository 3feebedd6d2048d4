"""Roles against deviations: for several numbers of roles, mined anew, the entries that would change.

From the exact cover down, roles are dropped by least harm and the rest refitted; a point that another beats in both
numbers is left out (Pareto front).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.access.distinct import distinct
from unmix.roles.cover.fewest_roles import minimum_cover
from unmix.roles.deviations.mine import fit_of
from unmix.roles.deviations.search import least_noise
from unmix.roles.evaluation.measures import pareto_front
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.result import Roles

MOST_CELLS = 4_000_000  # distinct users × distinct permissions; beyond, each point takes too long
POINTS = 10
MOST_TRIES = 60


class Point(NamedTuple):
    """So many roles, and so many entries in which they differ from the data."""

    n_roles: int
    deviations: int


def role_front(found: Roles, budget: Budget, seed: int = 0) -> list[Point]:
    """The front from one role to an exact cover, with the answer found; as far as the time goes, from many to few.

    Examples
    --------
    >>> from unmix.roles import mine
    >>> from unmix.roles.problem.budget import Budget
    >>> role_front(mine([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("c", "z")]), Budget(None))
    [Point(n_roles=1, deviations=1), Point(n_roles=2, deviations=0)]
    """
    access, points = found.access, [Point(len(found.names), len(found.exceptions))]
    reduced = distinct(access.matrix)
    if reduced.matrix.shape[0] * reduced.matrix.shape[1] > MOST_CELLS:
        return []
    with budget:
        exact = not found.exceptions
        roles = found.role_permissions if exact else minimum_cover(access.matrix, budget.part(0.3), seed=seed).roles
        fit = fit_of(reduced, roles)
        points.append(Point(roles.shape[0], 0))
        numbers = np.unique(np.geomspace(1, max(1, roles.shape[0]), POINTS).round().astype(int))[::-1]
        for left, number in zip(range(numbers.size, 0, -1), numbers.tolist()):
            if number >= fit.roles.shape[0]:
                continue
            if budget.over:
                break
            fit = least_noise(fit, number, budget.part(1 / left), tries=MOST_TRIES, seed=seed)
            points.append(Point(number, round(fit.error)))
    kept = pareto_front([p.n_roles for p in points], [p.deviations for p in points])
    return [points[k] for k in kept]
