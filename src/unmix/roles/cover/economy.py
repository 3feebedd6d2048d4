"""Roles that are cheap to write down: weighted structural complexity.

WSC = w_r |R| + w_u |UA| + w_p |PA| + w_h |RH| + w_d |direct grants|. A role may inherit from roles it contains (RH) and
then lists only the permissions it adds (PA); a user may get single grants beside roles. Without hierarchy and single
grants (their weights infinite) and w_r = 0 this is the number of edges |UA| + |PA|.

Search: start from all grants single; add the candidate (intersections of users, of roles, of what is still granted
singly, unions of roles used together) that saves most; drop roles that do not pay; until nothing helps.

Reference: I. Molloy et al., Mining roles with semantic meanings, SACMAT 2008.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.core.random import spawn
from unmix.roles.access.bits import Bits, structure
from unmix.roles.problem.budget import Budget

# Kicks at the end of a search: at most so many, and fewer where nodes times roles times words are many.
KICKS, WORK = 300, 2e7


class Economy(NamedTuple):
    """A cheap state: permission sets of roles, roles of users, junior roles of roles, single grants of users."""

    roles: sp.csr_array
    assignment: sp.csr_array
    inherits: sp.csr_array
    direct: sp.csr_array
    cost: float


def forbidden_cost(weights: tuple[float, ...]) -> float:
    """Stands for "not allowed" in a search: dearer than any answer without it; weights are in units of the smallest."""
    return max(1e9, 1e6 * max((w for w in weights if np.isfinite(w)), default=0.0))


class Search:
    """The state of the search: users and roles are nodes, each with the roles it uses and what it is granted singly."""

    def __init__(self, rows: Bits, times: np.ndarray, weights: tuple[float, ...], most_roles: int):
        n, size = rows.shape[0], rows.shape[0] + most_roles
        self.never = forbidden_cost(weights)
        w_r, w_u, w_p, w_h, w_d = (min(float(w), self.never) for w in weights)
        self.n_users = n
        self.nodes = np.zeros((size, rows.words.shape[1]), np.uint64)
        self.nodes[:n] = rows.words
        self.live = np.arange(size) < n
        self.times = np.ones(size)
        self.times[:n] = times
        self.left = self.nodes.copy()
        self.used = np.zeros((size, most_roles), bool)
        self.edges, self.directs, self.role_cost = np.array([w_u, w_h]), np.array([w_d, w_p]), w_r
        self.cost = np.zeros(size)
        self.cost[:n] = rows.counts() * w_d

    @property
    def arrays(self) -> tuple[Any, ...]:
        return self.nodes, self.n_users, self.live, self.times, self.left, self.used, self.cost

    @property
    def total(self) -> float:
        return float((self.times * self.cost)[self.live].sum() + self.role_cost * self.live[self.n_users :].sum())

    def add(self, pool: np.ndarray, budget: Budget) -> float:
        from unmix.roles.cover.economy_kernel import estimates, greedy

        pool = np.unique(pool, axis=0)
        pool = pool[pool.any(axis=1)]
        if not pool.size or budget.over:
            return 0.0
        gains = np.zeros(pool.shape[0])
        prices = (self.edges, self.directs)
        for first in range(0, pool.shape[0], 1024):
            if not budget.over:
                estimates(pool[first : first + 1024], *self.arrays[:5], *prices, gains[first : first + 1024])
        change, step = 0.0, -1.0
        while gains.max() > self.role_cost and not budget.over:
            step = greedy(pool, gains, *self.arrays, *prices, self.role_cost, self.role_cost, self.turns)
            change += step
        return change

    @property
    def turns(self) -> int:
        """Candidates looked at before the time is looked at again."""
        return int(np.clip(4_000_000 // max(1, self.n_users * self.nodes.shape[1]), 4, 256))

    def drop(self, order: np.ndarray, budget: Budget) -> float:
        from unmix.roles.cover.economy_kernel import refresh, try_drop

        change = 0.0
        for r in order:
            if budget.over:
                return change
            if self.live[self.n_users + r]:
                change += try_drop(int(r), *self.arrays, self.edges, self.directs, self.role_cost)
        before = self.total
        refresh(*self.arrays[:3], *self.arrays[4:], self.edges, self.directs)
        return change + self.total - before

    def own_roles(self) -> None:
        """Whoever still has single grants gets one role of all they have; if there is no room, everybody does."""
        users, free = np.flatnonzero(self.left[: self.n_users].any(axis=1)), np.flatnonzero(~self.live[self.n_users :])
        if users.size > free.size:
            self.live[self.n_users :], self.used[...] = False, False
            users, free = np.arange(self.n_users), np.arange(self.used.shape[1])
        free = free[: users.size]
        at = self.n_users + free
        self.nodes[at], self.left[at], self.live[at] = self.nodes[users], self.nodes[users], True
        self.used[users], self.used[at], self.left[users] = False, False, 0
        self.used[users, free] = True
        self.cost[users] = self.edges[0]
        self.cost[at] = self.directs[1] * Bits(self.nodes[at], 0).counts()

    def price(self, direct: float) -> None:
        """Sets what a single grant to a user costs."""
        n, count = self.n_users, Bits(self.left[: self.n_users], 0).counts()
        self.directs[0] = direct
        self.cost[:n] = self.used[:n].sum(axis=1) * self.edges[0] + np.where(count, direct * count, 0.0)

    def kick(self, pool: np.ndarray, budget: Budget) -> None:
        """Forces a candidate in, drops what it made needless, and goes back if that did not pay."""
        from unmix.roles.cover.economy_kernel import try_add

        for candidate in pool:
            if budget.over:
                return
            before, total = [array.copy() for array in self.state], self.total
            try_add(candidate, *self.arrays, self.edges, self.directs, self.role_cost, self.never)
            self.drop(self.roles(), budget)
            if self.total > total - 1e-9:
                for array, old in zip(self.state, before):
                    array[...] = old

    @property
    def state(self) -> tuple[np.ndarray, ...]:
        return self.nodes, self.live, self.left, self.used, self.cost

    def roles(self) -> np.ndarray:
        return np.flatnonzero(self.live[self.n_users :])

    @property
    def most(self) -> int:
        """Candidates that can be looked at in a second or so."""
        return int(np.clip(4e9 / max(1, self.n_users * self.nodes.shape[1]), 500, 40_000))

    def candidates(self, seed: int, most: int | None = None) -> np.ndarray:
        """Intersections of what is granted singly, of nodes, and unions of roles some node uses together."""
        live, most = np.flatnonzero(self.live), most or self.most
        rng = spawn(seed)
        left = np.unique(self.left[live], axis=0)
        sets = self.nodes[live]
        together = self.unions(rng, most // 4)
        pools = [intersections(left, most // 2, rng), intersections(sets, most // 2, rng), left, together]
        if self.edges[1] >= self.never:
            pools.append(self.differences(rng, most // 4))
        return np.vstack(pools)

    def differences(self, rng: np.random.Generator, most: int) -> np.ndarray:
        """What a role adds to another one; of use where roles cannot inherit."""
        sets = self.nodes[self.n_users + self.roles()]
        if not sets.shape[0]:
            return sets
        n = sets.shape[0]
        first, second = np.divmod(rng.choice(n * n, min(n * n, most), replace=False), n)
        return sets[first] & ~sets[second]

    def unions(self, rng: np.random.Generator, most: int) -> np.ndarray:
        roles = self.roles()
        used = self.used[np.flatnonzero(self.live)][:, roles].astype(np.float32)
        first, second = np.nonzero(np.triu(used.T @ used, 1) > 1)
        if first.size > most:
            some = rng.choice(first.size, most, replace=False)
            first, second = first[some], second[some]
        sets = self.nodes[self.n_users + roles]
        return sets[first] | sets[second]


def intersections(sets: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Intersections of pairs of sets; a random choice of pairs if there are too many."""
    n = sets.shape[0]
    if n * (n - 1) // 2 <= most:
        first, second = np.triu_indices(n, 1)
    else:
        first, second = rng.integers(0, n, most), rng.integers(0, n, most)
    return np.unique(sets[first] & sets[second], axis=0)


