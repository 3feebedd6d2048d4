"""Problem "fewest": roles that may deviate from the data in some entries, all of which are listed."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, structure
from unmix.roles.access.distinct import Reduced, distinct
from unmix.roles.classical.best_assignment import best_role_sets as give_roles
from unmix.roles.classical.discrete_basis import find_basis
from unmix.roles.cover.exact_assignment import assign_exactly
from unmix.roles.cover.fewest_roles import Cover, minimum_cover, own_sets
from unmix.roles.deviations.program import exact_noise, small_enough
from unmix.roles.deviations.search import Fit, drop_down, fewest_within, least_noise
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.request import Request, named
from unmix.roles.problem.result import Roles

# Dense search up to this many distinct entries; beyond it roles of the exact cover are dropped.
MOST_CELLS = 20_000_000
MOST_BASIS_CELLS = 2_000_000  # beyond, the discrete basis is no second start


def mine_fewest(request: Request, objective: str, delta: int, n_roles: int | None) -> Roles:
    """Fewest roles within ``delta`` deviations, or fewest deviations with ``n_roles`` roles."""
    if objective != "roles":
        raise ValueError(f'problem="fewest" counts roles; use problem="cover" for objective={objective!r}.')
    if n_roles is not None and n_roles < len(request.names):
        raise ValueError(f"n_roles is {n_roles!r}; it must be at least {len(request.names)}, the number of kept roles.")
    if request.constrained or request.names:
        from unmix.roles.deviations.limited_fewest import fewest_limited

        return fewest_limited(request, delta, n_roles)
    reduced = distinct(request.access.matrix)
    exact = own_sets(request.access.matrix)
    with request.budget:
        exact = minimum_cover(request.access.matrix, request.budget.part(0.3), seed=request.seed)
    fit = starting_fit(reduced, exact, request.budget.part(0.3))
    if n_roles is None:
        return within(request, reduced, exact, fit, delta)
    return with_number(request, reduced, exact, fit, n_roles)


def starting_fit(reduced: Reduced, exact: Cover, budget: Budget) -> Fit:
    """The exact cover on distinct rows and columns."""
    check_size(reduced)
    return fit_of(reduced, exact.roles, budget)


def check_size(reduced: Reduced) -> None:
    n, m = reduced.matrix.shape
    if n * m > MOST_CELLS:
        raise ValueError(
            f"The data have {n} × {m} distinct users and permissions, too many for "
            'problem="fewest"; use problem="cover", or mine parts of the organisation one by one.'
        )


def fit_of(reduced: Reduced, roles: sp.csr_array, budget: Budget | None = None) -> Fit:
    """Given roles on distinct rows and columns, each user with those that fit."""
    small = reduced.matrix
    first = np.unique(reduced.column, return_index=True)[1][-small.shape[1] :] if small.shape[1] else np.zeros(0, int)
    roles = roles[:, first]
    assignment = assign_exactly(Bits.of(small), Bits.of(roles), budget)
    return Fit(small.toarray(), entry_weights(reduced), roles.toarray(), assignment.toarray())


def entry_weights(reduced: Reduced) -> np.ndarray:
    """How many entries each stands for, in the smaller type only where all their sums are exact in it."""
    weight = np.outer(reduced.row_count, reduced.column_count)
    return weight.astype(np.float32 if weight.sum() < 1 << 24 else np.float64)


def within(request: Request, reduced: Reduced, exact: Cover, fit: Fit, delta: int) -> Roles:
    # Changing one entry changes the least number of roles by at most one.
    bound = max(exact.lower_bound - delta, int(request.access.matrix.nnz > delta))
    best = fit
    with request.budget:
        best = fewest_within(fit, delta, request.budget, least=bound, seed=request.seed)
        while best.roles.shape[0] > bound and small_enough(fit.matrix, best.roles.shape[0] - 1):
            fewer = best.roles.shape[0] - 1
            answer = exact_noise(fit.matrix, fit.weight, fewer, request.budget)
            if answer is not None and answer.error <= delta:
                best = Fit(fit.matrix, fit.weight, answer.roles, answer.assignment)
            else:
                bound = fewer + 1 if answer is not None and answer.bound > delta else bound
                break
    return expanded(request, reduced, best, float(best.roles.shape[0]), float(bound), "roles")


def with_number(request: Request, reduced: Reduced, exact: Cover, fit: Fit, n_roles: int) -> Roles:
    # With fewer roles than are needed, each missing one costs an entry at least.
    bound = float(max(0, exact.lower_bound - n_roles))
    best = fit
    if fit.roles.shape[0] > n_roles:
        with request.budget:
            best = least_noise(fit, n_roles, request.budget, seed=request.seed)
            other = from_basis(request, reduced, fit, n_roles)
            best = other if other is not None and other.error < best.error else best
            if best.error > bound and small_enough(fit.matrix, n_roles) and n_roles:
                answer = exact_noise(fit.matrix, fit.weight, n_roles, request.budget)
                if answer is not None:
                    bound = max(bound, float(np.ceil(answer.bound)))
                    if answer.error < best.error:
                        best = Fit(fit.matrix, fit.weight, answer.roles, answer.assignment)
        if best.roles.shape[0] > n_roles:  # interrupted before the number was reached
            best = drop_down(best, n_roles)
    if not n_roles:
        bound = best.error
    return expanded(request, reduced, best, best.error, bound, "deviating entries")


def from_basis(request: Request, reduced: Reduced, fit: Fit, n_roles: int) -> Fit | None:
    """The discrete basis, polished: its greedy choice finds roles that dropping from a cover misses.

    None where there is no time or the table is large.
    """
    small = fit.matrix
    if request.budget.over or not n_roles or small.size > MOST_BASIS_CELLS:
        return None
    count = np.asarray(reduced.column_count, dtype=np.float64)
    roles = find_basis(small.astype(np.float64), np.asarray(reduced.row_count, dtype=np.float64), n_roles).roles
    held = give_roles(small.astype(np.float64), roles, count)
    return Fit(small, fit.weight, roles > 0.5, held > 0.5).polish(20, request.budget)


def expanded(request: Request, reduced: Reduced, fit: Fit, value: float, bound: float, what: str) -> Roles:
    """The answer for all users and permissions: kept roles, then large ones first; new roles nobody needs go."""
    n_kept = len(request.names)
    used = np.logical_and(fit.roles.any(axis=1), fit.assignment.any(axis=0))
    order = [r for r in np.argsort(-fit.roles.sum(axis=1), kind="stable") if r >= n_kept and used[r]]
    order = [*range(n_kept), *order]
    small_roles, small_users = fit.roles[order], fit.assignment[:, order]
    columns, rows = np.flatnonzero(reduced.column >= 0), np.flatnonzero(reduced.row >= 0)
    roles = np.zeros((len(order), reduced.column.size), bool)
    roles[:, columns] = small_roles[:, reduced.column[columns]]
    users = np.zeros((reduced.row.size, len(order)), bool)
    users[rows] = small_users[reduced.row[rows]]
    if what == "roles":
        value = float(len(order))
    return Roles(
        access=request.access, names=named(request.names, len(order)), role_permissions=structure(roles),
        user_roles=structure(users), direct=sp.csr_array(request.access.matrix.shape, dtype=bool), value=value,
        lower_bound=min(bound, value), what=what, deviating=True, interrupted=request.budget.interrupted,
    )  # fmt: skip
