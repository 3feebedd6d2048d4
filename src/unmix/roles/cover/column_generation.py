"""A proven lower bound and good rectangles where there are too many to list: column generation on the covering LP.

min Σ_R x_R with Σ_{R ∋ e} x_R ≥ 1 has the dual max Σ_e y_e with y(R) ≤ 1 for every rectangle R. Rectangles with
y(R) > 1 under the prices y of those known so far are found by growing and by branch and bound, and join. Whatever the
prices, Σ_e y_e / max_R y(R) roles are needed at least (Farley), and an upper bound of the maximum will do. Some of the
entries give a bound for all of them.

Reference: A. A. Farley, A note on bounding a class of linear programming problems, Operations Research 38 (1990).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from unmix.core.random import spawn
from unmix.roles.access.bits import Bits, common, covers, from_pairs
from unmix.roles.cover.dominance import Entries
from unmix.roles.cover.program import distinct_rows
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.patience import patiently

FIRST_ENTRIES, MOST_ENTRIES = 200, 3200  # of the programme
MOST_ROUNDS = 80
STARTS, JOIN = 200, 60  # rectangles grown a round, and those of them that join
WORK = 100_000_000  # word operations of one branch and bound
PRICE_MEMORY = 0.8  # of the mean of the prices so far
ROUNDS_PER_PROOF = 5  # rounds between proofs with that mean
MOST_SECONDS = 30.0  # seconds
NEGLIGIBLE = 1e-9  # price of an entry


class Generated(NamedTuple):
    """Entries of the rectangles found (rectangles, entries of the part), and how many roles are needed at least."""

    holds: np.ndarray
    bound: int


class Search(NamedTuple):
    """The entries of a part, and those of them the programme looks at (positions in the part, users, permissions)."""

    entries: Entries
    part: np.ndarray
    core: np.ndarray
    user: np.ndarray
    permission: np.ndarray


def generate(
    entries: Entries, part: np.ndarray, holds: np.ndarray, least: int, most: int, budget: Budget, seed: int
) -> Generated:
    """Rectangles beside ``holds`` (those known, over ``part``) and the bound, from ``least`` to ``most``.

    Begun with few entries, those that fit with the fewest others: they bound best and soon. Then twice as many.
    """
    hard, size, bound = hardest_first(entries, part), max(FIRST_ENTRIES, 4 * most), least
    whole = Budget(MOST_SECONDS if budget.left is None else min(budget.left, MOST_SECONDS), budget)
    while bound < most and not whole.over:
        core = np.sort(hard[:size])
        search = Search(entries, part, core, entries.user[part[core]], entries.permission[part[core]])
        holds, reached = price_out(search, holds, most, whole.part(0.5), seed + size)
        bound = max(bound, int(np.ceil(reached - 1e-6)))
        if size >= min(hard.size, MOST_ENTRIES):
            break
        size *= 2
    return Generated(holds, min(bound, most))


def price_out(search: Search, holds: np.ndarray, most: int, budget: Budget, seed: int) -> tuple[np.ndarray, float]:
    """Column generation for the entries of one search: all rectangles known then, and the bound."""
    known, bound, made = holds[:, search.core], 0.0, [holds]
    centre: np.ndarray | None = None
    for turn in range(MOST_ROUNDS):
        known = known[distinct_rows(known)]
        prices = dual_prices(known, budget)
        if prices is None or budget.over:
            break
        # Prices at a corner jump from round to round; a running mean of them settles much sooner.
        centre = prices if centre is None else PRICE_MEMORY * centre + (1 - PRICE_MEMORY) * prices
        grown = [grow_rectangles(search, y, spawn(seed, turn, k)) for k, y in enumerate((centre, prices))]
        proofs = [centre] if turn % ROUNDS_PER_PROOF == ROUNDS_PER_PROOF - 1 else []
        proofs += [] if len(grown[1]) else [prices]
        for y in proofs:
            found, heaviest = prove(search, y)
            # Prices too small to be looked at prove nothing.
            bound = max(bound, float(y[y > NEGLIGIBLE].sum()) / heaviest)
            grown.append(found)
        if np.ceil(bound - 1e-6) >= min(np.ceil(prices.sum() - 1e-6), most) or not any(map(len, grown)):
            break  # the bound cannot rise any more
        made.append(closed(search, np.vstack(grown)))
        known = np.vstack([known, made[-1][:, search.core]])
    return np.vstack(made), bound


def hardest_first(entries: Entries, part: np.ndarray) -> np.ndarray:
    """Positions in ``part``, the entries that fit with the fewest others first."""
    from unmix.roles.cover.first_fit_kernel import degrees

    degree = np.zeros(part.size, np.int64)
    degrees(entries.rows.words, entries.user, entries.permission, part, degree)
    return np.argsort(degree, kind="stable")


def dual_prices(holds: np.ndarray, budget: Budget) -> np.ndarray | None:
    """Prices of the entries in the programme over the rectangles known; None if there was no time."""
    options: Any = {} if budget.left is None else {"time_limit": max(budget.left, 1e-3)}
    matrix: Any = sp.csc_array(holds.T.astype(float))
    cost, most = np.ones(len(holds)), -np.ones(holds.shape[1])
    answer = patiently(lambda: linprog(cost, A_ub=-matrix, b_ub=most, method="highs", options=options), budget)
    done = answer is not None and answer.status == 0
    return np.maximum(-answer.ineqlin.marginals, 0.0) if done else None


def fitting(search: Search, order: np.ndarray) -> Bits:
    """Which of the entries, in this order, fit into one role."""
    from unmix.roles.cover.clique_kernel import link_fitting

    fits = Bits.zeros(order.size, order.size)
    link_fitting(search.entries.rows.words, search.user[order], search.permission[order], fits.words)
    return fits


def grow_rectangles(search: Search, prices: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Sets of entries worth more than 1, grown from some at random by falling price."""
    from unmix.roles.cover.clique_kernel import grow

    some = np.flatnonzero(prices > NEGLIGIBLE)
    order = some[np.argsort(-prices[some] * rng.uniform(0.5, 1.0, some.size), kind="stable")]
    fits, starts = fitting(search, order), rng.permutation(order.size)[:STARTS]
    chosen, worth = Bits.zeros(starts.size, order.size), np.zeros(starts.size)
    grow(fits.words, prices[order], starts, np.zeros(fits.words.shape[1], np.uint64), chosen.words, worth)
    good = np.argsort(-worth, kind="stable")[:JOIN]
    return spread(chosen.dense()[good[worth[good] > 1 + 1e-7]], order, prices.size)


