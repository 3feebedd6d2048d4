"""Sets of roles a user may hold: rows of a 0/1 matrix, the empty set first, then single roles, pairs, and so on."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np


def count_role_sets(n_roles: int, largest: int) -> int:
    """Σ_{m ≤ largest} (n_roles choose m)."""
    return sum(comb(n_roles, size) for size in range(min(largest, n_roles) + 1))


def role_sets(n_roles: int, largest: int, *, empty: bool = True) -> np.ndarray:
    """All sets of at most ``largest`` of ``n_roles`` roles, as a matrix (sets, n_roles) of 0.0 and 1.0."""
    held = [s for m in range(0 if empty else 1, min(largest, n_roles) + 1) for s in combinations(range(n_roles), m)]
    matrix = np.zeros((len(held), n_roles))
    for row, roles in zip(matrix, held, strict=True):
        row[list(roles)] = 1.0
    return matrix


def largest_that_fits(n_roles: int, largest: int, most: int) -> int:
    """The greatest size up to ``largest`` of which all sets are no more than ``most``; at least 1."""
    fitting = [size for size in range(1, min(largest, n_roles) + 1) if count_role_sets(n_roles, size) <= most]
    return max(fitting, default=1)


def extensions(held: np.ndarray) -> np.ndarray:
    """The set with one role more, for every role it does not hold."""
    missing = np.flatnonzero(held < 0.5)
    larger = np.tile(held, (len(missing), 1))
    larger[np.arange(len(missing)), missing] = 1.0
    return larger


def in_order(sets: np.ndarray) -> np.ndarray:
    """Indices that put small sets first, and among equals those with the first roles."""
    return np.lexsort((*(-column for column in sets.T[::-1]), sets.sum(axis=1)))
