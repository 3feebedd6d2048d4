"""Mining when roles exist: what was accepted stays, what was rejected does not come back, ids and names stay theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, product, residual, structure
from unmix.roles.access.permission import as_text
from unmix.roles.continuation.cover import cover_again, possible, serving
from unmix.roles.continuation.existing import Existing
from unmix.roles.continuation.numbering import numbered
from unmix.roles.description.code_length import MOST_MISSING
from unmix.roles.description.kept import KeptRoles
from unmix.roles.mine_one import Asked, mine_noisy, mine_one, mine_what_fits, request_of
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.result import Roles


def mine_again(access: Access, asked: Asked, budget: Budget, existing: Existing, change_cost: float) -> Roles:
    """Roles that continue existing ones."""
    if not change_cost >= 0:
        raise ValueError(f"change_cost is {change_cost!r}; it must be a number of at least 0.")
    kept = described(access, existing, change_cost)
    if asked.problem == "infer":
        return continued(mine_noisy(access, asked, budget, kept), existing)
    if asked.problem == "auto":
        found = mine_what_fits(
            access, asked, budget, kept, lambda asked, part: exactly(access, asked, part, existing, change_cost)
        )
        return continued(found, existing)
    return continued(exactly(access, asked, budget, existing, change_cost), existing)


def exactly(access: Access, asked: Asked, budget: Budget, existing: Existing, change_cost: float) -> Roles:
    """Roles of a cover, or of one with few deviations, that change little."""
    if asked.problem == "cover" and asked.plain and not asked.options and asked.max_permissions is None:
        return cover_again(request_of(access, asked, budget), existing, change_cost)
    return with_kept(access, existing, lambda sets: mine_one(access, asked._replace(keep=sets), budget))


def described(access: Access, existing: Existing, change_cost: float) -> KeptRoles:
    """Existing roles that inference may continue: all of whose permissions are there, and which somebody nearly has."""
    ids, sets = possible(access, existing)
    number = sets.astype(np.float64)
    shared = (
        csr_array(access.matrix.astype(np.float64) @ number.T).max(axis=0).toarray().ravel() if ids else np.zeros(0)
    )
    demanded = np.array([name in existing.demanded for name in ids], dtype=bool)
    fine = np.flatnonzero(demanded | (shared >= (1 - MOST_MISSING) * np.diff(sets.indptr)))
    must = np.array([ids[k] in existing.must for k in fine], dtype=bool)
    return KeptRoles(csr_array(number[fine]), must, change_cost)


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
