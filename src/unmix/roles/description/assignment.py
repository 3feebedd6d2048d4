"""Users and their roles under given rates of errors: who gets which roles, and how many bits that takes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.description.code_length import Rates, count_rates, description_length, membership_cost
from unmix.roles.description.lists import lists

MOST_ROLES = 16  # of one user


class Assigned(NamedTuple):
    """Roles (roles, permissions), who holds them (users, roles), and how many ones of users are granted."""

    roles: csr_array
    held: csr_array
    granted: int
    agreed: int

    @property
    def users(self) -> np.ndarray:
        """How many hold each role."""
        return np.bincount(self.held.indices, minlength=self.held.shape[1])

    def rates(self, X: csr_array) -> Rates:
        return count_rates(X.nnz, self.granted, self.agreed, float(X.shape[0]) * X.shape[1])

    def bits(self, X: csr_array) -> float:
        sizes, cells = np.diff(self.roles.indptr), float(X.shape[0]) * X.shape[1]
        return description_length(X.nnz, self.granted, self.agreed, cells, sizes, self.users, X.shape)


def assign(
    X: csr_array, roles: csr_array, rates: Rates, users: np.ndarray, n: int, barred: int = -1, most: int = MOST_ROLES
) -> csr_array:
    """Who gets which roles (users, roles), where ``users`` of n hold each so far; nobody gets the one ``barred``."""
    from unmix.roles.description.assignment_kernel import assign_users

    by_permission = csr_array(roles.T)
    held = np.empty((X.shape[0], most), dtype=np.int64)
    d, k = X.shape[1], roles.shape[0]
    work = [np.zeros(size, np.int64) for size in (d, d, k, k, k)]
    assign_users(
        *lists(X), *lists(roles), *lists(by_permission), rates.reward, rates.penalty,
        np.asarray(membership_cost(users, n), dtype=np.float64), barred, held, *work,
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


def measured(X: csr_array, roles: csr_array, held: csr_array) -> Assigned:
    given = granted_by(held, roles)
    return Assigned(roles, held, given.nnz, int(X.multiply(given).sum()))