def prove(search: Search, prices: np.ndarray) -> tuple[np.ndarray, float]:
    """A set of entries worth more than 1 if one was found, and what any of them is worth at most."""
    from unmix.roles.cover.clique_kernel import heaviest

    some = np.flatnonzero(prices > NEGLIGIBLE)
    order = some[np.argsort(-prices[some], kind="stable")]
    clique = Bits.zeros(1, order.size)
    # What lies below 1 does not matter: prices that are worth 1 at most prove their sum.
    most = heaviest(fitting(search, order).words, prices[order], 1.0, WORK, clique.words[0])
    found = clique.dense()
    return spread(found[found.any(axis=1)], order, prices.size), float(most) + 1e-9


def spread(sets: np.ndarray, order: np.ndarray, size: int) -> np.ndarray:
    out = np.zeros((len(sets), size), bool)
    out[:, order] = sets
    return out


def closed(search: Search, found: np.ndarray) -> np.ndarray:
    """Entries of the part in the maximal rectangle around each set of entries."""
    from unmix.roles.cover.first_fit_kernel import cover_matrix

    entries, part, _, user, _ = search
    which, place = np.nonzero(found)
    members = from_pairs(which, user[place], (len(found), entries.rows.shape[0]))
    permissions = common(members, entries.rows)
    users = Bits.of(covers(entries.rows, permissions).T)
    holds = np.zeros((len(found), part.size), bool)
    cover_matrix(
        users.words, permissions.words, entries.user[part], entries.permission[part], np.arange(part.size), holds
    )
    return holds
