"""Mining when roles exist: what was accepted stays, what was rejected does not come back, ids and names stay theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, product, residual, structure
from unmix.roles.access.permission import as_text
from unmix.roles.continuation.cover import cover_again, serving
from unmix.roles.continuation.existing import Existing
from unmix.roles.continuation.numbering import numbered
from unmix.roles.mine_one import Asked, mine_one, request_of
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.result import Roles


def mine_again(access: Access, asked: Asked, budget: Budget, existing: Existing, change_cost: float) -> Roles:
    """Roles that continue existing ones."""
    if not change_cost >= 0:
        raise ValueError(f"change_cost is {change_cost!r}; it must be a number of at least 0.")
    if asked.problem in ("auto", "infer"):  # inference takes no roles as given; what it finds keeps the ids
        return continued(mine_one(access, asked, budget), existing)
    if asked.problem == "cover" and asked.plain and not asked.options and asked.max_permissions is None:
        return continued(cover_again(request_of(access, asked, budget), existing, change_cost), existing)
    found = with_kept(access, existing, lambda sets: mine_one(access, asked._replace(keep=sets), budget))
    return continued(found, existing)


def continued(found: Roles, existing: Existing) -> Roles:
    """An answer without what was rejected, under the ids and names that roles had."""
    return numbered(without_rejected(found, existing.rejected), existing)


def with_kept(access: Access, existing: Existing, solve: Callable[[dict[str, Any]], Roles]) -> Roles:
    """The answer of a solver that keeps roles as they are; those that got no user and were not accepted go."""
    kept = serving(access, existing)
    sets = {name: held for name, held in existing.contents.items() if name in set(kept.ids)}
    found = solve(sets)
    users = np.bincount(found.user_roles.indices, minlength=len(found.names))
    fine = [k for k, name in enumerate(found.names) if users[k] or name in existing.must or name not in sets]
    if len(fine) == len(found.names):
        return found
    lower = found.lower_bound if found.what != "roles" else min(found.lower_bound, len(fine))
    return replace(
        found,
        names=[found.names[k] for k in fine],
        role_permissions=structure(found.role_permissions[fine]),
        user_roles=structure(found.user_roles[:, fine]),
        inherits=None,
        value=float(len(fine)) if found.what == "roles" else found.value,
        lower_bound=lower,
    )


def without_rejected(found: Roles, rejected: tuple[frozenset[str], ...]) -> Roles:
    """Roles with a rejected set of permissions go; what users had only from them stays as single grants."""
    sets = [frozenset(map(as_text, held)) for held in found.roles.values()]
    fine = [k for k, held in enumerate(sets) if held not in set(rejected)]
    if len(fine) == len(sets):
        return found
    roles, users = structure(found.role_permissions[fine]), structure(found.user_roles[:, fine])
    had = Bits(Bits.of(found.given).words & found.access.bits.words, found.access.bits.width)
    single = residual(had, product(users, Bits.of(roles)))
    direct = structure(found.direct.astype(np.int8) + single.sparse().astype(np.int8))
    left = replace(
        found, names=[found.names[k] for k in fine], role_permissions=roles, user_roles=users, direct=direct,
        inherits=None, value=float(len(fine)) if found.what == "roles" else found.value, singles_proven=False,
    )  # fmt: skip
    if not found.deviating:
        return left
    return replace(left, value=float(sum(grant.kind != "direct" for grant in left.exceptions)))
