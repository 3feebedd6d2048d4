"""Problem "cover": everybody gets exactly what they have, with fewest roles, fewest edges, or least complexity."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, structure
from unmix.roles.access.distinct import same_rows
from unmix.roles.cover.economy import Economy, economize
from unmix.roles.cover.exact_assignment import assign_exactly
from unmix.roles.cover.fewest_roles import minimum_cover, own_sets
from unmix.roles.limits.constrained import Prices
from unmix.roles.limits.economy import exact_economy
from unmix.roles.limits.economy_repair import Answer, inherit, repair
from unmix.roles.limits.mine import exact_choice, mine_constrained, starting_roles, unlimited
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.cost_tiers import bound_below, ratios, rounded, total
from unmix.roles.problem.request import Request, named
from unmix.roles.problem.result import Roles


def mine_cover(request: Request, objective: str) -> Roles:
    """Roles whose Boolean product with the assignment is the data."""
    if request.constrained and objective == "wsc":
        return cheapest_limited(request)
    if request.constrained:
        return mine_constrained(request, objective)
    if objective == "roles":
        return fewest_roles(request)
    if objective == "edges":
        exact = exact_choice(request._replace(budget=request.budget.part(0.6)), Prices(0.0, 1.0, 1.0), "edges")
        if exact is not None and exact.proven:
            return exact
        found = cheapest(request, (0.0, 1.0, 1.0, np.inf, np.inf), "edges")
        return better(exact, found)
    return cheapest(request, request.weights, "complexity")


def fewest_roles(request: Request) -> Roles:
    """The fewest roles, with the kept ones."""
    access, budget = request.access, request.budget
    keep = request.keep if request.names else None
    cover = own_sets(access.matrix)
    with budget:
        cover = minimum_cover(access.matrix, budget.part(0.8), keep=keep, seed=request.seed)
    roles = sp.csr_array(sp.vstack([request.keep, by_size(access, cover.roles)], format="csr"))
    n_kept = len(request.names)
    return Roles(
        access=access,
        names=named(request.names, roles.shape[0]),
        role_permissions=roles,
        user_roles=assign_all(access, roles, budget),
        direct=sp.csr_array(access.matrix.shape, dtype=bool),
        value=roles.shape[0],
        lower_bound=n_kept + cover.lower_bound,
        interrupted=budget.interrupted,
    )


def assign_all(access: Access, roles: sp.csr_array, budget: Budget) -> sp.csr_array:
    """Few roles for each user; equal users get equal roles."""
    group = same_rows(access.matrix)
    _, first = np.unique(group, return_index=True)
    found = assign_exactly(Bits.of(access.matrix[first]), Bits.of(roles), budget)
    return structure(found[group - group.min()]) if first.size else found


def by_size(access: Access, roles: sp.csr_array) -> sp.csr_array:
    """Roles that cover most first."""
    if not roles.shape[0]:
        return roles
    sizes = np.diff(roles.indptr)
    return roles[np.argsort(-sizes, kind="stable")]


def cheapest(request: Request, weights: tuple[float, ...], what: str) -> Roles:
    """The best state the search for cheap roles finds; kept roles it does not want are added without users."""
    access = request.access
    group = same_rows(access.matrix)
    filled = np.flatnonzero(group >= 0)
    _, first = np.unique(group[filled], return_index=True)
    times = np.bincount(group[filled], minlength=first.size).astype(float)
    rows = Bits.of(access.matrix[filled[first]])
    start = Bits.of(request.keep) if request.names else None
    state = economize(rows, times, ratios(weights), request.budget, start=start, seed=request.seed)
    return expand(request, state, group, weights, what)


def cheapest_limited(request: Request) -> Roles:
    """Least complexity inside the limits: by programme where the table is small, else cheap and few roles, repaired.

    Where single grants are forbidden (of infinite weight) and limits make some necessary, as few as possible come first
    and are not counted in the value.
    """
    exact, never, weights = None, np.isinf(request.weights[4]), ratios(request.weights)
    counted = (*request.weights[:4], 0.0) if never else request.weights
    with request.budget:
        exact = exact_economy(request._replace(budget=request.budget.part(0.5)))
    if exact is not None and exact.proven:
        return limited_answer(request, exact.answer, counted, proven=True)
    free = cheapest(request._replace(budget=request.budget.part(0.4)), request.weights, "complexity")
    some_time = request._replace(budget=request.budget.part(0.5))
    few = starting_roles(some_time, "roles", unlimited(some_time))
    found_roles, few_roles = (some.role_permissions.toarray() for some in (free, few))
    pools = (found_roles, few_roles, np.vstack([found_roles, few_roles]), few_roles[:0])
    # The last one, without roles of its own, is soon done whatever the time.
    answers = [repair(request, pool, weights) for pool in pools if not (len(pool) and request.budget.over)]
    inherits = inherit(few_roles, request, weights)
    answers.append(Answer(few_roles, few.user_roles.toarray(), inherits, few.direct.toarray()))
    answers += [exact.answer] if exact is not None else []
    found = [limited_answer(request, answer, counted, proven=False) for answer in answers]
    return min(found, key=lambda some: (some.direct.nnz if never else 0, some.value))


def limited_answer(request: Request, answer: Answer, counted: tuple[float, ...], *, proven: bool) -> Roles:
    found = Roles(
        access=request.access,
        names=named(request.names, len(answer.roles)),
        role_permissions=structure(answer.roles),
        user_roles=structure(answer.assignment),
        direct=structure(answer.direct),
        value=0.0,
        lower_bound=0.0,
        what="complexity",
        interrupted=request.budget.interrupted,
        singles_proven=proven or not np.isinf(request.weights[4]) or not answer.direct.any(),
        inherits=structure(answer.inherits),
    )
    return valued(found, counted, proven=proven)


def valued(found: Roles, weights: tuple[float, ...], *, proven: bool = False) -> Roles:
    """With its complexity, and what that is at least."""
    value = total(weights, found.counts())
    found.value = rounded(value)
    found.lower_bound = found.value if proven else bound_below(value, least_complexity(found.access, weights))
    return found


def expand(request: Request, state: Economy, group: np.ndarray, weights: tuple[float, ...], what: str) -> Roles:
    access, n_kept = request.access, len(request.names)
    n_found = state.roles.shape[0]
    order = order_with_kept(request.keep, state.roles)
    roles = structure(sp.vstack([request.keep, state.roles], format="csr")[order])
    # Kept roles the search also found stand in for them; others have no users.
    stands = [o - n_kept if o >= n_kept else -1 for o in order]
    place = np.array([s if s >= 0 else n_found for s in stands], int)
    wide = structure(sp.hstack([state.assignment, sp.csr_array((state.assignment.shape[0], 1), dtype=bool)]))
    below = structure(sp.block_array([[state.inherits, None], [None, sp.csr_array((1, 1), dtype=bool)]]))
    empty = sp.csr_array((1, n_found + 1), dtype=bool)
    users = structure(sp.vstack([wide, empty], format="csr")[group][:, place])
    direct = structure(
        sp.vstack([state.direct, sp.csr_array((1, state.direct.shape[1]), dtype=bool)], format="csr")[group]
    )
    found = Roles(
        access=access,
        names=named(request.names, roles.shape[0]),
        role_permissions=roles,
        user_roles=users,
        direct=direct,
        value=0.0,
        lower_bound=0.0,
        what=what,
        interrupted=request.budget.interrupted,
        inherits=structure(below[place][:, place]),
    )
    return valued(found, weights)


def order_with_kept(keep: sp.csr_array, roles: sp.csr_array) -> list[int]:
    """Rows of [keep; roles] in the answer: kept ones first (the found copy if there is one), then the others."""
    sets = {tuple(roles.indices[roles.indptr[k] : roles.indptr[k + 1]]): k for k in range(roles.shape[0])}
    order, taken = [], set()
    for k in range(keep.shape[0]):
        twin = sets.get(tuple(keep.indices[keep.indptr[k] : keep.indptr[k + 1]]))
        fresh = twin is not None and twin not in taken
        order.append(keep.shape[0] + twin if fresh and twin is not None else k)
        if fresh:
            taken.add(twin)
    sizes = np.diff(roles.indptr)
    rest = [k for k in np.argsort(-sizes, kind="stable") if k not in taken]
    return order + [keep.shape[0] + int(k) for k in rest]


def least_complexity(access: Access, weights: tuple[float, ...]) -> Fraction | float:
    """A simple bound: every user needs an assignment or single grants, every permission likewise."""
    _, w_u, w_p, _, w_d = weights
    per_user, per_permission = np.diff(access.matrix.indptr), np.diff(access.transposed.indptr)
    per_user, per_permission = per_user[per_user > 0], per_permission[per_permission > 0]
    if np.isinf(w_d):
        return total((w_u, w_p), (per_user.size, per_permission.size))
    return max(least_each(w_u, w_d, per_user), least_each(w_p, w_d, per_permission))


def least_each(edge: float, direct: float, grants: np.ndarray) -> Fraction | float:
    """Σ min(edge, direct · grants)."""
    singly = grants < (edge / direct if direct else np.inf)
    return total((edge, direct), (int((~singly).sum()), int(grants[singly].sum())))


def better(exact: Roles | None, found: Roles) -> Roles:
    """The cheaper of two answers, with the higher of the two bounds."""
    if exact is None:
        return found
    best = exact if exact.value <= found.value else found
    best.lower_bound = max(exact.lower_bound, found.lower_bound)
    return best
