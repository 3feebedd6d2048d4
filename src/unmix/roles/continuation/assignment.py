"""Who gets which role when most have theirs already: roles that still fit stay, what is left goes to few others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.access import Access
from unmix.roles.access.bits import Bits, covers, product, residual, structure
from unmix.roles.cover.exact_assignment import assign_exactly
from unmix.roles.problem.budget import Budget


def assign_again(
    access: Access, roles: sp.csr_array, ids: list[str], held: Mapping[str, frozenset[str]], budget: Budget
) -> sp.csr_array:
    """UA in which everybody keeps the roles they had, as far as these exist (by ``ids``) and fit."""
    words, place = Bits.of(roles), {name: k for k, name in enumerate(ids)}
    fits = covers(access.bits, words)
    found = np.zeros(fits.shape, bool)
    for u, user in enumerate(access.users):
        for name in held.get(str(user), ()):
            if name in place:
                found[u, place[name]] = True
    found &= fits
    new = ~found.any(axis=1)
    if new.any():
        rows = Bits(access.bits.words[new], access.bits.width)
        found[new] = assign_exactly(rows, words, budget).toarray()
    left = residual(access.bits, product(found, words))
    for u in np.flatnonzero(left.counts() > 0).tolist():
        add_greedily(found[u], fits[u], words.words, left.words[u])
    return structure(found)


def add_greedily(found: np.ndarray, fits: np.ndarray, roles: np.ndarray, left: np.ndarray) -> None:
    """Roles that give most of what is left, then without those of them that later ones made needless."""
    added: list[int] = []
    open_ = left.copy()
    while open_.any():
        gains = np.bitwise_count(roles & open_).sum(axis=1) * fits
        best = int(gains.argmax())
        if not gains[best]:
            break
        added.append(best)
        open_ &= ~roles[best]
    for one in list(added[:-1]):
        others = [r for r in added if r != one]
        if not (roles[one] & left & ~np.bitwise_or.reduce(roles[others], axis=0)).any():
            added = others
    found[added] = True
