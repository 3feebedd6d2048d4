"""Exceptions in words: grants outside the roles or improbable under them, likely missing ones, users who fit no role.

How probably an entry is wrong is said by users with the same roles (evidence.py) and by all holders of one of them
(by_roles.py), or by a fitted model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.access import Name, row
from unmix.roles.access.bits import structure
from unmix.roles.explanation.birthright import Birthright, birthright
from unmix.roles.explanation.by_roles import by_roles, by_shared_roles
from unmix.roles.explanation.evidence import Evidence, by_model, given_by, minus
from unmix.roles.explanation.improbable import reason
from unmix.roles.explanation.proposals import Proposal, proposals
from unmix.roles.explanation.role_names import Trait, traits
from unmix.roles.explanation.shared_roles import shared_roles
from unmix.roles.meaning.birthright import AttributeBirthright, attribute_birthright
from unmix.roles.meaning.misfits import AttributeMisfit, attribute_misfits
from unmix.roles.meaning.rules import RoleRule, role_rules
from unmix.roles.problem.result import Roles

COVERED = "a shared role covers it; the cheapest description gives it singly"
LEAST_PROBABILITY = 0.5  # a grant that roles explain is listed only if it is more probably wrong than right
Entry = tuple[int, int, str, float, int, int, int, list[int]]
MOST_NAMED = 3  # peers that are named
MOST_LOOKED_AT = 50  # peers, until so many differ
LEAST_EXPLAINED = 0.5  # of a user's grants are explained by shared roles: fewer, and the user fits no role


class Exceptional(NamedTuple):
    """One entry to look at.

    ``kind``: "direct" is held and stays a single grant beside the roles; "lost" is held but not given by the roles;
    "gained" is given by the roles but not held; "improbable" is given by the roles, yet hardly anybody alike has it;
    "missing" is not held, though those alike have it. ``probability`` is that of the entry being wrong; it rests on
    ``peers`` users alike, ``having`` of whom have it; ``such_as`` are the first of them who differ in it from the user.
    """

    user: Name
    permission: Name
    kind: str
    probability: float
    risk: float
    peers: int
    having: int
    n_roles: int
    reason: str
    such_as: tuple[Name, ...] = ()


class UserOutlier(NamedTuple):
    """A user most of whose grants come from no role that others share."""

    user: Name
    grants: int
    explained: int
    reason: str


class Explanation(NamedTuple):
    """What :func:`explain` found, each list the most important first."""

    exceptions: list[Exceptional]
    outliers: list[UserOutlier]
    birthright: list[Birthright]
    traits: dict[str, list[Trait]]
    proposals: list[Proposal]
    rules: list[RoleRule]
    attribute_birthright: list[AttributeBirthright]
    misfits: list[AttributeMisfit]


def explain(
    found: Roles,
    *,
    risk: Mapping[Any, float] | None = None,
    birthright_share: float = 0.95,
    most: int | None = 1000,
) -> Explanation:
    """Says what an auditor should look at.

    Parameters
    ----------
    found : Roles
        From :func:`mine`.
    risk : mapping of permission to number, optional
        How bad a wrong grant of it is; 1 where nothing is said. Exceptions are ranked by probability times risk.
    birthright_share : float
        Permissions of so many of the users count as everybody's.
    most : int, optional
        Of the improbable and missing entries, the first so many; those outside the roles are always all listed.

    Examples
    --------
    >>> from unmix.roles import Access, explain, mine
    >>> pairs = [(f"u{i}", p) for i in range(20) for p in ("mail", "crm", "wiki")] + [("u3", "payroll")]
    >>> worst = explain(mine(pairs)).exceptions[0]
    >>> worst.user, worst.permission, worst.reason
    ('u3', 'payroll', 'none of the 19 other users with the same role has it')
    """
    weights = risk_weights(found, risk)
    shared = shared_roles(found)
    outliers, odd = find_user_outliers(found, shared)
    held = structure(found.access.matrix)
    wrong, absent = evidence_of(found, shared)
    entries = outside_roles(found, wrong, absent, held, odd)
    exceptions = [in_words(found, entry, weights) for entry in entries]
    # among equals, the more peers agree the better
    exceptions.sort(key=lambda e: (-e.risk, disagreement(e), str(e.user), str(e.permission)))
    exceptions, access = limited(exceptions, most), found.access
    common = birthright(access, birthright_share), traits(found)
    by_attribute: tuple[Any, Any, Any] = ([], [], [])
    if access.user_attributes:
        by_attribute = role_rules(found), attribute_birthright(access, birthright_share), attribute_misfits(found)
    return Explanation(exceptions, outliers, *common, proposals(exceptions), *by_attribute)


def evidence_of(found: Any, shared: sp.csr_array) -> tuple[Evidence, Evidence]:
    """Of ones and of zeros: by the model that was fitted, or by users with the same roles and holders of one."""
    if hasattr(found, "model"):
        return by_model(found)
    return by_roles(found) if hasattr(found, "rates") else by_shared_roles(found, shared)


def disagreement(entry: Exceptional) -> float:
    """Share of peers who are like the user in this entry, with one for and one against added."""
    alike = entry.having if entry.kind in ("direct", "lost", "improbable") else entry.peers - entry.having
    return (alike + 1) / (entry.peers + 2)


def limited(exceptions: list[Exceptional], most: int | None) -> list[Exceptional]:
    """At most so many that stand outside nothing but the model's opinion."""
    kept, opinions = [], 0
    for entry in exceptions:
        opinion = entry.kind in ("improbable", "missing")
        opinions += opinion
        if not opinion or most is None or opinions <= most:
            kept.append(entry)
    return kept


