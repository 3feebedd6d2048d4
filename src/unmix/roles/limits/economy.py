"""Least weighted structural complexity under limits, exactly on small tables: one programme over all sets users hold.

x_r = role used, y_ur = user u is assigned it, h_rs = r inherits from s ⊂ r, l_rp = r lists p, d_up = granted singly:

    min w_r Σ x + w_u Σ y + w_p Σ l + w_h Σ h + w_d Σ d
    Σ_{r ∋ p} y_ur + d_up ≥ 1,   l_rp + Σ_{s ∋ p} h_rs ≥ x_r,   y_ur ≤ x_r,   h_rs ≤ x_r, x_s,

and the limits: Σ_u y_ur ≥ least users · x_r, Σ_r y_ur ≤ most roles a user, y_ua + y_ub ≤ 1 for roles that exclude each
other, of which no role inherits, so that nobody gets them unseen.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import combinations
from typing import NamedTuple

import numpy as np

from unmix.roles.limits.constrained import Limits, Model, unless_out_of_time
from unmix.roles.limits.economy_repair import Answer
from unmix.roles.problem.cost_tiers import unit_free
from unmix.roles.problem.request import Request

MOST_SETS = 300  # candidate roles
MOST_HELD = 10  # permissions of one user: all subsets of them are candidates


class Exact(NamedTuple):
    """The best answer found, and whether there is no cheaper one."""

    answer: Answer
    proven: bool


@unless_out_of_time
def exact_economy(request: Request) -> Exact | None:
    """The cheapest answer, fewest single grants of infinite weight first; None if time or room is too small."""
    weights = unit_free(request.weights)
    new = candidate_sets(request) if np.isfinite(weights[:3]).all() else []
    if new is None or request.budget.over:
        return None
    matrix, keep = request.access.matrix.toarray().astype(bool), request.keep.toarray().astype(bool)
    sets = np.array([*keep, *new], bool).reshape(-1, matrix.shape[1])
    holders = np.asarray((sets[:, None] <= matrix).all(axis=2))
    if not matrix.any() or not len(sets):
        return None
    model = Model(request.budget)
    w_r, w_u, w_p, w_h, w_d = weights
    x = [model.variable(w_r if np.isfinite(w_r) else 0.0) for _ in sets]
    y = {(u, r): model.variable(w_u) for r, u in np.argwhere(holders)} if np.isfinite(w_u) else {}
    excluded = {r for pair in request.conflicts for r in pair}
    below = (sets[:, None] >= sets).all(axis=2) & (sets.sum(axis=1)[:, None] > sets.sum(axis=1))
    h = {(r, s): model.variable(w_h) for r, s in np.argwhere(below) if s not in excluded} if np.isfinite(w_h) else {}
    price = w_p if np.isfinite(w_p) else 0.0
    listed = {(r, p): model.variable(price) for r, p in np.argwhere(sets)}
    # One that should not be costs more than everything else together.
    single = w_d if np.isfinite(w_d) else min(1.0 + 2.0 * sum(model.cost), sys.float_info.max)
    d = {(u, p): model.variable(single) for u, p in np.argwhere(matrix)}
    _cover(model, sets, holders, x, y, d, h, listed)
    _limit(model, holders, request, x, y, len(keep))
    solution = model.solve(x[: len(keep)])
    if solution.x is None:
        return None
    return Exact(_read(solution.x > 0.5, matrix, sets, x, y, d, h), solution.proven)


def candidate_sets(request: Request) -> list[np.ndarray] | None:
    """All sets that enough users hold, large enough and without forbidden pairs; None where there are too many."""
    matrix, counts = np.unique(request.access.matrix.toarray().astype(bool), axis=0, return_counts=True)
    if matrix.sum(axis=1).max(initial=0) > MOST_HELD:
        return None
    most = MOST_SETS + len(request.names)
    holders: Counter[tuple[int, ...]] = Counter()
    for row, times in zip(matrix, counts.tolist()):
        if request.budget.over or (request.min_users == 1 and not request.forbidden and len(holders) > most):
            return None
        held = np.flatnonzero(row).tolist()
        for size in range(request.min_permissions, len(held) + 1):
            for some in combinations(held, size):
                holders[some] += times
    kept = {tuple(np.flatnonzero(row).tolist()) for row in request.keep.toarray()}
    found = [some for some, count in holders.items() if count >= request.min_users and some not in kept]
    found = [some for some in found if not any(a in some and b in some for a, b in request.forbidden)]
    if len(found) > MOST_SETS:
        return None
    sets = np.zeros((len(found), matrix.shape[1]), bool)
    for row, some in zip(sets, sorted(found)):
        row[list(some)] = True
    return list(sets)


def _cover(
    model: Model, sets: np.ndarray, holders: np.ndarray, x: list[int], y: dict, d: dict, h: dict, listed: dict
) -> None:
    for (u, p), single in d.items():
        giving = [y[u, r] for r in np.flatnonzero(holders[:, u] & sets[:, p]) if (u, r) in y]
        model.row([(single, 1.0), *((variable, 1.0) for variable in giving)], 1.0)
    for (r, p), own in listed.items():
        juniors = [h[r, s] for s in np.flatnonzero(sets[:, p]) if (r, s) in h]
        model.row([(own, 1.0), (x[r], -1.0), *((variable, 1.0) for variable in juniors)], 0.0)
    for (_, r), variable in y.items():
        model.row([(x[r], 1.0), (variable, -1.0)], 0.0)
    for (r, s), variable in h.items():
        for end in (r, s):
            model.row([(x[end], 1.0), (variable, -1.0)], 0.0)


def _limit(model: Model, holders: np.ndarray, request: Request, x: list[int], y: dict, n_kept: int) -> None:
    limits = Limits(request.min_users, request.min_permissions, request.max_roles_per_user, request.conflicts)
    if limits.min_users > 1:
        for r in range(n_kept, len(x)):
            mine = [(y[u, r], 1.0) for u in np.flatnonzero(holders[r]) if (u, r) in y]
            model.row([*mine, (x[r], -float(limits.min_users))], 0.0)
    for u in range(holders.shape[1]):
        own = [y[u, r] for r in range(len(x)) if (u, r) in y]
        if limits.max_roles_per_user is not None and len(own) > limits.max_roles_per_user:
            model.row([(variable, 1.0) for variable in own], 0.0, float(limits.max_roles_per_user))
        for a, b in limits.conflicts:
            if (u, a) in y and (u, b) in y:
                model.row([(y[u, a], 1.0), (y[u, b], 1.0)], 0.0, 1.0)


def _read(value: np.ndarray, matrix: np.ndarray, sets: np.ndarray, x: list, y: dict, d: dict, h: dict) -> Answer:
    used = np.flatnonzero(value[x])
    place = {r: k for k, r in enumerate(used.tolist())}
    assignment, inherits = np.zeros((len(matrix), used.size), bool), np.zeros((used.size, used.size), bool)
    direct = np.zeros_like(matrix)
    for (u, r), variable in y.items():
        if value[variable] and r in place:
            assignment[u, place[r]] = True
    for (r, s), variable in h.items():
        if value[variable] and r in place and s in place:
            inherits[place[r], place[s]] = True
    for (u, p), variable in d.items():
        direct[u, p] = value[variable]
    return Answer(sets[used], assignment, inherits, direct)
