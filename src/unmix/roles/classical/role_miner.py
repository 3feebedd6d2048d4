"""RoleMiner: candidate roles are what users have in common, the more users hold all of one the better.

{1, 2, 5} and {2, 3, 5} give the candidates {1, 2, 5}, {2, 3, 5} and {2, 5}. Vaidya, Atluri & Warner, CCS 2006.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.arguments import whole_number
from unmix.roles.access.grants import Grants, dense_pieces, pack
from unmix.roles.classical.boolean_estimator import BooleanEstimator


def as_integers(rows: Any) -> list[int]:
    """Each row as one whole number, so that an intersection is one `&`."""
    return [int.from_bytes(row.tobytes(), "big") for row in pack(rows)]


def as_rows(numbers: list[int], d: int) -> np.ndarray:
    width = (d + 7) // 8
    packed = np.frombuffer(b"".join(number.to_bytes(width, "big") for number in numbers), dtype=np.uint8)
    return np.unpackbits(packed.reshape(-1, width), axis=1, count=d).astype(np.float64)


def too_many(most: int) -> ValueError:
    return ValueError(
        f"there are more than max_candidates={most} intersections of users; raise max_candidates, use FastMiner, "
        "or remove noise first, which is what makes intersections many"
    )


def all_intersections(users: list[int], most: int) -> list[int]:
    """Every distinct, non-empty intersection of any number of users."""
    found: set[int] = set()
    for user in users:
        found |= {user & other for other in found} | {user}
        if len(found) > most:
            raise too_many(most)
    return sorted(found - {0})


def pair_intersections(users: list[int], most: int) -> list[int]:
    """The users themselves and every distinct, non-empty intersection of two."""
    found = set(users)
    for index, user in enumerate(users):
        found |= {user & other for other in users[:index]}
        if len(found) > most:
            raise too_many(most)
    return sorted(found - {0})


class RoleMiner(BooleanEstimator):
    """What FastMiner and CompleteMiner share: ranking the candidates, and giving users the roles they hold in full."""

    def __init__(self, n_roles=None, *, rank="users", max_candidates=100_000, threshold=None):
        self.n_roles = n_roles
        self.rank = rank
        self.max_candidates = max_candidates
        self.threshold = threshold

    def _candidates(self, users: list[int]) -> list[int]:
        raise NotImplementedError

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        rows, weights = grants.counted
        candidates = as_rows(self._candidates(as_integers(rows)), rows.shape[1])
        counts = (self._holding(rows, candidates) * weights[:, None]).sum(axis=0)
        size = candidates.sum(axis=1)
        order = np.lexsort((-size, -counts))
        if self.rank == "cover":
            order = self._cover(rows, weights, candidates, order)
        order = order[: self.n_roles]
        if len(order) == 0:  # nobody has anything
            self.user_counts_ = np.zeros(1)
            return np.zeros((1, rows.shape[1]))
        self.user_counts_ = counts[order]
        return candidates[order]

    def _cover(self, rows: Any, weights: np.ndarray, candidates: np.ndarray, order: np.ndarray) -> np.ndarray:
        """The candidate that explains most grants not explained yet, again and again."""
        left, chosen = np.concatenate(list(dense_pieces(rows))), []
        candidates = candidates[order]
        holding = self._holding(rows, candidates)
        for _ in range(min(len(candidates), self.n_roles or len(candidates))):
            gains = (holding * ((left * weights[:, None]) @ candidates.T)).sum(axis=0)
            if gains.max() <= 0:
                break
            best = int(gains.argmax())
            chosen.append(best)
            left = left * (1 - np.outer(holding[:, best], candidates[best]))
        return order[chosen]

    @staticmethod
    def _holding(rows: Any, roles: np.ndarray) -> np.ndarray:
        """1 where the user has every permission of the role."""
        return (rows @ roles.T >= roles.sum(axis=1) - 0.5).astype(np.float64)

    def _assign(self, rows: Any) -> np.ndarray:
        roles = self.roles_.astype(np.float64)
        return self._holding(rows, roles) * (roles.sum(axis=1) > 0)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        whole_number("max_candidates", self.max_candidates, 1)
        if self.rank not in ("users", "cover"):
            raise ValueError(f"rank={self.rank!r}: give 'users' or 'cover'")


class CompleteMiner(RoleMiner):
    """RoleMiner with all intersections.

    Candidates are the permission sets of the users and every intersection of any number of them, ranked by how many
    users hold all of one. Their number can double with every user, and noise makes it do so: it is bounded.
    Users get every role they hold in full, so nobody ever gains a permission. For t distinct users there are up to
    2^t - t - 1 intersections; each costs O(d / 64), and counting the users of c candidates O(n c d).

    Parameters
    ----------
    n_roles : int or None, default=None
        Keep the first n_roles; None keeps all.
    rank : {"users", "cover"}, default="users"
        By the number of users, or always the one that explains most grants not explained before it.
    max_candidates : int, default=100_000
        Refuse beyond.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
        Best first.
    assignments_ : ndarray of shape (n, n_roles)
    user_counts_ : ndarray of shape (n_roles,)
        Weight of the users that hold all of the role.
    n_features_in_ : int

    References
    ----------
    Vaidya, Atluri & Warner, RoleMiner: mining roles using subset enumeration, CCS 2006.

    Examples
    --------
    >>> from unmix.roles import CompleteMiner
    >>> model = CompleteMiner().fit([[1, 1, 0, 0, 1], [0, 1, 1, 0, 1]])  # {1, 2, 5} and {2, 3, 5}
    >>> model.roles_.astype(int)
    array([[0, 1, 0, 0, 1],
           [0, 1, 1, 0, 1],
           [1, 1, 0, 0, 1]])
    >>> model.user_counts_
    array([2., 1., 1.])
    """

    def _candidates(self, users: list[int]) -> list[int]:
        return all_intersections(users, self.max_candidates)


class FastMiner(RoleMiner):
    """RoleMiner with intersections of two users: t (t - 1) / 2 of them for t distinct users.

    Everything else is as in `CompleteMiner`. O(t² d / 64) for the candidates.

    Parameters
    ----------
    n_roles : int or None, default=None
        Keep the first n_roles; None keeps all.
    rank : {"users", "cover"}, default="users"
        By the number of users, or always the one that explains most grants not explained before it.
    max_candidates : int, default=100_000
        Refuse beyond.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
    assignments_ : ndarray of shape (n, n_roles)
    user_counts_ : ndarray of shape (n_roles,)
    n_features_in_ : int

    References
    ----------
    Vaidya, Atluri & Warner, RoleMiner: mining roles using subset enumeration, CCS 2006.

    Examples
    --------
    >>> from unmix.roles import FastMiner
    >>> FastMiner(1).fit([[1, 1, 0, 0, 1], [0, 1, 1, 0, 1]]).roles_.astype(int)
    array([[0, 1, 0, 0, 1]])
    """

    def _candidates(self, users: list[int]) -> list[int]:
        return pair_intersections(users, self.max_candidates)
