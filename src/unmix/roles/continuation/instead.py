"""Roles in place of rejected ones: what pairs of users have in common, where no other role gives a grant any more.

The sets row(u) ∩ row(v), u one of the users left with open grants, are closed sets of permissions around these grants;
the fewest of them that give all that can be given are taken (set cover).
"""

from __future__ import annotations

import numpy as np

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, covers, product, residual
from unmix.roles.cover.program import distinct_rows, set_cover
from unmix.roles.problem.budget import Budget

ALIKE = 0.8  # of the permissions in common with a rejected role: the same thing in other words
MOST_CANDIDATES = 3000
MOST_PAIRS = 100_000
SECONDS = 10.0


def instead(access: Access, pool: np.ndarray, rejected: np.ndarray, budget: Budget) -> np.ndarray:
    """Few roles, none like a rejected one, for the grants that the pool leaves open."""
    roles = Bits.of(pool)
    left = residual(access.bits, product(covers(access.bits, roles), roles))
    open_ = np.flatnonzero(left.counts() > 0)
    nothing = np.zeros((0, pool.shape[1]), bool)
    if not open_.size:
        return nothing
    some = candidates(access, open_, rejected)
    if not len(some):
        return nothing
    fits = covers(Bits(access.bits.words[open_], access.bits.width), Bits.of(some))
    users, permissions = np.nonzero(Bits(left.words[open_], left.width).dense())
    gives = fits[users].T & some[:, permissions]
    gives = gives[:, gives.any(axis=0)]
    if not gives.size:
        return nothing
    answer = set_cover(gives, Budget(SECONDS, budget))
    return nothing if answer.x is None else some[answer.x > 0.5]


def candidates(access: Access, users: np.ndarray, rejected: np.ndarray) -> np.ndarray:
    """What users with open grants share with each other and with all users, the sets most of them hold first."""
    rows = access.matrix.toarray()
    others = rows[distinct_rows(rows)][: max(1, MOST_PAIRS // users.size)]
    sets = np.vstack([rows[users]] + [rows[u] & others for u in users.tolist()])
    sets = sets[distinct_rows(sets)]
    sets = sets[sets.any(axis=1)]
    for one in rejected:
        share = (sets & one).sum(axis=1) / np.maximum((sets | one).sum(axis=1), 1)
        sets = sets[share < ALIKE]
    area = covers(Bits(access.bits.words[users], access.bits.width), Bits.of(sets)).sum(axis=0) * sets.sum(axis=1)
    return sets[np.argsort(-area, kind="stable")[:MOST_CANDIDATES]]
