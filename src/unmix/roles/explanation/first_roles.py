"""How far the first few roles go: roles in the order of what each adds, and the grants not yet explained after each.

Greedy with lazy evaluation: what a role adds only shrinks, so the best of the stale counts is recounted until it stays
the best (Minoux 1978).
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from unmix.roles.access.access import row
from unmix.roles.problem.result import Roles

MOST_ENTRIES = 4 * 10**8


class Step(NamedTuple):
    """The role taken, and the grants that no role up to it explains."""

    role: str
    left: int


def first_roles(found: Roles) -> list[Step]:
    """All roles by what they add; empty where the matrix is too large to keep.

    Examples
    --------
    >>> from unmix.roles import mine
    >>> [step.left for step in first_roles(mine([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("c", "z")]))]
    [1, 0]
    """
    matrix = found.access.matrix
    if matrix.shape[0] * matrix.shape[1] > MOST_ENTRIES:
        return []
    left = matrix.toarray()
    holders = found.user_roles.T.tocsr()
    blocks = [np.ix_(row(holders, k), row(found.role_permissions, k)) for k in range(len(found.names))]
    heap = [(-block[0].size * block[1].size, k) for k, block in enumerate(blocks)]
    heapq.heapify(heap)
    total, steps = int(matrix.nnz), []
    while heap:
        _, k = heapq.heappop(heap)
        adds = int(left[blocks[k]].sum())
        if heap and (-adds, k) > heap[0]:
            heapq.heappush(heap, (-adds, k))
            continue
        left[blocks[k]] = False
        total -= adds
        steps.append(Step(found.names[k], total))
    return steps
