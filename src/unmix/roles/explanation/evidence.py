"""What users with the same shared roles, or a fitted model, say of entries that roles do not explain.

P(wrong | x_ij = 1, no shared role of i grants j) is that of error against habit (habit.py) given how many users with
the same shared roles have it; the rate of such ones of the same permission over all other users counts as one more
peer. Where a probabilistic model was fitted, its own probabilities are used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, product, structure
from unmix.roles.access.distinct import same_rows
from unmix.roles.explanation.habit import learn_habits, surest
from unmix.roles.explanation.improbable import improbable_grants, missing_grants
from unmix.roles.problem.result import Roles


class Evidence(NamedTuple):
    """Probability of being wrong, peers, peers who have it, roles, for entries (users, permissions).

    Peers are the users with the same ``group``, a column of ``member`` (users, groups).
    """

    users: np.ndarray
    permissions: np.ndarray
    probability: np.ndarray
    peers: np.ndarray
    having: np.ndarray
    n_roles: np.ndarray
    group: np.ndarray
    member: sp.csr_array


def given_by(found: Roles, user_roles: sp.csr_array) -> sp.csr_array:
    return product(user_roles, Bits.of(found.role_permissions)).sparse()


def minus(first: Any, second: Any) -> sp.csr_array:
    return structure((first.astype(np.int8) - second.astype(np.int8)) > 0)


def by_peers(found: Roles, shared: sp.csr_array) -> tuple[Evidence, Evidence]:
    """Evidence for ones that no shared role gives, and for zeros that one gives."""
    X, given = found.access.matrix, given_by(found, shared)
    keys = [shared.indices[shared.indptr[i] : shared.indptr[i + 1]].tobytes() for i in range(shared.shape[0])]
    numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    group = np.array([numbers[key] for key in keys], dtype=np.intp)
    n_roles = np.diff(shared.indptr)
    return (
        evidence(minus(X, given), group, given, n_roles, True),
        evidence(minus(given, X), group, given, n_roles, False),
    )


def evidence(
    entries: sp.csr_array, group: np.ndarray, given: sp.csr_array, n_roles: np.ndarray, ones: bool
) -> Evidence:
    """What peers say of ``entries``: ones outside what is ``given``, or zeros inside."""
    n, d = given.shape
    users, permissions = sp.coo_array(entries).coords
    peers = np.bincount(group)[group[users]] - 1
    member = sp.csr_array((np.ones(n), (group, np.arange(n))), shape=(group.max() + 1, n))
    counts = sp.csr_array(member @ entries.astype(float))
    alike = entries_at(counts, group[users], permissions) - 1
    inside = np.bincount(given.indices, minlength=d)
    room = n - inside if ones else inside  # entries of each permission that could be like these
    habits = learn_habits(*cells(counts, group, given, ones))
    overall = (np.bincount(permissions, minlength=d) - 1 + habits.rate)[permissions] / room[permissions]
    probability = np.minimum(habits.wrong(alike + 1 + overall, peers + 2.0), surest(peers))
    having = alike if ones else peers - alike
    belongs = sp.csr_array(member.T)
    return Evidence(users, permissions, probability, peers, having.astype(int), n_roles[users], group[users], belongs)


def cells(
    counts: sp.csr_array, group: np.ndarray, given: sp.csr_array, ones: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of all cells (group, permission) where such entries can be: how many there are of how many users, how often."""
    size = np.bincount(group)
    _, first = np.unique(group, return_index=True)
    inside = np.diff(given.indptr)[first]  # the same for all users of a group
    room = given.shape[1] - inside if ones else inside
    stored = np.diff(counts.indptr)
    users = np.concatenate([np.repeat(size, stored), size]).astype(float)
    count = np.append(np.ones(counts.nnz), room - stored)
    alike = np.append(counts.data, np.zeros(len(size)))
    if not ones:  # what none of a group has, its role should not give: that says nothing of habits
        count[alike == users] = 0.0
    return alike, users, count


def entries_at(counts: sp.csr_array, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Entries of a sparse matrix, 0 where it stores none."""
    stored = sp.coo_array(counts.sorted_indices())
    width = counts.shape[1]
    keys, asked = stored.coords[0].astype(np.int64) * width + stored.coords[1], rows.astype(np.int64) * width + columns
    place = np.minimum(np.searchsorted(keys, asked), max(0, keys.size - 1))
    return np.where(keys[place] == asked, stored.data[place], 0) if keys.size else np.zeros(len(asked))


def by_model(found: Any) -> tuple[Evidence, Evidence]:
    """The same from a fitted model, by its own probabilities."""
    X = sp.csr_array(found.access.matrix, dtype=np.float64)
    group = same_rows(found.user_roles)
    group = np.where(group < 0, group.max(initial=-1) + 1, group)
    member = sp.csr_array(
        (np.ones(len(group)), (np.arange(len(group)), group)), shape=(len(group), int(group.max()) + 1)
    )
    sides = []
    for entries in (improbable_grants(found.model, X), missing_grants(found.model, X)):
        columns = [
            np.array([getattr(entry, name) for entry in entries])
            for name in ("user", "permission", "probability", "peers", "having", "n_roles")
        ]
        typed: Any = [c.astype(float if k == 2 else int) for k, c in enumerate(columns)]
        users, permissions, probability, peers, having, n_roles = typed
        sides.append(Evidence(users, permissions, probability, peers, having, n_roles, group[users], member))
    return sides[0], sides[1]
