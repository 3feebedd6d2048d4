"""Birthright by attribute: what nearly everybody with some department, site or title has, and others do not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import bdtrc

from unmix.roles.access.access import Access, Name
from unmix.roles.description.conditions import Condition, Conditions, conditions_of

LEAST_USERS = 5
LEAST_LIFT = 1.5  # times more often than among all others
FALSE_FINDS = 0.01  # expected by chance among all conditions and permissions together
EVERYBODY = 0.95  # of all users: that is birthright without a condition


class AttributeBirthright(NamedTuple):
    """A permission of ``holders`` among the ``users`` who meet a condition, and of the share ``others`` of the rest."""

    condition: Condition
    permission: Name
    users: int
    holders: int
    others: float


def attribute_birthright(access: Access, share: float = 0.95) -> list[AttributeBirthright]:
    """Permissions of at least ``share`` of the users with an attribute value, or two, that others have less often.

    At least five users must meet the condition, and chance must hardly bring so many of them together, whatever the
    permission and the condition (a binomial tail with the rate of the others, for all that were looked at). Of a value
    and a pair of values that holds it, the value alone is listed. Those of most users come first.

    Examples
    --------
    >>> who = {f"u{i}": {"team": "ab"[i % 2]} for i in range(40)}
    >>> pairs = [(user, "mail") for user in who] + [(f"u{i}", "ledger") for i in range(0, 40, 2)]
    >>> attribute_birthright(Access.of_pairs(pairs, user_attributes=who))
    [AttributeBirthright(condition=(('team', 'a'),), permission='ledger', users=20, holders=20, others=0.0)]
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share!r}; give a share of the users above 0 and at most 1.")
    conditions = conditions_of(access)
    condition, permission, both = candidates(access, conditions, share)
    size, n = conditions.users, len(access.users)
    held = np.bincount(access.matrix.indices, minlength=len(access.permissions))
    found = [
        AttributeBirthright(
            conditions.names[c], access.permissions[j], int(size[c]), int(b), float((held[j] - b) / (n - size[c]))
        )
        for c, j, b in zip(condition.tolist(), permission.tolist(), both.astype(int).tolist())
    ]
    known = {(entry.condition[0], entry.permission) for entry in found if len(entry.condition) == 1}
    found = [e for e in found if len(e.condition) == 1 or not any((one, e.permission) in known for one in e.condition)]
    return sorted(found, key=lambda entry: (-entry.holders, entry.condition, str(entry.permission)))


def candidates(access: Access, conditions: Conditions, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Conditions and permissions that pass, and how many users have both."""
    n, size = len(access.users), conditions.users
    counts = coo_array(csr_array(conditions.meets.T) @ access.matrix.astype(np.float64))
    coordinates: list[np.ndarray] = [np.asarray(some) for some in counts.coords]
    condition, permission, both = coordinates[0], coordinates[1], np.asarray(counts.data)
    held = np.bincount(access.matrix.indices, minlength=len(access.permissions))[permission]
    size = size[condition]
    fine = (both >= share * size) & (size >= LEAST_USERS) & (held < EVERYBODY * n)
    condition, permission, both = condition[fine], permission[fine], both[fine]
    held, size = held[fine], size[fine]
    others = (held - both + 0.5) / (n - size + 1)
    chance = bdtrc(both - 1, size, np.minimum(others, 1.0))
    fine = (both / size >= LEAST_LIFT * others) & (chance * max(counts.nnz, 1) <= FALSE_FINDS)
    return condition[fine], permission[fine], both[fine]
