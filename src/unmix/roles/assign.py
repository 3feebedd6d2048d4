"""Which roles each user gets: few roles whose union is exactly what the user has."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from unmix.roles.bits import Bits, from_pairs


def assign(rows: Bits, roles: Bits) -> sp.csr_array:
    """UA: greedily the role that adds most, then roles that others made needless go; what is left over stays over."""
    from unmix.roles.economy_kernel import express

    n, k = rows.shape[0], roles.shape[0]
    nodes = np.vstack([np.zeros_like(rows.words[:1]), roles.words])
    live = np.ones(k + 1, bool)
    used, left = np.zeros(k, bool), np.zeros(rows.words.shape[1], np.uint64)
    users, members = [], []
    for u in range(n):
        nodes[0] = rows.words[u]
        express(0, nodes, 1, live, -1, 1.0, 1e9, used, left)
        mine = np.flatnonzero(used)
        users.append(np.full(mine.size, u))
        members.append(mine)
    none = np.zeros(0, np.int64)
    return from_pairs(np.concatenate([none, *users]), np.concatenate([none, *members]), (n, k))
