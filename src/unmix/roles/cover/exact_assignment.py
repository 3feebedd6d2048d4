"""Which roles each user gets: few roles whose union is exactly what the user has."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, from_pairs
from unmix.roles.problem.budget import Budget

USERS_PER_TIME_CHECK = 64  # users between two looks at the time


def assign_exactly(rows: Bits, roles: Bits, budget: Budget | None = None) -> sp.csr_array:
    """UA: greedily the role that adds most, then roles that others made needless go; what is left over stays over.

    When the time is over, the other users get every role that adds something, the largest first; where the time is
    limited that is at hand from the beginning.
    """
    from unmix.roles.cover.economy_kernel import express

    n, k = rows.shape[0], roles.shape[0]
    nodes = np.vstack([np.zeros_like(rows.words[:1]), roles.words])
    live = np.ones(k + 1, bool)
    used, left = np.zeros(k, bool), np.zeros(rows.words.shape[1], np.uint64)
    soon = None if budget is None or budget.left is None else largest_first(rows, roles)
    held: list[np.ndarray] = []
    for u in range(n):
        if budget is not None and u % USERS_PER_TIME_CHECK == 0 and budget.over:
            soon = largest_first(rows, roles) if soon is None else soon
            held += np.split(soon.indices, soon.indptr[1:-1])[u:]
            break
        nodes[0] = rows.words[u]
        express(0, nodes, 1, live, -1, 1.0, 1e9, used, left)
        held.append(np.flatnonzero(used))
    users = np.repeat(np.arange(n), [some.size for some in held])
    return from_pairs(users, np.concatenate([*held, np.empty(0, np.int64)]), (n, k))


def largest_first(rows: Bits, roles: Bits) -> sp.csr_array:
    """Who gets which role when each role, by falling size, goes to all whom it fits and gives something new.

    Whom a role fits is looked for among the holders of its rarest permission, and only in the words it has ones in.

    >>> found = largest_first(Bits.of([[1, 1, 0], [1, 1, 1]]), Bits.of([[1, 0, 0], [1, 1, 0], [0, 0, 1]]))
    >>> found.toarray().tolist()
    [[False, True, False], [False, True, True]]
    """
    holders, lists, left = sp.csc_array(rows.sparse()), roles.sparse(), rows.words.copy()
    number, sizes = np.diff(holders.indptr), np.diff(lists.indptr)
    found = []
    for k in np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]:
        permissions = lists.indices[lists.indptr[k] : lists.indptr[k + 1]]
        rarest, places = permissions[number[permissions].argmin()], np.unique(permissions >> 6)
        users, role = holders.indices[holders.indptr[rarest] : holders.indptr[rarest + 1]], roles.words[k, places]
        if sizes[k] > 1:
            users = users[((rows.words[users[:, None], places] & role) == role).all(axis=1)]
        users = users[(left[users[:, None], places] & role).any(axis=1)]
        left[users[:, None], places] &= ~role
        found.append((users, np.full(users.size, k)))
    taken = np.concatenate([np.empty((2, 0), np.int64), *map(np.stack, found)], axis=1)
    return from_pairs(taken[0], taken[1], (rows.shape[0], roles.shape[0]))
