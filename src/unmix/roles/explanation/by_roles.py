"""Evidence from all who hold a role, beside that of users with the same roles: for data with many roles.

Of the M holders of role r for whom no role grants permission j, c have it: errors, or a habit of the role (habit.py).
An entry that is more probably a habit of one role of its user than an error counts for that role alone, any other for
all of them. What counts for another role is no room for errors of this one. Users without a role are one group.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import structure
from unmix.roles.explanation.evidence import Evidence, by_peers, entries_at, given_by, minus
from unmix.roles.explanation.habit import learn_habits, surest
from unmix.roles.problem.result import Roles

EVEN = 0.5  # less probably wrong than this, an entry is a habit


def by_roles(found: Roles) -> tuple[Evidence, Evidence]:
    """Evidence for ones that no role gives, and for zeros that one gives."""
    return by_peers_and_holders(found, found.user_roles, found.given)


def by_shared_roles(found: Roles, shared: sp.csr_array) -> tuple[Evidence, Evidence]:
    """The same for the roles that are shared."""
    return by_peers_and_holders(found, shared, given_by(found, shared))


def by_peers_and_holders(found: Roles, user_roles: sp.csr_array, given: sp.csr_array) -> tuple[Evidence, Evidence]:
    """Of users with the same roles, where there are some, and of all holders of one, what makes an error less sure."""
    sides = [
        joined(peers, holders, (peers.peers > 0) & (peers.probability < holders.probability))
        for peers, holders in zip(by_peers(found, user_roles), by_holders(found, user_roles, given))
    ]
    return sides[0], sides[1]


def by_holders(found: Roles, user_roles: sp.csr_array, given: sp.csr_array) -> tuple[Evidence, Evidence]:
    X = found.access.matrix
    held, roles = with_no_role(user_roles, found.role_permissions)
    return (
        role_evidence(minus(X, given), held, roles, given),
        role_evidence(minus(given, X), held, roles, None),
    )


def joined(peers: Evidence, holders: Evidence, first: np.ndarray) -> Evidence:
    """The first where ``first``, else the second; both are of the same entries."""
    member: Any = sp.hstack([peers.member, holders.member], format="csr")
    other = holders._replace(group=holders.group + peers.member.shape[1])
    names: Any = Evidence._fields[:7]  # all but ``member``
    columns = {name: np.where(first, getattr(peers, name), getattr(other, name)) for name in names}
    return peers._replace(member=sp.csr_array(member), **columns)


def with_no_role(held: sp.csr_array, roles: sp.csr_array) -> tuple[sp.csr_array, sp.csr_array]:
    """Assignments and roles with one more, which grants nothing and is held by the users without a role."""
    nobody = (np.diff(held.indptr) == 0).astype(np.int8)
    more: Any = sp.hstack([held.astype(np.int8), sp.csr_array(nobody[:, None])], format="csr")
    starts = np.append(roles.indptr, roles.indptr[-1])
    shape = (roles.shape[0] + 1, roles.shape[1])
    return structure(more), structure(sp.csr_array((roles.data, roles.indices, starts), shape=shape))


def role_evidence(
    entries: sp.csr_array, held: sp.csr_array, roles: sp.csr_array, given: sp.csr_array | None
) -> Evidence:
    """What holders of a role say of ``entries``: ones outside what is ``given``, or without it zeros inside."""
    users, permissions = sp.coo_array(entries).coords
    entry, role = pairs(users, held)
    ones = given is not None
    if not ones:
        granting = entries_at(roles.astype(np.float64), role, permissions[entry]) > 0
        entry, role = entry[granting], role[granting]
    space = Space.of(held, roles, given)
    # At first every entry counts for all roles of its user, then a habit for its own role alone.
    alike, size, wrong = evidence_of_entries(space, role, permissions[entry], np.full(len(entry), True))
    first = least(entry, wrong, size)
    habit = np.isin(entry, entry[first][wrong[first] < EVEN])
    own = np.isin(np.arange(len(entry)), first)
    alike, size, wrong = evidence_of_entries(space, role, permissions[entry], own | ~habit)
    first = least(entry, np.where(own | ~habit, wrong, np.inf), size)
    peers, having, role = (size[first] - 1).astype(int), (alike[first] - 1).astype(int), role[first]
    some = (role < held.shape[1] - 1).astype(int)
    sure = np.minimum(wrong[first], surest(peers))
    return Evidence(users, permissions, sure, peers, having if ones else peers - having, some, role, held)


class Space(NamedTuple):
    """Of each role its holders and its cells, and of each cell the holders for whom it is something else."""

    holders: np.ndarray
    cells: np.ndarray
    given: sp.csr_array

    @classmethod
    def of(cls, held: sp.csr_array, roles: sp.csr_array, given: sp.csr_array | None) -> Space:
        holders = np.bincount(held.indices, minlength=held.shape[1])
        if given is None:
            return cls(holders, np.diff(roles.indptr), sp.csr_array(roles.shape))
        granted = sp.csr_array(held.T.astype(np.float64) @ given.astype(np.float64))
        return cls(holders, np.full(len(holders), roles.shape[1]), granted)


def evidence_of_entries(
    space: Space, role: np.ndarray, permission: np.ndarray, counted: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each entry for each role of its user: those alike and the holders, itself among both, and P(wrong)."""
    shape = space.given.shape
    counts, away = (
        sp.csr_array((some.astype(np.float64), (role, permission)), shape=shape) for some in (counted, ~counted)
    )
    taken = sp.csr_array(space.given + away)
    habits = learn_habits(*seen(counts, space, taken))
    alike = entries_at(counts, role, permission) + ~counted
    size = space.holders[role] - entries_at(taken, role, permission) + ~counted
    return alike, size, habits.wrong(alike, size)


def least(entry: np.ndarray, wrong: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Of each entry the place with the role in which it is least probably wrong."""
    order = np.lexsort((size, wrong.round(9), entry))
    return np.asarray(order[np.unique(entry[order], return_index=True)[1]])


def pairs(users: np.ndarray, held: sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Entries and the roles of their users, one line a role."""
    number = np.diff(held.indptr)[users]
    entry = np.repeat(np.arange(len(users)), number)
    inside = np.arange(len(entry)) - np.repeat(np.cumsum(number) - number, number)
    return entry, held.indices[np.repeat(held.indptr[users], number) + inside]


def seen(counts: sp.csr_array, space: Space, taken: sp.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of all cells (role, permission) where such entries can be: how many there are of how many users, how often."""
    some: Any = structure(counts + taken).tocoo()
    role, column = some.coords
    size = space.holders[role] - entries_at(taken, role, column)
    left = np.maximum(space.cells - np.bincount(role, minlength=len(space.cells)), 0)
    room = size > 0
    return (
        np.append(entries_at(counts, role, column)[room], np.zeros(len(left))),
        np.append(size[room], space.holders).astype(float),
        np.append(np.ones(int(room.sum())), left),
    )
