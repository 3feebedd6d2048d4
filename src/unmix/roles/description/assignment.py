"""Users and their roles under given rates of errors: who gets which roles, and how many bits that takes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.description.code_length import Rates, count_rates, description_length, role_cost
from unmix.roles.description.kept import NOTHING_KEPT, KeptRoles
from unmix.roles.description.limits import MOST_PER_USER
from unmix.roles.description.lists import lists
from unmix.roles.description.membership import Memberships, Prices


class Assigned(NamedTuple):
    """Roles (roles, permissions), holders (users, roles), entries granted and ones among them, bits of assignments.

    ``change_bits`` are those of existing roles that were given up.
    """

    roles: csr_array
    held: csr_array
    granted: int
    agreed: int
    membership_bits: float
    change_bits: float = 0.0

    @property
    def users(self) -> np.ndarray:
        """How many hold each role."""
        return np.bincount(self.held.indices, minlength=self.held.shape[1])

    def rates(self, X: csr_array) -> Rates:
        return count_rates(X.nnz, self.granted, self.agreed, float(X.shape[0]) * X.shape[1])

    def bits(self, X: csr_array) -> float:
        cells, none = float(X.shape[0]) * X.shape[1], np.empty(0)
        errors = description_length(X.nnz, self.granted, self.agreed, cells, none, none, X.shape)
        written = float(np.sum(role_cost(np.diff(self.roles.indptr), X.shape[1])))
        return errors + written + self.membership_bits + self.change_bits


def assign(
    X: csr_array, roles: csr_array, rates: Rates, prices: Prices, barred: int = -1, most: int = MOST_PER_USER
) -> csr_array:
    """Who gets which roles (users, roles), at most so many, at these prices; nobody gets the one ``barred``."""
    from unmix.roles.description.assignment_kernel import assign_users

    by_permission = csr_array(roles.T)
    held = np.empty((X.shape[0], most), dtype=np.int64)
    d, k = X.shape[1], roles.shape[0]
    work = [np.zeros(size, np.int64) for size in (d, d, k, k, k)]
    assign_users(
        *lists(X), *lists(roles), *lists(by_permission), *lists(prices.meets), rates.reward, rates.penalty,
        prices.inside.copy(), prices.outside.copy(), barred, held, *work,
    )  # fmt: skip
    some = held >= 0
    starts = np.concatenate([[0], np.cumsum(some.sum(axis=1))])
    found = csr_array((np.ones(starts[-1]), held[some], starts), shape=(X.shape[0], k))
    found.sort_indices()
    return found


def granted_by(held: csr_array, roles: csr_array) -> csr_array:
    """Entries that roles grant, 1.0 each."""
    given = csr_array(held @ roles)
    given.data[:] = 1.0
    return given


def measured(
    X: csr_array, roles: csr_array, held: csr_array, code: Memberships | None = None, kept: KeptRoles = NOTHING_KEPT
) -> Assigned:
    """With what it takes to write it down; without ``code``, who holds what by the number of holders alone."""
    given = granted_by(held, roles)
    bits = (code or Memberships(X.shape[0])).bits(held)
    return Assigned(roles, held, given.nnz, int(X.multiply(given).sum()), bits, kept.bits(roles))