def risk_weights(found: Roles, risk: Mapping[Any, float] | None) -> np.ndarray:
    weights = np.ones(len(found.access.permissions))
    for permission, weight in (risk or {}).items():
        known = found.access.find_permission(permission)
        if known is None:
            raise ValueError(f"risk names {permission!r}, which is no permission of the data.")
        if not weight >= 0:
            raise ValueError(f"The risk of {permission!r} is {weight!r}; give a number of at least 0.")
        weights[found.access.permission_number[known]] = weight
    return weights


def find_user_outliers(found: Roles, shared: sp.csr_array) -> tuple[list[UserOutlier], np.ndarray]:
    """Users most of whose grants no shared role gives, those with most such grants first, and a mask of them."""
    grants = np.diff(found.access.matrix.indptr)
    outside = np.diff(minus(found.access.matrix, given_by(found, shared)).indptr)
    explained = grants - outside
    odd = (grants > 0) & (explained < LEAST_EXPLAINED * grants)
    order = sorted(np.flatnonzero(odd), key=lambda i: (-outside[i], i))
    rows = []
    for i in order:
        words = f"{explained[i]} of {grants[i]} permissions come from roles that others share"
        if grants[i] == 1:
            words = "the one permission comes from no role that others share"
        rows.append(UserOutlier(found.access.users[i], int(grants[i]), int(explained[i]), words))
    return rows, odd


def outside_roles(found: Roles, wrong: Evidence, absent: Evidence, held: sp.csr_array, odd: np.ndarray) -> list[Entry]:
    """Everything outside the roles, with evidence where there is any, and what the evidence adds."""
    access = found.access
    words = {"direct": "direct", "missing": "lost", "extra": "gained"}
    outside = {
        (access.user_number[g.user], access.permission_number[g.permission]): words[g.kind] for g in found.exceptions
    }
    rows = []
    for side, opinion in ((wrong, "improbable"), (absent, "missing")):
        members = sp.csc_array(side.member)
        for i, j, p, peers, having, n_roles, group in zip(*(column.tolist() for column in side[:7])):
            kind = outside.pop((i, j), None)
            if kind is None and (p < LEAST_PROBABILITY or odd[i]):
                continue  # the grants of one who fits no role are told once, as that user
            group_users = members.indices[members.indptr[group] : members.indptr[group + 1]]
            rows.append((i, j, kind or opinion, p, peers, having, n_roles, unlike(held, group_users, i, j)))
    sizes = np.diff(found.user_roles.indptr)
    for (i, j), kind in outside.items():
        rows.append((i, j, kind, 0.0, -1, 0, int(sizes[i]), []))
    return rows


def unlike(held: sp.csr_array, users: np.ndarray, i: int, j: int) -> list[int]:
    """The first of these users who have the permission where user i does not, or lack it where i has it."""
    own, found = j in row(held, i), []
    for user in users[:MOST_LOOKED_AT].tolist():
        if user != i and (j in row(held, user)) != own:
            found.append(user)
            if len(found) == MOST_NAMED:
                break
    return found


def in_words(found: Roles, entry: Entry, weights: np.ndarray) -> Exceptional:
    i, j, kind, p, peers, having, n_roles, others = entry
    words = COVERED if peers < 0 else reason(peers, having, n_roles, "shared role")
    return Exceptional(
        found.access.users[i], found.access.permissions[j], kind, p, p * float(weights[j]), max(peers, 0), having,
        n_roles, words, tuple(found.access.users[user] for user in others),
    )  # fmt: skip
