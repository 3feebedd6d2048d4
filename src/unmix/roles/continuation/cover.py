"""A cover that changes little: existing roles are kept where they still serve.

    minimise   |R| + c · |K \\ R|        R the roles of the answer, K the existing ones, c the cost of giving one up

At c = 1 a kept role costs no more than giving it up, so the number of new roles is made least, which is proven wherever
a cover is; of such answers one with few roles is taken. With N new roles needed beside all of K, m roles needed without
K, and u of K that must stay, every answer costs at least

    c |K| + N + (1 - c) max(u, m - N),        0 ≤ c ≤ 1,

for |R| + c |K \\ R| = new + c |K| + (1 - c) kept, new ≥ N, kept ≥ max(u, m - new), and this grows with new. Where all
candidate roles can be listed, a weighted set cover finds the optimum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, covers, from_pairs, product, residual, structure
from unmix.roles.access.permission import as_text
from unmix.roles.continuation.assignment import assign_again
from unmix.roles.continuation.existing import Existing
from unmix.roles.continuation.instead import instead
from unmix.roles.continuation.weighted_cover import Picked, pick
from unmix.roles.cover.fewest_roles import Cover, minimum_cover
from unmix.roles.cover.rectangle import maximal_rectangles
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.request import Request
from unmix.roles.problem.result import Roles

MOST_NAMES = 600  # users and permissions together, up to which all candidate roles are listed
MOST_CANDIDATES = 2000
SECONDS_TO_PICK = 20.0


class Kept(NamedTuple):
    """Existing roles that somebody can hold today: their ids, permissions, and which must stay."""

    ids: list[str]
    sets: sp.csr_array
    must: np.ndarray


class Pool(NamedTuple):
    """Roles to pick from, existing ones first; whether no optimum needs another; least new roles, and roles at all."""

    sets: np.ndarray
    complete: bool
    least_new: int
    least: int


def cover_again(request: Request, existing: Existing, change_cost: float) -> Roles:
    """The cover of least |R| + c |K \\ R|; grants that only rejected roles could give stay single."""
    access, budget = request.access, request.budget
    kept = serving(access, existing)
    if change_cost > 1:  # to keep a role that nobody needs is cheaper than to give it up
        kept = kept._replace(must=np.ones(len(kept.ids), bool))
    pool = Pool(kept.sets.toarray(), False, 0, 0)
    picked = Picked(np.ones(len(kept.ids), bool), False)
    with budget:
        pool = candidates(request, kept, existing, change_cost)
        weight = np.where(np.arange(len(pool.sets)) < len(kept.ids), 1.0 - min(change_cost, 1.0), 1.0)
        must = np.zeros(len(pool.sets), bool)
        must[: len(kept.ids)] = kept.must
        # At c = 1 the pool has as few new roles as were found: what is left is to see which existing ones are needless.
        search = pool.complete or change_cost < 1 or bool(existing.rejected)
        picked = pick(access, pool.sets, weight, must, Budget(SECONDS_TO_PICK, budget), search)
    return answer(request, kept, pool, picked, existing, change_cost)


def possible(access: Access, existing: Existing) -> tuple[list[str], sp.csr_array]:
    """Existing roles whose permissions are all there: their ids, and the permissions."""
    number = {as_text(name): j for j, name in enumerate(access.permissions)}
    ids = [name for name, held in existing.contents.items() if held and all(p in number for p in held)]
    rows = [k for k, name in enumerate(ids) for _ in existing.contents[name]]
    columns = [number[p] for name in ids for p in existing.contents[name]]
    shape = (len(ids), len(access.permissions))
    return ids, from_pairs(np.array(rows, np.int64), np.array(columns, np.int64), shape)


def serving(access: Access, existing: Existing) -> Kept:
    """Existing roles whose permissions are all there and all held by somebody."""
    ids, sets = possible(access, existing)
    fits = np.flatnonzero(covers(access.bits, Bits.of(sets)).any(axis=0))
    ids = [ids[k] for k in fits]
    return Kept(ids, structure(sets[fits]), np.array([name in existing.must for name in ids], bool))


def candidates(request: Request, kept: Kept, existing: Existing, change_cost: float) -> Pool:
    """Existing roles, then those of covers with and without them; or all roles, where these are few."""
    access, budget = request.access, request.budget
    beside = new_roles(access, kept, budget.part(0.5), request.seed)
    alone = Cover(beside.roles[:0], 0)
    if change_cost < 1:
        alone = minimum_cover(access.matrix, budget.part(0.5), seed=request.seed)
    few = sum(access.matrix.shape) <= MOST_NAMES
    every = maximal_rectangles(access.matrix, MOST_CANDIDATES, budget) if few else None
    more = [cover.roles.toarray() for cover in (beside, alone)] if every is None else [every[1].dense()]
    refused = rejected_sets(access, existing)
    sets = without(np.vstack([kept.sets.toarray(), *more]), len(kept.ids), {row.tobytes() for row in refused})
    if len(refused):
        sets = np.vstack([sets, instead(access, sets, refused, budget)])
    return Pool(sets, every is not None and not existing.rejected, int(beside.lower_bound), int(alone.lower_bound))


def new_roles(access: Access, kept: Kept, budget: Budget, seed: int) -> Cover:
    """The fewest roles beside all existing ones; only users whom those do not serve in full need any."""
    left = residual(access.bits, product(covers(access.bits, Bits.of(kept.sets)), Bits.of(kept.sets)))
    open_ = np.flatnonzero(left.counts() > 0)
    if not open_.size:
        return Cover(sp.csr_array((0, len(access.permissions)), dtype=bool), 0)
    return minimum_cover(access.matrix[open_], budget, keep=kept.sets if kept.ids else None, seed=seed)


def rejected_sets(access: Access, existing: Existing) -> np.ndarray:
    """Rejected roles over the permissions of today, those that can be."""
    number = {as_text(name): j for j, name in enumerate(access.permissions)}
    possible = [one for one in existing.rejected if all(name in number for name in one)]
    found = np.zeros((len(possible), len(number)), bool)
    for row, one in zip(found, possible):
        row[[number[name] for name in one]] = True
    return found


def without(sets: np.ndarray, n_kept: int, rejected: set[bytes]) -> np.ndarray:
    """The pool with every set once and no rejected one; existing roles stay as they are."""
    seen, order = set(rejected), []
    for k, row in enumerate(sets):
        key = row.tobytes()
        if k < n_kept or key not in seen:
            order.append(k)
        seen.add(key)
    return sets[order]


def answer(request: Request, kept: Kept, pool: Pool, picked: Picked, existing: Existing, change_cost: float) -> Roles:
    access, n_kept = request.access, len(kept.ids)
    chosen = np.flatnonzero(picked.chosen)
    roles = structure(pool.sets[chosen].reshape(chosen.size, len(access.permissions)))
    ids = [kept.ids[r] if r < n_kept else f"new {r}" for r in chosen]
    users = assign_again(access, roles, ids, existing.held, request.budget)
    direct = residual(access.bits, product(users, Bits.of(roles))).sparse()
    value = chosen.size + change_cost * (len(existing.contents) - int((chosen < n_kept).sum()))
    gone = len(existing.contents) - n_kept
    bound = value if picked.proven and pool.complete else bound_of(kept, pool, change_cost, gone)
    return Roles(
        access=access, names=ids, role_permissions=roles, user_roles=users, direct=direct, value=float(value),
        lower_bound=float(min(bound, value)), what="roles and changes", interrupted=request.budget.interrupted,
        singles_proven=not direct.nnz,
    )  # fmt: skip


def bound_of(kept: Kept, pool: Pool, change_cost: float, gone: int) -> float:
    """The bound above; existing roles that fit nobody are given up in any case."""
    k, must, c = len(kept.ids), int(kept.must.sum()), min(change_cost, 1.0)
    if change_cost > 1:
        return k + pool.least_new + change_cost * gone
    return change_cost * gone + c * k + pool.least_new + (1.0 - c) * max(must, pool.least - pool.least_new, 0)
