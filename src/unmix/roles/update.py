"""A day's changes applied to mined roles in little time: only users whose grants changed are looked at again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from unmix.roles.access.access import Access, Name
from unmix.roles.access.bits import Bits, structure
from unmix.roles.mine import mine
from unmix.roles.problem.result import Roles

SECONDS = 10.0  # a day's changes rarely need one


def update(
    found: Roles,
    added: Iterable[tuple[Name, Name]] = (),
    removed: Iterable[tuple[Name, Name]] = (),
    *,
    decisions: Any = None,
    time_limit: float | None = SECONDS,
) -> Roles:
    """Roles after some grants came and others went.

    Parameters
    ----------
    found : Roles
        From :func:`mine` or an earlier update.
    added, removed : pairs of user and permission
        New users and permissions come with their first grant; who loses the last one leaves.
    decisions : Decisions or path, optional
        See :func:`mine`.
    time_limit : float, optional
        Seconds, 10 by default; None for as long as a proof takes.

    Returns
    -------
    Roles
        For a cover what ``mine(changed access, keep=found)`` gives: as few new roles as possible beside those that
        exist. For inferred roles the roles stay, and users whose grants changed get those that fit them best; mine
        anew now and then, for new roles are not looked for.

    Examples
    --------
    >>> from unmix.roles import mine, update
    >>> found = mine([("ann", "mail"), ("ann", "crm"), ("bob", "mail"), ("bob", "crm"), ("eve", "payroll")])
    >>> later = update(found, added=[("joe", "mail"), ("joe", "crm")], removed=[("eve", "payroll")])
    >>> later.assignments, later.retired
    ({'ann': frozenset({'R01'}), 'bob': frozenset({'R01'}), 'joe': frozenset({'R01'})}, ('R02',))
    """
    access, changed = changed_access(found.access, added, removed)
    if not found.deviating:
        return mine(access, keep=found, decisions=decisions, time_limit=time_limit)
    return reassigned(found, access, changed)


def changed_access(
    access: Access, added: Iterable[tuple[Name, Name]], removed: Iterable[tuple[Name, Name]]
) -> tuple[Access, set[Name]]:
    """The access after the changes, and the users they touch; users and permissions keep their order."""
    new, old = list(dict.fromkeys(added)), set(removed)
    grants = dict.fromkeys(access.pairs())
    for pair in old:
        if pair not in grants:
            raise ValueError(f"removed names the grant {pair!r}, which nobody has; give pairs (user, permission).")
    had = {user for user, _ in grants}
    pairs = [pair for pair in grants if pair not in old] + [pair for pair in new if pair not in grants]
    left = {user for user, _ in pairs}
    found = Access.of_pairs(pairs)
    users = [user for user in access.users if user in left or user not in had]
    users += [user for user in found.users if user not in access.user_number]
    permissions = access.permissions + [p for p in found.permissions if p not in access.permission_number]
    row, column = ({name: k for k, name in enumerate(names)} for names in (users, permissions))
    matrix = np.zeros((2, len(pairs)), np.int64)
    for k, (user, permission) in enumerate(pairs):
        matrix[:, k] = row[user], column[permission]
    from unmix.roles.access.bits import from_pairs

    after = Access(
        users, permissions, from_pairs(matrix[0], matrix[1], (len(users), len(permissions))),
        user_attributes=access.user_attributes, permission_attributes=access.permission_attributes,
        problems=access.problems,
    )  # fmt: skip
    return after, {user for user, _ in [*new, *old]}


def reassigned(found: Roles, access: Access, changed: set[Name]) -> Roles:
    """The same roles; users touched by a change get those that leave fewest entries deviating, taken one by one."""
    roles = np.zeros((len(found.names), len(access.permissions)), bool)
    roles[:, : len(found.access.permissions)] = found.role_permissions.toarray()
    users = np.zeros((len(access.users), len(roles)), bool)
    old = found.user_roles.toarray()
    for u, user in enumerate(access.users):
        before = found.access.user_number.get(user)
        if before is not None and user not in changed:
            users[u] = old[before]
        else:
            users[u] = best_roles(access.matrix[[u]].toarray()[0], roles)
    given = Bits.of(structure(users.astype(np.int64) @ roles.astype(np.int64)))
    return Roles(
        access=access, names=list(found.names), role_permissions=structure(roles), user_roles=structure(users),
        direct=structure(np.zeros(access.matrix.shape, bool)),
        value=float(np.bitwise_count(given.words ^ access.bits.words).sum()), lower_bound=0.0, what="deviations",
        deviating=True, retired=found.retired,
    )  # fmt: skip


def best_roles(held: np.ndarray, roles: np.ndarray) -> np.ndarray:
    """Greedily the role that mends most entries, as long as it mends more than it spoils."""
    chosen, given = np.zeros(len(roles), bool), np.zeros_like(held)
    while len(roles):
        new = roles & ~given
        gain = (new & held).sum(axis=1) - (new & ~held).sum(axis=1)
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        chosen[best] = True
        given |= roles[best]
    return chosen
