"""Candidate roles: what two users have in common, as most users have it who have nearly all of that.

Two users of the same role share its permissions and little else, however many roles there are and however many of
them grant one permission: FastMiner's intersections (Vaidya, Atluri & Warner 2006), made robust to wrong entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.access.grants import is_sparse, join_equal
from unmix.roles.classical.best_assignment import EVEN
from unmix.roles.classical.discrete_basis import as_words

N_PEERS = 12  # a user is met with, from those with most in common to those with just more than chance
USERS, USERS_A_ROLE = 2000, 4  # that are met at most: every role should be held by some of them
ROWS_AT_ONCE = 1024
CANDIDATES = 20_000  # kept at most; the best alone are often variants of a few roles
SPARSE = 0.1  # of entries that are ones: below, products go by lists of them
DEVIATIONS = 3.0  # standard deviations above what is shared by chance
NEARLY_ALL = 0.75  # of the candidate: users who have so much of it are asked what else they have
PASSES = 3


def common_permissions(rows: np.ndarray, weights: np.ndarray, n_roles: int) -> np.ndarray:
    """Distinct candidates, a Boolean matrix (candidates, permissions)."""
    every = -(-len(rows) // max(USERS, USERS_A_ROLE * n_roles))
    found = [intersect_peers(rows[::every])]
    for _ in range(PASSES):
        found.append(majority_sets(rows, weights, found[-1]))
    # a majority can also lead from a small role to a larger one: what was there before stays a candidate
    return most_promising(rows, weights, distinct(np.concatenate(found)), CANDIDATES)


def intersect_peers(users: np.ndarray) -> np.ndarray:
    """What users have in common with their peers, and what each has alone."""
    share = users.mean(axis=0)
    expected, spread = users @ share, np.sqrt(users @ (share * (1 - share)))
    least = np.maximum(expected + DEVIATIONS * spread, 1.5)
    found, columns = [distinct(users > 0.5)], product_form(users.T)
    for begin in range(0, len(users), ROWS_AT_ONCE):
        block = users[begin : begin + ROWS_AT_ONCE]
        overlap = product(block, columns)
        overlap[np.arange(len(block)), begin + np.arange(len(block))] = 0
        pairs = [(i, peer) for i, row in enumerate(overlap) for peer in peers(row, least[begin + i])]
        who, whom = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        found.append(distinct((block[who] > 0.5) & (users[whom] > 0.5)))
    return distinct(np.concatenate(found))


def peers(overlap: np.ndarray, least: float) -> np.ndarray:
    """Users with whom more than ``least`` is shared, evenly from the most to the least of them."""
    some = np.flatnonzero(overlap > least)
    if len(some) <= N_PEERS:
        return some
    some = some[np.argsort(-overlap[some], kind="stable")]
    return some[np.linspace(0, len(some) - 1, N_PEERS).astype(int)]


def majority_sets(rows: np.ndarray, weights: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    """Each candidate as what most users have who have nearly all of it."""
    found = [candidates[:0]]  # of no candidates, none
    rows, columns = product_form(rows), product_form(rows.T)
    for begin in range(0, len(candidates), ROWS_AT_ONCE):
        some = candidates[begin : begin + ROWS_AT_ONCE].astype(np.float64)
        have = product(some, columns) >= NEARLY_ALL * some.sum(axis=1, keepdims=True)
        holding = have * weights
        found.append(distinct(2 * product(holding, rows) > holding.sum(axis=1, keepdims=True)))
    return distinct(np.concatenate(found))


def distinct(rows: np.ndarray) -> np.ndarray:
    """Rows that grant something, each once."""
    found: np.ndarray = join_equal(rows[rows.any(axis=1)], None).rows
    return found


def most_promising(rows: np.ndarray, weights: np.ndarray, candidates: np.ndarray, most: int) -> np.ndarray:
    """The candidates that gain most, each by itself."""
    from unmix.roles.classical.discrete_basis_kernel import candidate_gains

    if len(candidates) <= most:
        return candidates
    ones, zeros, gains = as_words(rows), as_words(rows < 0.5), np.zeros(len(candidates))
    candidate_gains(ones, zeros, weights, np.arange(len(rows)), as_words(candidates), *EVEN, gains)
    return candidates[np.sort(np.argsort(-gains, kind="stable")[:most])]


def product(left: Any, right: Any) -> np.ndarray:
    """left @ right; where both have few entries, only these are looked at."""
    found = product_form(left) @ product_form(right)
    return found.toarray() if hasattr(found, "toarray") else np.asarray(found)


def product_form(rows: Any) -> Any:
    """A CSR matrix where few entries are not zero, an ndarray otherwise: what products are quickest with."""
    sparse = is_sparse(rows)
    if (rows.nnz if sparse else np.count_nonzero(rows)) > SPARSE * rows.shape[0] * rows.shape[1]:
        return rows.toarray() if sparse else rows
    return rows if isinstance(rows, csr_array) else csr_array(rows)