def economize(
    rows: Bits, times: np.ndarray, weights: tuple[float, ...], budget: Budget, *, start: Bits | None = None,
    rounds: int = 12, most_roles: int | None = None, seed: int = 0,
) -> Economy:  # fmt: skip
    """A cheap state for distinct ``rows``, each standing for ``times`` users; weights in units of the smallest."""
    size = most_roles or min(2 * sum(rows.shape), 4000) + 16
    # Without single grants there must be room for everybody's own set.
    search = Search(rows, times, weights, size + (rows.shape[0] if np.isinf(weights[4]) else 0))
    pools = [rows.words]
    if start is not None:
        pools.append(start.words)
    pool = np.vstack([*pools, intersections(rows.words, search.most, spawn(seed))])
    with budget:
        if search.directs[0] >= search.never:
            # With a moderate price first, roles are chosen for what they save and not for how much they cover.
            search.price(2.0 * search.edges[0] + 0.5)
            improve(search, pool, rounds // 3, budget.part(0.6), seed)
            pool = np.unique(np.vstack([rows.words, search.left[: rows.shape[0]]]), axis=0)
    search.price(min(float(weights[4]), search.never))
    if search.directs[0] >= search.never:
        with budget:
            search.add(pool, budget)
        search.own_roles()  # also when the time is over: everybody must get what they have
    with budget:
        improve(search, pool, rounds, budget, seed + 1)
        work = (1 + search.live.sum()) * (1 + search.roles().size) * rows.words.shape[1]
        perturb(search, rows, min(KICKS, int(WORK / work)), budget, seed)
    return finish(search, rows)


def perturb(search: Search, rows: Bits, times: int, budget: Budget, seed: int) -> None:
    """Kicks with users' own sets and with random intersections, then improves once more."""
    if times < 1:
        return
    pool = np.unique(np.vstack([rows.words, search.candidates(seed, most=4 * KICKS)]), axis=0)
    pool = pool[pool.any(axis=1)]
    search.kick(pool[spawn(seed, 2).permutation(pool.shape[0])[:times]], budget)
    improve(search, pool, 3, budget, seed + 2)


def improve(search: Search, pool: np.ndarray, rounds: int, budget: Budget, seed: int) -> None:
    """Adds and drops roles in turn until neither helps."""
    search.add(pool, budget)
    for turn in range(rounds):
        if budget.over:
            return
        before = search.total
        search.drop(spawn(seed, 1, turn).permutation(search.roles()), budget)
        search.add(search.candidates(seed + turn), budget)
        if search.total > before - 1e-6 and turn > 2:
            break
    search.drop(search.roles(), budget)


def finish(search: Search, rows: Bits) -> Economy:
    n, keep = search.n_users, search.roles()
    return Economy(
        Bits(search.nodes[n + keep], rows.width).sparse(),
        structure(search.used[:n][:, keep]),
        structure(search.used[n + keep][:, keep]),
        Bits(search.left[:n], rows.width).sparse(),
        search.total,
    )
