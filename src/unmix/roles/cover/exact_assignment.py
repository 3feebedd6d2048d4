"""Which roles each user gets: few roles whose union is exactly what the user has."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, covers, structure
from unmix.roles.problem.budget import Budget

USERS_PER_TIME_CHECK = 64  # users between two looks at the time


def assign_exactly(rows: Bits, roles: Bits, budget: Budget | None = None) -> sp.csr_array:
    """UA: greedily the role that adds most, then roles that others made needless go; what is left over stays over.

    When the time is over, the other users get every role that adds something, the largest first.
    """
    from unmix.roles.cover.economy_kernel import express

    n, k = rows.shape[0], roles.shape[0]
    nodes = np.vstack([np.zeros_like(rows.words[:1]), roles.words])
    live = np.ones(k + 1, bool)
    used, left = np.zeros(k, bool), np.zeros(rows.words.shape[1], np.uint64)
    found = np.zeros((n, k), bool)
    for u in range(n):
        if budget is not None and u % USERS_PER_TIME_CHECK == 0 and budget.over:
            found[u:] = largest_first(Bits(rows.words[u:], rows.width), roles)
            break
        nodes[0] = rows.words[u]
        express(0, nodes, 1, live, -1, 1.0, 1e9, used, left)
        found[u] = used
    return structure(found)


def largest_first(rows: Bits, roles: Bits) -> np.ndarray:
    """Who gets which role when each role, by falling size, goes to all whom it fits and gives something new.

    >>> largest_first(Bits.of([[1, 1, 0], [1, 1, 1]]), Bits.of([[1, 0, 0], [1, 1, 0], [0, 0, 1]])).tolist()
    [[False, True, False], [False, True, True]]
    """
    found, left = np.zeros((rows.shape[0], roles.shape[0]), bool), rows.words.copy()
    fits = np.ascontiguousarray(covers(rows, roles).T)
    for k in np.argsort(-roles.counts(), kind="stable"):
        users, role = np.flatnonzero(fits[k]), roles.words[k]
        users = users[(left[users] & role).any(axis=1)]
        found[users, k] = True
        left[users] &= ~role
    return found
