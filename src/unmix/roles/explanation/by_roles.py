"""Evidence from all who hold a role: for data with many roles, and for users whose roles nobody else has all of.

Of the M holders of role r, c have permission j though no role of theirs gives it: noise, or a habit of the role
(habit.py). An entry counts for the role of its user in which it is most common; users without a role are one group.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import structure
from unmix.roles.explanation.evidence import Evidence, by_peers, entries_at, given_by, minus
from unmix.roles.explanation.habit import learn_habits, surest
from unmix.roles.problem.result import Roles


def by_roles(found: Roles) -> tuple[Evidence, Evidence]:
    """Evidence for ones that no role gives, and for zeros that one gives."""
    return by_holders(found, found.user_roles, found.given)


def by_holders(found: Roles, user_roles: sp.csr_array, given: sp.csr_array) -> tuple[Evidence, Evidence]:
    X = found.access.matrix
    held, roles = with_no_role(user_roles, found.role_permissions)
    return (
        role_evidence(minus(X, given), held, roles, True),
        role_evidence(minus(given, X), held, roles, False),
    )


def by_peers_or_holders(found: Roles, shared: sp.csr_array) -> tuple[Evidence, Evidence]:
    """Evidence from users with the same shared roles; of users without any such, from all holders of one of theirs."""
    holders = by_holders(found, shared, given_by(found, shared))
    sides = [joined(peers, other) for peers, other in zip(by_peers(found, shared), holders)]
    return sides[0], sides[1]


def joined(peers: Evidence, holders: Evidence) -> Evidence:
    """The first where there is a peer, else the second; both are of the same entries."""
    member: Any = sp.hstack([peers.member, holders.member], format="csr")
    other = holders._replace(group=holders.group + peers.member.shape[1])
    names: Any = Evidence._fields[:7]  # all but ``member``
    columns = {name: np.where(peers.peers > 0, getattr(peers, name), getattr(other, name)) for name in names}
    return peers._replace(member=sp.csr_array(member), **columns)


def with_no_role(held: sp.csr_array, roles: sp.csr_array) -> tuple[sp.csr_array, sp.csr_array]:
    """Assignments and roles with one more, which grants nothing and is held by the users without a role."""
    nobody = (np.diff(held.indptr) == 0).astype(np.int8)
    more: Any = sp.hstack([held.astype(np.int8), sp.csr_array(nobody[:, None])], format="csr")
    starts = np.append(roles.indptr, roles.indptr[-1])
    shape = (roles.shape[0] + 1, roles.shape[1])
    return structure(more), structure(sp.csr_array((roles.data, roles.indices, starts), shape=shape))


def role_evidence(entries: sp.csr_array, held: sp.csr_array, roles: sp.csr_array, ones: bool) -> Evidence:
    """What holders of the same role say of ``entries``: ones that no role gives, or zeros that one gives."""
    users, permissions = sp.coo_array(entries).coords
    holders = np.bincount(held.indices, minlength=held.shape[1])
    entry, role = pairs(users, held)
    if not ones:
        granting = entries_at(roles.astype(np.float64), role, permissions[entry]) > 0
        entry, role = entry[granting], role[granting]
    counts = sp.csr_array(held.T.astype(np.float64) @ entries.astype(np.float64))
    own = most_common(entry, role, entries_at(counts, role, permissions[entry]), holders)
    counts = sp.csr_array((np.ones(len(own)), (own, permissions)), shape=roles.shape)
    alike, size = entries_at(counts, own, permissions), holders[own]
    habits = learn_habits(*cells(counts, holders, roles, ones))
    wrong = np.minimum(habits.wrong(alike + habits.rate, size + 1.0), surest(size - 1))
    peers, having = size - 1, (alike - 1).astype(int)
    some = (own < held.shape[1] - 1).astype(int)
    return Evidence(users, permissions, wrong, peers, having if ones else peers - having, some, own, held)


def most_common(entry: np.ndarray, role: np.ndarray, alike: np.ndarray, holders: np.ndarray) -> np.ndarray:
    """Of each entry the role of the user in which most others are alike: a habit of one role is none of the others."""
    share = (alike - 1) / holders[role]
    order = np.lexsort((holders[role], -share.round(9), entry))
    return role[order[np.unique(entry[order], return_index=True)[1]]]


def pairs(users: np.ndarray, held: sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Entries and the roles of their users, one line a role."""
    number = np.diff(held.indptr)[users]
    entry = np.repeat(np.arange(len(users)), number)
    inside = np.arange(len(entry)) - np.repeat(np.cumsum(number) - number, number)
    return entry, held.indices[np.repeat(held.indptr[users], number) + inside]


def cells(counts: sp.csr_array, holders: np.ndarray, roles: sp.csr_array, ones: bool) -> Any:
    """Of all cells (role, permission) where such entries can be: how many there are of how many users, how often."""
    inside = np.diff(roles.indptr)
    room = roles.shape[1] - inside if ones else inside
    stored = np.diff(counts.indptr)
    users = np.concatenate([np.repeat(holders, stored), holders]).astype(float)
    return (
        np.append(counts.data, np.zeros(len(holders))),
        users,
        np.append(np.ones(counts.nnz), np.maximum(room - stored, 0)),
    )
