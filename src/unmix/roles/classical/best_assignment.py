"""Roles for given users: argmax_z Σ_j worth(x_j) (z ⊗ U)_j, over the permissions shown, the fewest roles among equals.

A covered one is worth w⁺, a covered zero costs w⁻: with both 1 this is the fewest differing entries. Exact for up to
twelve roles, where all sets are looked at; beyond, roles are given and taken, one or two at a time, as long as it pays.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.access.grants import dense_pieces
from unmix.roles.classical.role_sets import role_sets

FEW_ROLES = 12
SPARSE = 0.1  # of the permissions: roles that grant fewer on average are kept as lists
LOOKAHEAD = 6  # changes after which a second one is looked for, user by user
GAIN_TOLERANCE = 1e-9  # of the larger worth of an entry: less of a gain is rounding


class Worth(NamedTuple):
    """w⁺ of a one that is covered, w⁻ of a zero that is."""

    reward: float = 1.0
    penalty: float = 1.0

    @classmethod
    def like(cls, reward: float, penalty: float) -> Worth:
        """The same ratio in whole numbers where it is a simple one, so that sums are exact and equals are equal.

        >>> Worth.like(0.1, 0.3)
        Worth(reward=1.0, penalty=3.0)
        """
        ratio = Fraction(reward) / Fraction(penalty)
        simple = ratio.limit_denominator(10**6)
        if not simple or abs(simple / ratio - 1) > 1e-12:
            return cls(reward / max(reward, penalty), penalty / max(reward, penalty))
        return cls(float(simple.numerator), float(simple.denominator))

    def of(self, X: np.ndarray) -> np.ndarray:
        """What it is worth to cover each entry: w⁺ for a 1.0, -w⁻ for a 0.0."""
        return X * (self.reward + self.penalty) - self.penalty


EVEN = Worth()


def boolean_product(assignments: Any, roles: Any) -> np.ndarray:
    """(Z ⊗ U)_ij = OR_k (z_ik AND u_kj), as 0.0 and 1.0.

    Examples
    --------
    >>> boolean_product([[1, 1], [0, 1]], [[1, 0, 0], [0, 0, 1]])
    array([[1., 0., 1.],
           [0., 0., 1.]])
    """
    return (np.asarray(assignments, dtype=np.float64) @ np.asarray(roles, dtype=np.float64) > 0.5).astype(np.float64)


def best_role_sets(
    rows: Any,
    roles: np.ndarray,
    shown: np.ndarray | None = None,
    *,
    largest: int | None = None,
    worth: Worth = EVEN,
) -> np.ndarray:
    """The best set of at most ``largest`` roles for each row, (users, roles) of 0.0 and 1.0."""
    if len(roles) == 0:
        return np.empty((rows.shape[0], 0))
    counts = np.ones(roles.shape[1]) if shown is None else np.asarray(shown, dtype=np.float64)
    largest = len(roles) if largest is None else largest
    work = _look_at_all if len(roles) <= FEW_ROLES else _give_and_take
    pieces = [work(np.asarray(piece, dtype=np.float64), roles, counts, largest, worth) for piece in dense_pieces(rows)]
    return np.concatenate(pieces) if pieces else np.empty((0, len(roles)))


def _look_at_all(X: np.ndarray, roles: np.ndarray, counts: np.ndarray, largest: int, worth: Worth) -> np.ndarray:
    sets = role_sets(len(roles), largest)
    granted = boolean_product(sets, roles) * counts
    # w⁺ #ones - w⁻ #zeros = (w⁺ + w⁻) #ones - w⁻ #covered
    return sets[((worth.reward + worth.penalty) * (X @ granted.T) - worth.penalty * granted.sum(axis=1)).argmax(axis=1)]


def _give_and_take(X: np.ndarray, roles: np.ndarray, counts: np.ndarray, largest: int, worth: Worth) -> np.ndarray:
    small = roles.mean() < SPARSE
    state = _Held(np.zeros((len(X), len(roles))), np.zeros(X.shape), csr_array(roles) if small else roles)
    value, moved = worth.of(X) * counts, np.arange(len(X))
    least = GAIN_TOLERANCE * max(worth)
    while len(moved):
        some = moved
        while len(some):
            some = _change_one(state, value, roles, largest, some, least)
        moved = _change_two(state, value, roles, largest, moved, least)
    return state.held


class _Held(NamedTuple):
    """Roles of each user, by how many of them each entry is covered, and the roles (dense or sparse)."""

    held: np.ndarray
    depth: np.ndarray
    roles: Any

    def gains(self, users: np.ndarray, worth: np.ndarray, largest: int) -> np.ndarray:
        """What it is worth to give each role not held, or to take each that is."""
        value, depth, has = worth[users], self.depth[users], self.held[users] > 0
        give = self.over_roles(value * (depth < 0.5))
        give[has.sum(axis=1) >= largest] = -np.inf
        return np.where(has, -self.over_roles(value * (np.abs(depth - 1) < 0.5)), give)

    def over_roles(self, entries: np.ndarray) -> np.ndarray:
        """Sums of the entries of each role, (users, roles); where roles are small, only theirs are looked at."""
        return (self.roles @ entries.T).T

    def change(self, users: np.ndarray, which: np.ndarray, roles: np.ndarray) -> None:
        sign = 1 - 2 * self.held[users, which]
        self.held[users, which] += sign
        self.depth[users] += sign[:, None] * roles[which]


def _change_one(
    state: _Held, worth: np.ndarray, roles: np.ndarray, largest: int, active: np.ndarray, least: float
) -> np.ndarray:
    """The best role given or taken where that pays; one that changes nothing is given back. The users changed."""
    gain = state.gains(active, worth, largest)
    gain[(state.held[active] > 0) & (np.abs(gain) <= least)] = 2 * least
    best = gain.argmax(axis=1)
    pays = gain[np.arange(len(active)), best] > least
    state.change(active[pays], best[pays], roles)
    return active[pays]


def _change_two(
    state: _Held, worth: np.ndarray, roles: np.ndarray, largest: int, active: np.ndarray, least: float
) -> np.ndarray:
    """Two changes at once where no single one pays: after each of the best few, the best second. The users changed."""
    gain, changed = state.gains(active, worth, largest), []
    order = np.argsort(-gain, axis=1, kind="stable")[:, :LOOKAHEAD]
    for rank in range(order.shape[1]):
        first = order[:, rank]
        before = gain[np.arange(len(active)), first]
        state.change(active, first, roles)
        after = state.gains(active, worth, largest)
        second = after.argmax(axis=1)
        pays = before + after[np.arange(len(active)), second] > least
        state.change(active[~pays], first[~pays], roles)
        state.change(active[pays], second[pays], roles)
        changed.append(active[pays])
        active, gain, order = active[~pays], gain[~pays], order[~pays]
    return np.concatenate(changed)
