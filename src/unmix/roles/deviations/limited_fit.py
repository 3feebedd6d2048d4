"""Roles that may deviate, under limits: every change of a role's users or permissions stays inside them.

Kept roles keep their permissions. A user who has as many roles as are allowed, or one that excludes this one, does not
get it; of two forbidden permissions the one that gains more stays; a role too small is filled up with what harms least,
or goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unmix.roles.deviations.search import Fit


class Rules(NamedTuple):
    """What is asked of the roles; the first of them are the kept ones, free of the least sizes and forbidden pairs."""

    keep: np.ndarray  # (kept, m)
    min_users: int = 1
    min_permissions: int = 1
    max_roles_per_user: int | None = None
    forbidden: Sequence[tuple[int, int]] = ()  # permissions no new role may hold both of
    conflicts: Sequence[tuple[int, int]] = ()  # kept roles no user may have both of
    most_extra: float = np.inf  # entries given that were not held


class LimitedFit(Fit):
    """A `Fit` that obeys rules from the start to the end."""

    def __init__(
        self, matrix: np.ndarray, weight: np.ndarray, roles: np.ndarray, assignment: np.ndarray, rules: Rules
    ) -> None:
        super().__init__(matrix, weight, roles, assignment)
        self.rules = rules

    @property
    def n_kept(self) -> int:
        return self.rules.keep.shape[0]

    def copy(self) -> LimitedFit:
        return LimitedFit(self.matrix, self.weight, self.roles.copy(), self.assignment.copy(), self.rules)

    def clear(self, r: int) -> None:
        super().clear(r)
        if r < self.n_kept:
            self.roles[r] = self.rules.keep[r]

    def users_of(self, r: int, gain: np.ndarray) -> np.ndarray:
        least = 1 if r < self.n_kept else self.rules.min_users
        return largest(np.where(self.may_have(r), gain, -np.inf), least)

    def may_have(self, r: int) -> np.ndarray:
        """Users with room for one more role, and without one that excludes it."""
        others = np.delete(self.assignment, r, axis=1).sum(axis=1)
        most = self.rules.max_roles_per_user
        free = np.full(others.size, True) if most is None else others < most
        for a, b in self.rules.conflicts:
            if r in (a, b):
                free &= ~self.assignment[:, b if r == a else a]
        return free

    def permissions_of(self, r: int, gain: np.ndarray) -> np.ndarray:
        if r < self.n_kept:
            return self.rules.keep[r]
        return largest(gain, self.rules.min_permissions, self.rules.forbidden)

    def store_role(self, r: int, users: np.ndarray, role: np.ndarray, open_: np.ndarray) -> None:
        """The better of the new role, the old one and none at all, as far as the rules allow it."""
        old = self.assignment[:, r].copy(), self.roles[r].copy()
        self.clear(r)
        choices = sorted(
            ((float(open_[np.ix_(u, p)].sum()), turn, u, p) for turn, (u, p) in enumerate([(users, role), old])),
            key=lambda choice: (-choice[0], choice[1]),
        )
        for gain, _, some, held in choices:
            count = self.count + np.outer(some, held)
            if gain > 0 and self.weight[(count > 0.5) & ~self.matrix].sum() <= self.rules.most_extra:
                self.assignment[:, r], self.roles[r], self.count = some, held, count
                break

    def harm(self) -> np.ndarray:
        harm = super().harm()
        harm[: self.n_kept] = np.inf
        return harm


def largest(gain: np.ndarray, least: int, forbidden: Sequence[tuple[int, int]] = ()) -> np.ndarray:
    """All that gain, of a forbidden pair the one that gains more; filled up to ``least`` by what harms least, or none.

    >>> largest(np.array([2.0, 3.0, -1.0, -2.0]), 2, [(0, 1)])
    array([False,  True,  True, False])
    """
    chosen = gain > 0
    if chosen.any() and (forbidden or chosen.sum() < least):
        chosen = np.zeros_like(chosen)
        for p in np.argsort(-gain, kind="stable").tolist():
            if gain[p] == -np.inf or (gain[p] <= 0 and chosen.sum() >= least):
                break
            chosen[p] = not any(chosen[b if p == a else a] for a, b in forbidden if p in (a, b))
    return chosen if chosen.sum() >= least else np.zeros_like(chosen)
