"""Candidate roles of a sparse table: what two users have in common, as most users have it who have nearly all of that.

The road of common_permissions.py for tables too large to be held with their zeros: users are drawn, and every product
goes by lists of grants. What recurs in pair after pair is kept once.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, vstack

from unmix.roles.description.lists import of_lists
from unmix.roles.problem.budget import Budget

USERS = 4000  # that are drawn
N_PEERS = 12  # a user is met with, from those with most in common to those with just more than chance
ROWS_AT_ONCE = 512
DEVIATIONS = 3.0  # standard deviations above what is shared by chance
NEARLY_ALL = 0.75  # of the candidate: users who have so much of it are asked what else they have
LEAST_HOLDERS = 2
PASSES = 3
NEARLY_EVERYBODY = 0.8  # of the users: what they have is one candidate


def candidates(X: csr_array, rng: np.random.Generator, budget: Budget, most_users: int = USERS) -> csr_array:
    """Distinct candidates (candidates, permissions) from the rows of X, 0.0 and 1.0."""
    users = drawn(X, rng, most_users)
    common, users = without_common(users)
    found = [common, distinct(intersections(users, budget))]
    for _ in range(PASSES):
        found.append(distinct(majorities(users, found[-1], budget)))
    return distinct(vstack(found, format="csr"))


def drawn(X: csr_array, rng: np.random.Generator, most: int) -> csr_array:
    """At most so many users who have something, in the order of the table."""
    some = np.flatnonzero(np.diff(X.indptr) > 0)
    if len(some) > most:
        some = np.sort(rng.choice(some, most, replace=False))
    return X[some]


def without_common(users: csr_array) -> tuple[csr_array, csr_array]:
    """What nearly all users have, as one candidate, and the users without it: it says nothing of peers."""
    number = np.bincount(users.indices, minlength=users.shape[1])
    common = np.flatnonzero(number > NEARLY_EVERYBODY * users.shape[0])
    left = users.copy()
    left.data[np.isin(users.indices, common)] = 0.0
    left.eliminate_zeros()
    return of_lists([common], users.shape[1]), left


def intersections(users: csr_array, budget: Budget) -> csr_array:
    """What each user has in common with peers, as far as the time goes."""
    share = np.bincount(users.indices, minlength=users.shape[1]) / max(users.shape[0], 1)
    expected, spread = users @ share, np.sqrt(users @ (share * (1 - share)))
    least = np.maximum(expected + DEVIATIONS * spread, 1.5)
    columns, found = users.T.tocsr(), [csr_array((0, users.shape[1]))]
    for begin in range(0, users.shape[0], ROWS_AT_ONCE):
        if budget.over:
            break
        block = users[begin : begin + ROWS_AT_ONCE]
        overlap = (block @ columns).toarray()
        overlap[np.arange(block.shape[0]), begin + np.arange(block.shape[0])] = 0
        who, whom = peers(overlap, least[begin : begin + ROWS_AT_ONCE])
        found.append(csr_array(block[who].multiply(users[whom])))
    return csr_array(vstack(found, format="csr"))


def implied(X: csr_array, rng: np.random.Generator, budget: Budget) -> csr_array:
    """Of each permission what nearly all of its holders have, beside what everybody has.

    Where everybody has a role of each of several kinds, as of a department, a level and a site, what two users share is
    several roles, or too little to stand out from chance; but who has a permission of a role has all of it.
    """
    if budget.over:
        return csr_array((0, X.shape[1]))
    users = without_common(drawn(X, rng, USERS))[1]
    together = csr_array(users.T.tocsr() @ users)
    holders = together.diagonal()
    together.data = (together.data >= NEARLY_ALL * np.repeat(holders, np.diff(together.indptr))).astype(np.float64)
    together.eliminate_zeros()
    return distinct(csr_array(together[np.flatnonzero(holders >= LEAST_HOLDERS)]))


def peers(overlap: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of rows and those with whom more than ``least`` is shared, evenly from the most to the least of them."""
    number = (overlap > least[:, None]).sum(axis=1)
    order = np.argsort(-overlap, axis=1, kind="stable")
    rank = np.rint(np.linspace(0, 1, N_PEERS) * (np.maximum(number, 1) - 1)[:, None]).astype(np.intp)
    who, whom = np.repeat(np.arange(len(overlap)), N_PEERS), np.take_along_axis(order, rank, axis=1).ravel()
    some = number[who] > 0
    return who[some], whom[some]


def majorities(users: csr_array, wanted: csr_array, budget: Budget) -> csr_array:
    """Each candidate as what most users have who have nearly all of it; candidates of one user alone are dropped."""
    columns, found = users.T.tocsr(), [csr_array((0, users.shape[1]))]
    for begin in range(0, wanted.shape[0], ROWS_AT_ONCE):
        if budget.over:
            break
        some = wanted[begin : begin + ROWS_AT_ONCE]
        have = (some @ columns).toarray() >= NEARLY_ALL * np.diff(some.indptr)[:, None]
        holders = have.sum(axis=1)
        have, holders = have[holders >= LEAST_HOLDERS], holders[holders >= LEAST_HOLDERS]
        shared = csr_array(csr_array(have.astype(np.float64)) @ users)
        shared.data = (2 * shared.data > np.repeat(holders, np.diff(shared.indptr))).astype(np.float64)
        shared.eliminate_zeros()
        found.append(shared)
    return csr_array(vstack(found, format="csr"))


def distinct(rows: csr_array) -> csr_array:
    """Rows that grant something, each once, in the order of their first appearance.

    Rows are told apart by two sums of random whole numbers: of a million rows, two that differ look alike with a
    probability below 1e-26.
    """
    rows = csr_array(rows[np.flatnonzero(np.diff(rows.indptr) > 0)])
    keys = np.random.default_rng(0).integers(0, 2**63, size=(rows.shape[1], 2), dtype=np.uint64)
    marks = np.zeros((rows.shape[0], 2), dtype=np.uint64)
    if rows.nnz:
        marks[:] = np.add.reduceat(keys[rows.indices], rows.indptr[:-1], axis=0)
    _, first = np.unique(marks, axis=0, return_index=True)
    return csr_array(rows[np.sort(first)])
