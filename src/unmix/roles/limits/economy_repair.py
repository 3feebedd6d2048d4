"""A cheap state brought inside limits: what a limit does not allow goes, and what no longer pays goes after it.

Roles of the unlimited search are split at forbidden pairs and left out where too small; users get, one after the
other, the roles that save them most while they may have more; a role with too few users goes, as does the one that
costs most more than it saves, and users are looked at again. What roles do not give is granted singly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.access.bits import Bits, covers
from unmix.roles.cover.economy import forbidden_cost
from unmix.roles.cover.program import distinct_rows
from unmix.roles.limits.candidate import without_pairs
from unmix.roles.problem.request import Request


class Answer(NamedTuple):
    """Permission sets with the kept ones first, roles of users, junior roles of roles, single grants."""

    roles: np.ndarray
    assignment: np.ndarray
    inherits: np.ndarray
    direct: np.ndarray


def repair(request: Request, found: np.ndarray, weights: tuple[float, ...]) -> Answer:
    """From permission sets of roles (k, m) to an answer inside the limits; weights in units of the smallest."""
    matrix, keep = request.access.matrix.toarray().astype(bool), request.keep.toarray().astype(bool)
    parts = [part for role in found for part in without_pairs(role, request.forbidden)]
    new = np.array(parts, bool).reshape(-1, matrix.shape[1])
    new = new[distinct_rows(new)]
    holders = covers(request.access.bits, Bits.of(new)).sum(axis=0)
    new = new[(new.sum(axis=1) >= request.min_permissions) & (holders >= request.min_users)]
    roles, n_kept = np.vstack([keep, new]), len(keep)
    while True:
        assignment = assign_within_limits(request, matrix, roles, weights)
        inherits = inherit(roles, request, weights)
        if request.budget.over:
            enough = np.flatnonzero((assignment.sum(axis=0) >= request.min_users) | (np.arange(len(roles)) < n_kept))
            roles, assignment, inherits = roles[enough], assignment[:, enough], inherits[np.ix_(enough, enough)]
            break
        gone = worst(request, matrix, roles, assignment, inherits, weights, n_kept)
        if not gone.size:
            break
        roles = np.delete(roles, gone, axis=0)
    given = (assignment.astype(np.float32) @ roles.astype(np.float32)) > 0
    return Answer(roles, assignment, inherits, matrix & ~given)


def assign_within_limits(
    request: Request, matrix: np.ndarray, roles: np.ndarray, weights: tuple[float, ...]
) -> np.ndarray:
    """Roles of each user, those that save most single grants first, as far as they pay and the limits allow."""
    w_u, w_d = weights[1], weights[4]
    open_, assignment = matrix.copy(), np.zeros((len(matrix), len(roles)), bool)
    if not len(roles) or np.isinf(w_u):
        return assignment
    allowed = covers(request.access.bits, Bits.of(roles))
    users = np.arange(len(matrix))
    for _ in range(request.max_roles_per_user or len(roles)):
        saved = np.where(allowed, open_.astype(np.float32) @ roles.T.astype(np.float32), 0.0)
        best = saved.argmax(axis=1)
        top = saved[users, best]
        who = np.flatnonzero((top > 0) & (top * min(w_d, forbidden_cost(weights)) > w_u))
        if not who.size or request.budget.over:
            break
        assignment[who, best[who]] = True
        open_[who] &= ~roles[best[who]]
        allowed[who, best[who]] = False
        for a, b in request.conflicts:
            allowed[assignment[:, a], b] = allowed[assignment[:, b], a] = False
    return assignment


def inherit(roles: np.ndarray, request: Request, weights: tuple[float, ...]) -> np.ndarray:
    """For each role the juniors that save it most listing; kept roles that exclude others are no juniors."""
    w_p, w_h = min(weights[2], forbidden_cost(weights)), weights[3]
    inherits = np.zeros((len(roles), len(roles)), bool)
    if request.budget.over:  # then every role lists all it holds
        return inherits
    sizes = roles.sum(axis=1)
    below = (roles.astype(np.float32) @ roles.T.astype(np.float32) == sizes) & (sizes[:, None] > sizes)
    below[:, sorted({r for pair in request.conflicts for r in pair})] = False
    for r in range(len(roles)):
        left, juniors = roles[r].copy(), np.flatnonzero(below[r])
        while juniors.size:
            saved = (roles[juniors] & left).sum(axis=1)
            k = int(saved.argmax())
            if not saved[k] * w_p > w_h:
                break
            inherits[r, juniors[k]] = True
            left &= ~roles[juniors[k]]
    return inherits


def worst(
    request: Request,
    matrix: np.ndarray,
    roles: np.ndarray,
    assignment: np.ndarray,
    inherits: np.ndarray,
    weights: tuple[float, ...],
    n_kept: int,
) -> np.ndarray:
    """New roles that must or should go: with the fewest users of too few, or that cost most more than they save.

    One at a time, or a tenth of many, as the others may then be worth more.
    """
    w_r, w_u, w_p, w_h, w_d = (min(w, forbidden_cost(weights)) for w in weights)
    users, seniors = assignment.sum(axis=0), inherits.sum(axis=0)
    few = (users < request.min_users) if request.min_users > 1 else (users == 0) & (seniors == 0)
    few[:n_kept] = False
    if few.any():
        return first_share(np.where(few, -users, -np.inf), few)
    times = assignment.astype(np.float32) @ roles.astype(np.float32)  # how often a user gets a permission
    listed = roles & ~((inherits.astype(np.float32) @ roles.astype(np.float32)) > 0)
    loss = np.zeros(len(roles))
    for r in range(n_kept, len(roles)):
        alone = int((roles[r] & (times[assignment[:, r]] == 1)).sum())
        spared = seniors[r] * (roles[r].sum() * w_p - w_h)
        costs = w_r + w_u * users[r] + w_p * listed[r].sum() + w_h * inherits[r].sum()
        loss[r] = costs - w_d * alone - max(spared, 0.0)
    return first_share(loss, loss > 1e-9)


def first_share(value: np.ndarray, among: np.ndarray) -> np.ndarray:
    """The largest values of some, a tenth of them."""
    count = int(among.sum())
    order = np.argsort(np.where(among, -value, np.inf), kind="stable")
    return order[: min(count, max(1, count // 10))]
