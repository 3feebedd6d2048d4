"""Roles by repeated first fit: entries in some order, each into the first role that can take it.

Taken role by role in any order of the roles, first fit never opens more roles than there were; orders by size, in
reverse and at random therefore only ever improve (iterated greedy).

Reference: J. Culberson, F. Luo, Exploring the k-colorable landscape with iterated greedy, DIMACS Series 26, 1996.
"""

from __future__ import annotations

import numpy as np

from unmix.core.random import spawn
from unmix.roles.access.bits import Bits, enlarged
from unmix.roles.cover.dominance import Entries
from unmix.roles.problem.budget import Budget

CHUNK = 1 << 14


First = tuple[np.ndarray, int, Bits, Bits]


def fit_once(entries: Entries, order: np.ndarray, budget: Budget | None) -> First | None:
    """Group of each entry of ``order`` (−1 elsewhere), number of groups, users and permissions of their rectangles."""
    from unmix.roles.cover.first_fit_kernel import first_fit

    group = np.full(entries.user.size, -1)
    users, permissions, n_groups = Bits.zeros(64, entries.columns.width), Bits.zeros(64, entries.rows.width), 0
    first = 0
    while first < order.size:
        if budget is not None and budget.over:
            return None
        # A chunk can open at most one group an entry, so there is always room for the whole of it.
        chunk = min(CHUNK, order.size - first)
        room = n_groups + chunk
        if room > users.shape[0]:
            users = enlarged(users, max(room, min(2 * users.shape[0], order.size)))
            permissions = enlarged(permissions, users.shape[0])
        n_groups = first_fit(
            entries.rows.words, entries.columns.words, entries.user, entries.permission, order, group,
            users.words, permissions.words, n_groups, first, first + chunk,
        )  # fmt: skip
        first += chunk
    return (
        group,
        n_groups,
        Bits(users.words[:n_groups], users.width),
        Bits(permissions.words[:n_groups], permissions.width),
    )


def iterate_first_fit(
    entries: Entries, subset: np.ndarray, budget: Budget, first: First, *, rounds: int, target: int = 0, seed: int = 0
) -> tuple[np.ndarray, int, list[tuple[Bits, Bits]]]:
    """The best grouping from ``first`` on, and the rectangles of the last rounds; stops early at ``target`` groups."""
    group, n_groups, users, permissions = first
    pool = [(users, permissions)]
    with budget:
        for turn in range(rounds):
            if n_groups <= target or budget.over:
                break
            rank = group_order(group[subset], n_groups, turn, seed)
            order = subset[np.argsort(rank[group[subset]], kind="stable")]
            found = fit_once(entries, order, budget)
            if found is None:
                break
            group, n_groups, users, permissions = found
            pool = [*pool[-19:], (users, permissions)]
    return group, n_groups, pool


def group_order(group: np.ndarray, n_groups: int, turn: int, seed: int) -> np.ndarray:
    """Position of each group in the next round: reversed, largest first, or shuffled, in turn."""
    if turn % 4 == 0:
        return n_groups - 1 - np.arange(n_groups)
    if turn % 4 == 1:
        return np.argsort(np.argsort(-np.bincount(group, minlength=n_groups), kind="stable"))
    return spawn(seed, turn).permutation(n_groups)
