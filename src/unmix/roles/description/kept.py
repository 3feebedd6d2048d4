"""Existing roles in the description: one that is kept need not be written down again, and giving one up costs.

    L + c Σ_{k in K \\ R} d H(|P_k| / d)        K existing roles, R those of the answer, c the cost of change

So of the bits of its permissions a kept role counts 1 - c times, but for a constant: what `change_cost` means for
covers, with bits in place of roles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array, vstack

from unmix.roles.description.code_length import role_cost
from unmix.roles.description.lists import of_lists, row_lists
from unmix.roles.review.register import SAME_ROLE

PRICELESS = 1e12  # bits: what a role saves that must stay


class KeptRoles(NamedTuple):
    """Existing roles (roles, permissions), 1.0 each, which of them must stay, and what giving one up costs."""

    sets: csr_array
    must: np.ndarray
    change_cost: float = 1.0

    def number(self, roles: csr_array) -> np.ndarray:
        """Which existing role each row is, -1 where it is none."""
        if not self.sets.shape[0]:
            return np.full(roles.shape[0], -1)
        known = {row.tobytes(): k for k, row in enumerate(keys(self.sets))}
        return np.array([known.get(row.tobytes(), -1) for row in keys(roles)], dtype=np.intp)

    def discount(self, roles: csr_array) -> np.ndarray:
        """Bits that keeping each of these rows saves, as it exists already."""
        number = self.number(roles)
        bits = np.where(number >= 0, self.change_cost * cost(roles), 0.0)
        return np.where(self.stay(roles, number), PRICELESS, bits)

    def stay(self, roles: csr_array, number: np.ndarray | None = None) -> np.ndarray:
        """Which of these rows must stay."""
        number = self.number(roles) if number is None else number
        return np.append(self.must, False)[number]

    def bits(self, roles: csr_array) -> float:
        """Of the existing roles that are not among these."""
        left = np.setdiff1d(np.arange(self.sets.shape[0]), self.number(roles))
        return float(self.change_cost * cost(self.sets)[left].sum())

    def restored(self, roles: csr_array) -> csr_array:
        """These roles, existing ones in place of those that have most in common with them, at least half."""
        away = np.setdiff1d(np.arange(self.sets.shape[0]), self.number(roles))
        if not len(away) or not roles.shape[0]:
            return roles
        both = (self.sets[away] @ roles.T).toarray()
        share = both / (np.diff(self.sets.indptr)[away][:, None] + np.diff(roles.indptr) - both)
        share[:, self.number(roles) >= 0] = 0.0
        old, new = linear_sum_assignment(-np.where(share >= SAME_ROLE, share, 0.0))
        some = share[old, new] >= SAME_ROLE
        rows = row_lists(roles)
        for k, row in zip(new[some], row_lists(csr_array(self.sets[away[old[some]]]))):
            rows[k] = row
        return of_lists(rows, roles.shape[1])

    def missing(self, roles: csr_array) -> csr_array:
        """Roles that must stay and are not among these."""
        left = np.setdiff1d(np.flatnonzero(self.must), self.number(roles))
        return csr_array(self.sets[left])


def cost(roles: csr_array) -> np.ndarray:
    return np.asarray(role_cost(np.diff(roles.indptr), max(roles.shape[1], 1)), dtype=np.float64)


def keys(roles: csr_array) -> list[np.ndarray]:
    return [np.sort(row).astype(np.int64) for row in row_lists(roles)]


def joined(*parts: csr_array) -> csr_array:
    return csr_array(vstack(parts, format="csr"))


NOTHING_KEPT = KeptRoles(csr_array((0, 0)), np.zeros(0, dtype=bool))
