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


def extend_sets(sets: np.ndarray, mass: np.ndarray, most: int) -> np.ndarray:
    """Candidates one role larger: the sets that carry mass, and their extensions by one role, the heaviest first.

    A set of four roles that some users hold nearly always shows first as the best of its triples, so extending the
    heaviest sets finds it without looking at all (n_roles choose 4).
    """
    n_roles, size = sets.shape[1], int(sets.sum(axis=1).max())
    order = np.argsort(-mass, kind="stable")
    kept = [tuple(np.flatnonzero(row)) for row in sets]
    seen = set(kept)
    for index in order:
        held = kept[index]
        if len(held) != size or mass[index] <= 0:
            continue
        for role in range(n_roles):
            larger = tuple(sorted({*held, role}))
            if role not in held and larger not in seen and len(seen) < most:
                seen.add(larger)
    extended = np.zeros((len(seen), n_roles))
    for row, held in zip(extended, sorted(seen, key=lambda s: (len(s), s)), strict=True):
        row[list(held)] = 1.0
    return extended
