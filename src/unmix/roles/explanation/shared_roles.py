"""Roles that others share: held by more than one user, and by more than errors would bring together.

Errors at rate f make a block of u users × p permissions somewhere among n × d entries about C(n, u) C(d, p) f^(u p)
times; a role is shared where that is rare for what it adds to the shared roles inside it. What it adds is counted, as a
grant that two users have by mistake makes a role of all that the two have beside it.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln

from unmix.roles.access.access import row
from unmix.roles.access.bits import structure
from unmix.roles.classical.best_assignment import best_role_sets
from unmix.roles.problem.hierarchy import contains
from unmix.roles.problem.result import Roles

FALSE_BLOCKS = 0.01  # blocks by chance
LEAST_RATE = 0.002  # of errors, where none is seen
MOST_ROUNDS = 5  # of f and the roles that are rare under it
MOST_PRODUCTS = 10**8  # beyond, users keep the roles they were given instead of getting the best of the shared ones


def shared_roles(found: Roles) -> sp.csr_array:
    """UA over roles that are shared, each user with those that describe them best."""
    n, d = found.access.matrix.shape
    below = contains(found.role_permissions)
    several = supported(found, below)
    if n * d * int(several.sum()) > MOST_PRODUCTS:
        return inherited(found, several, below)
    held = np.zeros((n, len(found.names)))
    if several.any():
        roles = found.role_permissions[np.flatnonzero(several)].toarray().astype(float)
        held[:, several] = best_role_sets(found.access.matrix.astype(float), roles)
    return structure(held)


def inherited(found: Roles, several: np.ndarray, below: sp.csr_array) -> sp.csr_array:
    """UA as it was given; instead of a role that is not shared, the shared ones inside it."""
    given = found.user_roles.astype(np.int64)
    unshared = given.multiply((~several).astype(np.int64)[None, :])
    every = given + sp.csr_array(unshared) @ below.astype(np.int64)
    return structure(every.multiply(several.astype(np.int64)[None, :]) > 0)


def supported(found: Roles, below: sp.csr_array) -> np.ndarray:
    """Which roles are shared; f, the rate of grants that no shared role gives, is found along with them."""
    users = np.bincount(found.user_roles.indices, minlength=len(found.names))
    shared, entries = users >= 2, float(np.prod(found.access.matrix.shape))
    by_users = np.argsort(-users, kind="stable")
    for _ in range(MOST_ROUNDS):
        left = outside(found, shared, below)
        new = rare_roles(found, below, users, by_users, np.log(max(left / entries, LEAST_RATE)))
        if (new == shared).all():
            break
        shared = new
    return shared


def outside(found: Roles, shared: np.ndarray, below: sp.csr_array) -> int:
    """Number of grants that no shared role gives, at most."""
    given = inherited(found, shared, below).astype(np.int64) @ found.role_permissions.astype(np.int64)
    return int(found.access.matrix.nnz - (given.multiply(found.access.matrix) > 0).sum())


def rare_roles(
    found: Roles, below: sp.csr_array, users: np.ndarray, by_users: np.ndarray, log_rate: float
) -> np.ndarray:
    """Roles whose own part is rare under errors, those of most users first."""
    n, d = found.access.matrix.shape
    shared = np.zeros(len(users), bool)
    for k in by_users[users[by_users] >= 2]:
        own = set(row(found.role_permissions, k).tolist())
        if len(own) > 1:
            for inside in row(below, k):
                if shared[inside]:
                    own.difference_update(row(found.role_permissions, inside).tolist())
        chance = log_choose(n, int(users[k])) + log_choose(d, len(own)) + users[k] * len(own) * log_rate
        shared[k] = not own or chance <= np.log(FALSE_BLOCKS)
    return shared


def log_choose(n: int, k: int) -> float:
    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
