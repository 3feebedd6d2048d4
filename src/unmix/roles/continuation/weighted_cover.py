"""Which roles of a pool to take so that every grant is given, at least cost: a weighted set cover.

    minimise   Σ_r w_r x_r,   then Σ_r x_r
    so that    Σ_{r fits u, p ∈ r} x_r ≥ 1   for every grant (u, p),   x_r = 1 for roles that must stay

A role fits a user who holds all of its permissions. Grants that the same roles can give are one row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, covers
from unmix.roles.access.distinct import same_rows
from unmix.roles.cover.program import solve
from unmix.roles.problem.budget import Budget

MOST_CELLS = 10**8  # grants of distinct users times roles, held at once
GROUPS_AT_ONCE = 64


class Picked(NamedTuple):
    """Which roles of the pool are taken, and whether no other choice from the pool costs less."""

    chosen: np.ndarray
    proven: bool


def pick(
    access: Access, pool: np.ndarray, weight: np.ndarray, must: np.ndarray, budget: Budget, search: bool = True
) -> Picked:
    """The cheapest roles of the pool; grants that none of them can give are left aside.

    Without ``search``, only roles that the others make needless go.
    """
    rows = telling_rows(access, pool) if search else None
    if rows is None:
        return Picked(greedy(access, pool, weight, must), False)
    rows = rows[~rows[:, must].any(axis=1)]
    if not rows.size:
        return Picked(must.copy(), bool((weight >= 0).all()))
    # The number of roles decides only between choices of equal weight.
    cost = np.asarray(weight, float) * (len(pool) + 1) + 1.0
    answer = solve(cost, rows.astype(float), 1.0, np.inf, budget, fixed=np.flatnonzero(must))
    if answer.x is None:
        return Picked(greedy(access, pool, weight, must), False)
    return Picked(answer.x > 0.5, answer.proven)


def telling_rows(access: Access, pool: np.ndarray) -> np.ndarray | None:
    """Every different set of roles that can give a grant, as rows over the pool; None if there are too many."""
    group = same_rows(access.matrix)
    _, first = np.unique(group[group >= 0], return_index=True)
    users = np.flatnonzero(group >= 0)[first]
    if access.matrix[users].nnz * len(pool) > MOST_CELLS:
        return None
    fits = covers(Bits(access.bits.words[users], access.bits.width), Bits.of(pool))
    seen = np.empty((0, -(-len(pool) // 8)), np.uint8)
    for start in range(0, users.size, GROUPS_AT_ONCE):
        parts = [
            np.packbits(pool[:, access.matrix[[u]].indices].T & fits[k], axis=1)
            for k, u in enumerate(users[start : start + GROUPS_AT_ONCE], start)
        ]
        seen = np.unique(np.vstack([seen, *parts]), axis=0)
    rows = np.unpackbits(seen, axis=1, count=len(pool)).astype(bool) if len(pool) else np.zeros((0, 0), bool)
    return rows[rows.any(axis=1)] if rows.size else rows.reshape(0, len(pool))


def greedy(access: Access, pool: np.ndarray, weight: np.ndarray, must: np.ndarray) -> np.ndarray:
    """All roles, then without those that the others make needless, the dearest and smallest first."""
    if access.matrix.shape[0] * access.matrix.shape[1] > MOST_CELLS:
        return np.ones(len(pool), bool)
    fits = covers(access.bits, Bits.of(pool))
    given = np.zeros(access.matrix.shape, np.int16)
    for r, role in enumerate(pool):
        given[np.ix_(fits[:, r], role)] += 1
    chosen = np.ones(len(pool), bool)
    for r in sorted(np.flatnonzero(~must).tolist(), key=lambda r: (-weight[r], pool[r].sum() * fits[:, r].sum())):
        block = np.ix_(fits[:, r], pool[r])
        if (given[block] > 1).all():
            given[block] -= 1
            chosen[r] = False
    return chosen
