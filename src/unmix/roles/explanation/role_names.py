"""Names for roles: an attribute its users share and others do not, and what its permissions have in common.

An attribute value v describes a role with users U when nearly all of U have it and few others do: its F score
2 |U ∩ v| / (|U| + |v|) is the mean of both wishes.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from unmix.roles.access.access import Access, row
from unmix.roles.access.folder import NUMBERED_NAME
from unmix.roles.access.permission import as_text
from unmix.roles.problem.result import Roles

SHARED = 0.8  # of the users of a role have a value that describes it
LEAST_LIFT = 1.5  # and this many times more often than all users
NEARLY_EVERYBODY = 0.95
LONGEST_NAME = 48


class Trait(NamedTuple):
    """An attribute value, the share of the role's users with it, and the share of all users."""

    attribute: str
    value: str
    share: float
    overall: float


def traits(found: Roles, most: int = 3) -> dict[str, list[Trait]]:
    """What the users of each role have in common, the best description first."""
    held, rows = value_counts(found.access, None), {}
    transposed = found.user_roles.T.tocsr()
    known = sum(1 for user in found.access.users if user in found.access.user_attributes)
    for k, name in enumerate(found.names):
        users = [found.access.users[i] for i in row(transposed, k)]
        own, n = value_counts(found.access, users), len(users)
        scored = []
        for (attribute, value), count in own.items():
            share, overall = count / n, held[attribute, value] / known
            if share >= SHARED and share >= LEAST_LIFT * overall and n > 1:
                score = 2 * count / (n + held[attribute, value])
                scored.append((-score, attribute, value, share, overall))
        rows[name] = [Trait(*entry[1:]) for entry in sorted(scored)[:most]]
    return rows


def value_counts(access: Access, users: list[Any] | None) -> Counter[tuple[str, str]]:
    """How many of the users have each attribute value."""
    counted: Counter[tuple[str, str]] = Counter()
    for user in access.users if users is None else users:
        for attribute, value in access.user_attributes.get(user, {}).items():
            if value is not None and str(value).strip():
                counted[attribute, str(value)] += 1
    return counted


def dominant_permission(found: Roles, k: int) -> str:
    """What all permissions of a role begin with, or else the rarest of them; what everybody has tells nothing."""
    held = row(found.role_permissions, k)
    holders = np.diff(found.access.transposed.indptr)
    telling = held[holders[held] < NEARLY_EVERYBODY * len(found.access.users)]
    telling = telling if telling.size else held
    if not telling.size:
        return "no permissions"
    start = common_start([as_text(found.access.permissions[j]) for j in telling])
    if start:
        return start
    first = as_text(found.access.permissions[telling[np.argmin(holders[telling])]])
    return first if held.size == 1 else f"{first} and {held.size - 1} more"


def common_start(words: list[str]) -> str:
    """The common beginning of names up to a separator.

    >>> common_start(["mail:read", "mail:send"]), common_start(["mail", "map"])
    ('mail', '')
    """
    if len(words) < 2:
        return ""
    low, high = min(words), max(words)
    n = next((i for i, (a, b) in enumerate(zip(low, high)) if a != b), min(len(low), len(high)))
    match = re.match(r"(.*\w)[^\w]+", low[:n])
    return match[1] if match else ""


def name_roles(found: Roles) -> Roles:
    """The same roles with numbered names made telling: "R03" becomes "R03 Sales: crm"; given names stay.

    Examples
    --------
    >>> from unmix.roles import mine, name_roles
    >>> name_roles(mine([("ann", "mail:read"), ("ann", "mail:send"), ("bob", "mail:read"), ("bob", "mail:send")])).names
    ['R01 everybody: mail']
    """
    described = traits(found)
    active = max(1, int((np.diff(found.access.matrix.indptr) > 0).sum()))
    users = np.diff(found.user_roles.T.tocsr().indptr)
    names = []
    for k, name in enumerate(found.names):
        if not NUMBERED_NAME.match(name):
            names.append(name)
            continue
        who = described[name][0].value if described[name] else ""
        if active > 1 and users[k] >= NEARLY_EVERYBODY * active:
            who = "everybody"
        what = dominant_permission(found, k)
        label = f"{who}: {what}" if who else what
        names.append(f"{name} {label if len(label) <= LONGEST_NAME else label[: LONGEST_NAME - 1] + '…'}")
    return replace(found, names=names)
