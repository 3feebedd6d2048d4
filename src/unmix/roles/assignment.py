"""Roles for given users: argmin_z Σ_j |x_j - (z ⊗ U)_j|, over the permissions shown, the fewest roles among equals.

Exact for up to twelve roles, where all sets are looked at; beyond, single roles are given or taken as long as it pays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.roles.grants import dense_pieces
from unmix.roles.role_sets import role_sets

FEW_ROLES = 12


def boolean_product(assignments: Any, roles: Any) -> np.ndarray:
    """(Z ⊗ U)_ij = OR_k (z_ik AND u_kj), as 0.0 and 1.0.

    Examples
    --------
    >>> boolean_product([[1, 1], [0, 1]], [[1, 0, 0], [0, 0, 1]])
    array([[1., 0., 1.],
           [0., 0., 1.]])
    """
    return (np.asarray(assignments, dtype=np.float64) @ np.asarray(roles, dtype=np.float64) > 0.5).astype(np.float64)


def assign(rows: Any, roles: np.ndarray, shown: np.ndarray | None = None, *, largest: int | None = None) -> np.ndarray:
    """The best set of at most ``largest`` roles for each row, (users, roles) of 0.0 and 1.0."""
    counts = np.ones(roles.shape[1]) if shown is None else np.asarray(shown, dtype=np.float64)
    largest = len(roles) if largest is None else largest
    work = _look_at_all if len(roles) <= FEW_ROLES else _give_and_take
    pieces = [work(np.asarray(piece, dtype=np.float64), roles, counts, largest) for piece in dense_pieces(rows)]
    return np.concatenate(pieces) if pieces else np.empty((0, len(roles)))


def _look_at_all(X: np.ndarray, roles: np.ndarray, counts: np.ndarray, largest: int) -> np.ndarray:
    sets = role_sets(len(roles), largest)
    granted = boolean_product(sets, roles) * counts
    # |x - g| = x + g - 2 x g for bits; x is the same for all sets
    return sets[(granted.sum(axis=1) - 2 * (X @ granted.T)).argmin(axis=1)]


def _give_and_take(X: np.ndarray, roles: np.ndarray, counts: np.ndarray, largest: int) -> np.ndarray:
    n_roles, worth = len(roles), (2 * X - 1) * counts
    held, cover = np.zeros((len(X), n_roles)), np.zeros(X.shape)
    active = np.arange(len(X))
    while len(active):
        value, depth, has = worth[active], cover[active], held[active] > 0
        give = (value * (depth < 0.5)) @ roles.T
        take = -(value * (np.abs(depth - 1) < 0.5)) @ roles.T
        full = has.sum(axis=1) >= largest
        give[full] = -np.inf
        gain = np.where(has, take, give)
        gain[has & (take == 0)] = 0.5  # a role that changes nothing is given back
        best = gain.argmax(axis=1)
        pays = gain[np.arange(len(active)), best] > 0
        active, best = active[pays], best[pays]
        change = 1 - 2 * held[active, best]
        held[active, best] += change
        cover[active] += change[:, None] * roles[best]
    return held
