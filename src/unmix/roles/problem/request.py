"""What is asked of the roles, in numbers instead of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.access import Access, Name
from unmix.roles.access.bits import from_pairs
from unmix.roles.problem.budget import Budget


class Request(NamedTuple):
    """Access, kept roles, constraints and the time there is."""

    access: Access
    names: list[str]
    keep: sp.csr_array
    forbidden: list[tuple[int, int]]
    conflicts: list[tuple[int, int]]
    min_users: int
    min_permissions: int
    max_roles_per_user: int | None
    weights: tuple[float, ...]
    budget: Budget
    seed: int

    @property
    def constrained(self) -> bool:
        limited = self.min_users > 1 or self.min_permissions > 1 or self.max_roles_per_user is not None
        return limited or bool(self.forbidden) or bool(self.conflicts)


def kept_roles(access: Access, keep: Any) -> tuple[list[str], sp.csr_array]:
    """Names and permission sets of the roles to be kept."""
    if not isinstance(keep, Mapping):
        keep = {f"kept {k + 1}": permissions for k, permissions in enumerate(keep)}
    rows, columns = [], []
    for k, (name, permissions) in enumerate(keep.items()):
        permissions = {permissions} if one_permission(access, permissions) else set(permissions)
        if not permissions:
            raise ValueError(f"The kept role {name!r} has no permissions; leave it out.")
        for permission in permissions:
            known = access.find_permission(permission)
            if known is None:
                raise ValueError(f"The kept role {name!r} holds {permission!r}, which is no permission of the data.")
            rows.append(k)
            columns.append(access.permission_number[known])
    shape = (len(keep), len(access.permissions))
    return [str(name) for name in keep], from_pairs(np.array(rows, int), np.array(columns, int), shape)


def one_permission(access: Access, permissions: Any) -> bool:
    """Whether a single permission is named where several may be: a text, or a pair (object, operation) of the data."""
    return isinstance(permissions, str) or (isinstance(permissions, tuple) and permissions in access.permission_number)


def split_forbidden(
    access: Access, forbidden: Iterable[tuple[Name, Name]], names: list[str]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs of permissions, and pairs of kept roles."""
    permissions, roles = [], []
    for pair in forbidden:
        a, b = pair
        if a == b:
            raise ValueError(f"The forbidden pair {pair!r} names the same thing twice.")
        known = [access.find_permission(name) for name in (a, b)]
        if None not in known:
            permissions.append((access.permission_number[known[0]], access.permission_number[known[1]]))
        elif a in names and b in names:
            roles.append((names.index(str(a)), names.index(str(b))))
        else:
            raise ValueError(f"The forbidden pair {pair!r} is neither two permissions of the data nor two kept roles.")
    return permissions, roles


def named(kept: list[str], count: int) -> list[str]:
    """Names of all roles: the kept ones, then numbered ones that do not clash with them."""
    found, number = list(kept), 0
    width = max(2, len(str(count)))
    while len(found) < count:
        number += 1
        name = f"R{number:0{width}d}"
        if name not in kept:
            found.append(name)
    return found
