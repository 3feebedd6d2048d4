"""Exact covers under limits: a programme over all candidate roles, or a choice among good ones at large size."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, covers, product, residual, structure
from unmix.roles.cover.exact_assignment import USERS_PER_TIME_CHECK, assign_exactly
from unmix.roles.cover.fewest_roles import Cover, minimum_cover, own_sets
from unmix.roles.cover.program import distinct_rows
from unmix.roles.limits.candidate import candidate_roles, without_pairs
from unmix.roles.limits.constrained import Limits, Prices, choose
from unmix.roles.problem.request import Request, named
from unmix.roles.problem.result import Roles

# Beyond this many variables the programme rarely ends.
MOST_VARIABLES = 30_000


def mine_constrained(request: Request, objective: str) -> Roles:
    """The best answer by programme if the matrix is small, else by a choice among good roles."""
    prices = Prices(1.0) if objective == "roles" else Prices(0.0, 1.0, 1.0)
    found = None
    with request.budget:
        found = exact_choice(request._replace(budget=request.budget.part(0.6)), prices, objective)
    if found is not None and found.proven:
        return found
    good = starting_roles(request, objective, unlimited(request))
    answers = [good] if found is None else [found, good]
    return min(answers, key=lambda some: (some.direct.nnz, some.value))


def unlimited(request: Request) -> Cover:
    """The cover without limits, as far as there is time: where the choice under limits starts, and a bound for it."""
    keep = request.keep if request.names else None
    with request.budget:
        return minimum_cover(request.access.matrix, request.budget.part(0.5), keep=keep, seed=request.seed)
    return own_sets(request.access.matrix)


def exact_choice(request: Request, prices: Prices, what: str) -> Roles | None:
    """The optimum over all candidate roles; None if there are too many or time ran out before a first answer."""
    access = request.access
    if sum(access.matrix.shape) > 600 or request.budget.over:
        return None
    sets, holders, complete = candidate_roles(access.matrix, request.forbidden, 2000, request.budget)
    keep = request.keep.toarray()
    sets, holders = np.vstack([keep, sets]), np.vstack([covers(access.bits, Bits.of(keep)).T, holders])
    if not complete or size(sets, holders, prices) > MOST_VARIABLES:
        return None
    matrix = access.matrix.toarray()
    # One single grant must cost more than all roles or edges together.
    worst = prices.role * sets.shape[0] + prices.user * holders.sum() + prices.permission * sets.sum()
    limits = Limits(
        request.min_users, request.min_permissions, request.max_roles_per_user, request.conflicts, range(keep.shape[0])
    )
    if not matrix.any() and not keep.shape[0]:
        return None
    price = prices._replace(direct=float(worst) + 1.0)
    choice = choose(matrix, sets, holders, limits, price, request.budget)
    if choice is None:
        return None
    singles = choice.direct.sum() * price.direct
    cost = (
        prices.role * choice.chosen.size
        + prices.user * choice.assignment.sum()
        + prices.permission * choice.roles.sum()
    )
    bound = cost if choice.solution.proven else max(0.0, np.ceil(choice.solution.bound - singles))
    return Roles(
        access=access,
        names=named(request.names, choice.chosen.size),
        role_permissions=structure(choice.roles),
        user_roles=structure(choice.assignment),
        direct=structure(choice.direct),
        value=float(cost),
        lower_bound=float(bound),
        what=what,
        singles_proven=choice.solution.proven or not choice.direct.any(),
    )


def size(sets: np.ndarray, holders: np.ndarray, prices: Prices) -> int:
    """Number of variables, about."""
    areas = sets.sum(axis=1) * holders.sum(axis=1)
    return int(sets.shape[0] + holders.sum() + (areas.sum() if prices.permission else 0))


def starting_roles(request: Request, objective: str, cover: Cover) -> Roles:
    """Roles of the unlimited cover, split and filtered until they keep the limits; the rest is granted singly."""
    access = request.access
    sets = [part for role in cover.roles.toarray() for part in without_pairs(role, request.forbidden)]
    if request.max_roles_per_user is not None:
        sets += [part for part in overfull_sets(request, sets) if len(without_pairs(part, request.forbidden)) == 1]
    new = np.array(sets, bool).reshape(-1, access.matrix.shape[1])
    new = new[distinct_rows(new)]
    holders = covers(access.bits, Bits.of(new))
    new = new[(holders.sum(axis=0) >= request.min_users) & (new.sum(axis=1) >= request.min_permissions)]
    roles = structure(np.vstack([request.keep.toarray(), new]))
    users = limited(request, roles)
    fixed = len(request.names)
    while True:  # a role that lost its users to the limits goes, and its users are looked at again
        counts = np.bincount(users.indices, minlength=roles.shape[0])
        fine = np.flatnonzero((counts >= request.min_users) | (np.arange(roles.shape[0]) < fixed))
        if fine.size == roles.shape[0]:
            break
        roles = structure(roles[fine])
        users = structure(users[:, fine]) if request.budget.over else limited(request, roles)
    direct = residual(access.bits, product(users, Bits.of(roles))).sparse()
    bound = 0.0 if direct.nnz or objective == "edges" else fixed + cover.lower_bound
    value = roles.shape[0] if objective == "roles" else roles.nnz + users.nnz
    return Roles(
        access=access, names=named(request.names, roles.shape[0]), role_permissions=roles, user_roles=users,
        direct=direct, value=value, lower_bound=bound,
        what=objective, interrupted=request.budget.interrupted, singles_proven=not direct.nnz,
    )  # fmt: skip


def overfull_sets(request: Request, sets: list[np.ndarray]) -> list[np.ndarray]:
    """What users have who would need too many roles: roles of their own."""
    access = request.access
    wholes = Bits.of(np.array(sets, bool).reshape(-1, access.matrix.shape[1]))
    users = assign_exactly(access.bits, wholes, request.budget.part(0.5))
    many = np.flatnonzero(np.diff(users.indptr) > (request.max_roles_per_user or 0))
    return list(access.matrix[many].toarray())


def limited(request: Request, roles: sp.csr_array) -> sp.csr_array:
    """Roles of each user within the limits: the most useful ones first, no two that exclude each other."""
    access: Access = request.access
    if request.max_roles_per_user is None and not request.conflicts:
        if request.min_users > 1:  # as many users as possible, so that roles stay large enough
            return structure(covers(access.bits, Bits.of(roles)))
        return assign_exactly(access.bits, Bits.of(roles), request.budget)
    fits = covers(access.bits, Bits.of(roles))
    held, most = roles.toarray(), request.max_roles_per_user or roles.shape[0]
    clash = {pair for a, b in request.conflicts for pair in ((a, b), (b, a))}
    users = np.zeros_like(fits)
    for u, row in enumerate(access.matrix.toarray()):
        if u % USERS_PER_TIME_CHECK == 0 and request.budget.over:  # the others get the largest role that fits
            order = np.argsort(-held.sum(axis=1), kind="stable")
            best = order[fits[u:][:, order].argmax(axis=1)]
            users[np.arange(u, len(users)), best] = fits[np.arange(u, len(users)), best]
            break
        open_, left = row.copy(), np.flatnonzero(fits[u])
        while left.size and open_.any() and users[u].sum() < most:
            gains = (held[left] & open_).sum(axis=1)
            r = int(left[gains.argmax()])
            if not gains.max():
                break
            users[u, r] = True
            open_ &= ~held[r]
            left = np.array([s for s in left.tolist() if s != r and (r, s) not in clash], np.int64)
    return structure(users)
