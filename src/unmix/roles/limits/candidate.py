"""Permission sets that suffice as roles when some pairs of permissions must not meet in one role.

Any role can be enlarged to the permissions all of its users share. If that set holds forbidden pairs, it is replaced by
its maximal subsets without one; every admissible role lies in such a set with the same users or more.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, covers
from unmix.roles.cover.rectangle import maximal_rectangles
from unmix.roles.problem.budget import Budget

MOST_PAIRS = 8  # forbidden pairs inside one role; each doubles the number of its maximal subsets


def candidate_roles(
    matrix: sp.csr_array, forbidden: Iterable[tuple[int, int]], most: int, budget: Budget | None = None
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Permission sets (k, m), who holds them (k, n), and whether these are all that are needed for an optimum."""
    found = maximal_rectangles(matrix, most, budget)
    complete = found is not None
    sets = found[1].dense() if found is not None else closed_rows_and_columns(matrix)
    pairs = list(forbidden)
    complete = complete and all(len(inside(role, pairs)) <= MOST_PAIRS for role in sets)
    if pairs:
        pieces = [part for role in sets for part in without_pairs(role, pairs)]
        sets = np.unique(np.array(pieces, bool).reshape(-1, matrix.shape[1]), axis=0)
    holders = covers(Bits.of(matrix), Bits.of(sets)).T
    real = sets.any(axis=1) & holders.any(axis=1)
    return sets[real], holders[real], complete


def closed_rows_and_columns(matrix: sp.csr_array) -> np.ndarray:
    """Users' sets, what the holders of each permission share, and single permissions: enough to cover everything."""
    from unmix.roles.access.bits import common

    rows = matrix.toarray()
    return np.unique(
        np.vstack([rows, common(matrix.T, Bits.of(matrix)).dense(), np.eye(rows.shape[1], dtype=bool)]), axis=0
    )


def inside(role: np.ndarray, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in pairs if role[a] and role[b]]


def without_pairs(role: np.ndarray, pairs: list[tuple[int, int]]) -> list[np.ndarray]:
    """All maximal subsets of a role that hold no forbidden pair whole; a few of them where there are very many."""
    pairs = inside(role, pairs)
    if len(pairs) > MOST_PAIRS:
        return few_parts(role, pairs)
    pieces = [role]
    for a, b in pairs:
        halves = []
        for piece in pieces:
            if piece[a] and piece[b]:
                for drop in {a, b}:
                    half = piece.copy()
                    half[drop] = False
                    halves.append(half)
            else:
                halves.append(piece)
        pieces = maximal(halves)
    return pieces


def few_parts(role: np.ndarray, pairs: list[tuple[int, int]]) -> list[np.ndarray]:
    """Maximal subsets without a pair that together hold the whole role, each taken greedily from what is left first."""
    left, parts = role.copy(), []
    while left.any():
        part = np.zeros_like(role)
        for p in [*np.flatnonzero(left), *np.flatnonzero(role & ~left)]:
            part[p] = not any(part[b if p == a else a] for a, b in pairs if p in (a, b))
        parts.append(part)
        left &= ~part
    return parts


def maximal(sets: list[np.ndarray]) -> list[np.ndarray]:
    """Sets that lie in no other one, each once."""
    kept: list[np.ndarray] = []
    for part in sorted(sets, key=lambda part: -int(part.sum())):
        if not any((part <= other).all() for other in kept):
            kept.append(part)
    return kept
