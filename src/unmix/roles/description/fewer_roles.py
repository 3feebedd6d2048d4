"""Fewer roles than the shortest description has, where limits ask for that: those missed least go."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, hstack

from unmix.roles.description.assignment import Assigned, assign, measured
from unmix.roles.description.code_length import Rates, role_cost
from unmix.roles.description.kept import joined
from unmix.roles.description.refinement import refine
from unmix.roles.description.task import Task

SHARE_AT_ONCE = 0.1  # of the roles too many that go before users choose anew


def fewer_roles(X: csr_array, found: Assigned, task: Task) -> Assigned:
    """At most as many roles as the limits allow, refined."""
    most = task.limits.most_roles
    if most is None or found.roles.shape[0] <= most:
        return found
    while found.roles.shape[0] > most:
        excess = found.roles.shape[0] - most
        free = np.flatnonzero(~task.kept.stay(found.roles))
        if not len(free):
            break
        lost = losses(X, found, found.rates(X))[free] + task.kept.discount(found.roles)[free]
        gone = free[np.argsort(lost, kind="stable")[: max(1, round(SHARE_AT_ONCE * excess))]]
        found = without(X, found, gone, task)
    return refine(X, found.roles, task.code.prices(found.held), found.rates(X), task)


def losses(X: csr_array, found: Assigned, rates: Rates) -> np.ndarray:
    """Bits that the description grows by without each role, if its users get no other."""
    depth = csr_array(found.held @ found.roles)
    once = depth.copy()
    once.data = (depth.data == 1).astype(np.float64)
    once.eliminate_zeros()
    value = csr_array((rates.reward + rates.penalty) * X.multiply(once) - rates.penalty * once)
    covered = csr_array((found.held.T @ value).multiply(found.roles)).sum(axis=1)
    users = np.asarray(role_cost(found.users, X.shape[0]), dtype=np.float64)
    return np.asarray(covered) - users - role_cost(np.diff(found.roles.indptr), X.shape[1])


def without(X: csr_array, found: Assigned, gone: np.ndarray, task: Task) -> Assigned:
    """The others, users choosing anew among them."""
    kept = np.setdiff1d(np.arange(found.roles.shape[0]), gone)
    roles, held = csr_array(found.roles[kept]), csr_array(found.held[:, kept])
    most = task.limits.max_roles_per_user
    if len(kept):
        held = assign(X, roles, found.rates(X), task.code.prices(held), most=most)
    return measured(X, roles, held, task.code, task.kept)


def within_limits(X: csr_array, found: Assigned, task: Task) -> Assigned:
    """Without roles that too few users hold or that hold too little, until none is left; most of all empty ones.

    Roles that must stay are there, whatever their size.
    """
    missing = task.kept.missing(found.roles)
    if missing.shape[0]:
        nobody = csr_array((X.shape[0], missing.shape[0]))
        held = csr_array(hstack([found.held, nobody], format="csr"))
        wide = measured(X, joined(found.roles, missing), held, task.code, task.kept)
        found = without(X, wide, np.empty(0, np.intp), task)
    limits = task.limits
    while True:
        small = (found.users < limits.min_users) | (np.diff(found.roles.indptr) < limits.min_permissions)
        small &= ~task.kept.stay(found.roles)
        if not small.any():
            return found
        # the least one first: users who lose it may make another large enough
        worst = np.flatnonzero(small)[np.argmin((found.users * np.diff(found.roles.indptr))[small])]
        found = without(X, found, np.array([worst]), task)
