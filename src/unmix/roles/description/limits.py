"""Limits that inferred roles keep: how many there are, how large they may be, and what no role holds together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.description.lists import of_lists, row_lists

MOST_PER_USER = 16  # roles of one user, where nothing is said


class Limits(NamedTuple):
    """``forbidden`` are pairs of permissions, of which no role holds both."""

    most_roles: int | None = None
    max_permissions: int | None = None
    max_roles_per_user: int = MOST_PER_USER
    min_users: int = 1
    min_permissions: int = 1
    forbidden: tuple[tuple[int, int], ...] = ()

    @property
    def shape_roles(self) -> bool:
        """Whether permissions of a role are limited."""
        return self.max_permissions is not None or bool(self.forbidden)

    def best(self, permissions: np.ndarray, worth: np.ndarray) -> np.ndarray:
        """Of these permissions those of most ``worth`` that one role may hold, in rising order."""
        if not self.shape_roles:
            return permissions
        kept: list[int] = []
        barred: set[int] = set()
        for p in permissions[np.argsort(-worth, kind="stable")].tolist():
            if p not in barred and (self.max_permissions is None or len(kept) < self.max_permissions):
                kept.append(p)
                barred.update(other for pair in self.forbidden if p in pair for other in pair if other != p)
        return np.array(sorted(kept), dtype=np.intp)

    def pieces(self, permissions: np.ndarray) -> list[np.ndarray]:
        """These permissions as roles within the limits, as few as come of filling one after the other."""
        left, found = permissions, []
        while len(left):
            found.append(self.best(left, np.zeros(len(left))))
            left = np.setdiff1d(left, found[-1])
        return found

    def within(self, candidates: csr_array) -> csr_array:
        """Candidates cut into pieces that roles may be."""
        if not self.shape_roles:
            return candidates
        pieces = [piece for row in row_lists(candidates) for piece in self.pieces(row)]
        return of_lists(pieces, candidates.shape[1])


NO_LIMITS = Limits()
