"""Problem "fewest" under limits: fewest roles within δ deviations, or fewest deviations with K roles.

The start is a cover inside the limits, with what it leaves granted singly; from there roles are dropped and refitted
inside the limits, and small matrices are settled by a programme. Deviations beyond δ become single grants: as few of
them as possible, then as few roles.
"""

from __future__ import annotations

import numpy as np

from unmix.roles.access.bits import from_pairs, structure
from unmix.roles.access.distinct import Reduced, distinct
from unmix.roles.deviations.limited_fit import LimitedFit, Rules
from unmix.roles.deviations.limited_program import exact_within_limits
from unmix.roles.deviations.mine import check_size, entry_weights, expanded
from unmix.roles.deviations.program import small_enough
from unmix.roles.deviations.search import Fit, drop_down, fewest_within, least_noise
from unmix.roles.limits.mine import starting_roles, unlimited
from unmix.roles.problem.request import Request
from unmix.roles.problem.result import Roles


def fewest_limited(request: Request, delta: int, n_roles: int | None) -> Roles:
    """Roles inside the limits, some entries of which may deviate."""
    fixed = bool(request.names) or bool(request.forbidden) or request.min_permissions > 1
    # Equal users count one by one where a role needs several, equal permissions where some are named.
    reduced = distinct(request.access.matrix, merge_rows=request.min_users == 1, merge_columns=not fixed)
    check_size(reduced)
    cover = unlimited(request._replace(budget=request.budget.part(0.3)))
    needed = len(request.names) + cover.lower_bound
    start = starting_roles(request._replace(budget=request.budget.part(0.3)), "roles", cover)
    fit = limited_fit(request, reduced, start, np.inf if n_roles is not None else float(delta))
    if n_roles is None:
        return within(request, reduced, fit, needed, delta)
    return with_number(request, reduced, fit, needed, n_roles)


def limited_fit(request: Request, reduced: Reduced, start: Roles, most_extra: float) -> LimitedFit:
    """Roles found on distinct rows and columns, with the rules they obey."""
    users, columns = first_of(reduced.row), first_of(reduced.column)
    rules = Rules(
        keep=request.keep.toarray()[:, columns],
        min_users=request.min_users,
        min_permissions=request.min_permissions,
        max_roles_per_user=request.max_roles_per_user,
        forbidden=request.forbidden,
        conflicts=request.conflicts,
        most_extra=most_extra,
    )
    roles, assignment = start.role_permissions.toarray()[:, columns], start.user_roles.toarray()[users]
    return LimitedFit(reduced.matrix.toarray(), entry_weights(reduced), roles, assignment, rules)


def first_of(groups: np.ndarray) -> np.ndarray:
    """The first member of each group."""
    members = np.flatnonzero(groups >= 0)
    return members[np.unique(groups[members], return_index=True)[1]]


def within(request: Request, reduced: Reduced, fit: LimitedFit, needed: int, delta: int) -> Roles:
    best: Fit = fit
    proven = False
    with request.budget:
        fit.polish(20, request.budget)
        # Where the limits do not let the roles come within delta, at least no more is granted singly.
        target = max(float(delta), fit.error)
        best = fewest_within(fit, target, request.budget, least=fit.n_kept, seed=request.seed)
        reached = best.error <= delta
        # A role that alone gives no grant is needless, so there are never more roles than grants.
        places = best.roles.shape[0] if reached else fit.n_kept + int(fit.matrix.sum())
        least = reached and best.roles.shape[0] <= max(needed - delta, fit.n_kept)
        if not least and small_enough(fit.matrix, places):
            answer = exact_within_limits(fit.matrix, fit.weight, places, fit.rules, request.budget, delta)
            if answer is not None and answer.proven:
                best = LimitedFit(fit.matrix, fit.weight, answer.roles, answer.assignment, fit.rules)
                proven = True
    found = expanded(request, reduced, best, 0.0, 0.0, "roles")
    as_direct_grants(found, delta)
    # Changing one entry changes the least number of roles by at most one; with single grants there is no such bound.
    bound = fit.n_kept if found.direct.nnz else max(needed - delta, fit.n_kept)
    found.lower_bound = found.value if proven else min(float(bound), found.value)
    found.singles_proven = proven or not found.direct.nnz
    return found


def as_direct_grants(found: Roles, delta: int) -> None:
    """Grants the roles do not give, those beyond ``delta``, are given singly."""
    difference = found.access.matrix.astype(np.int8) - found.given.astype(np.int8)
    count = max(0, structure(difference).nnz - delta)
    rows, columns = structure(difference > 0).tocoo().coords
    found.direct = from_pairs(rows[:count], columns[:count], found.access.matrix.shape)


def with_number(request: Request, reduced: Reduced, fit: LimitedFit, needed: int, n_roles: int) -> Roles:
    # With fewer roles than are needed, each missing one costs an entry at least.
    bound = float(max(0, needed - n_roles))
    best: Fit = fit
    with request.budget:
        best = least_noise(fit, n_roles, request.budget, seed=request.seed)
        if best.error > bound and small_enough(fit.matrix, n_roles) and n_roles:
            answer = exact_within_limits(fit.matrix, fit.weight, n_roles, fit.rules, request.budget)
            if answer is not None:
                bound = max(bound, float(np.ceil(answer.bound)))
                exact = LimitedFit(fit.matrix, fit.weight, answer.roles, answer.assignment, fit.rules)
                best = min(best, exact, key=lambda some: some.error)
    if best.roles.shape[0] > n_roles:  # interrupted before the number was reached
        best = drop_down(best, n_roles)
    return expanded(request, reduced, best, best.error, best.error if not n_roles else bound, "deviating entries")
