"""Multi-assignment clustering with very many roles: role sets that users ask for, instead of all there are.

K roles make K choose M sets. Here users choose theirs in a Boolean fit of small error, roles and users in turn; the
sets that were chosen, all single roles and none are the sets of the model. O(n d K) a round, whatever M is.
"""

from __future__ import annotations

import numpy as np

from unmix.roles.annealed_roles import FIRST_NOISE, Data, Fit
from unmix.roles.assignment import EVEN, assign
from unmix.roles.discrete_basis import find_basis, gained, regrant
from unmix.roles.grants import dense_pieces
from unmix.roles.mixture_noise import Parameters

ROUNDS = 10
TAUS = (0.4, 0.8)  # few: a choice among them costs a fit to all users each
BLUR = 0.1


def chosen_sets(data: Data, n_roles: int, largest: int, most: int) -> Fit:
    """Roles and the sets users chose, at most ``most`` of them by weight, as a start for EM with Boolean roles."""
    rows = np.concatenate(list(dense_pieces(data.rows)))
    found = find_basis(rows, data.weights, n_roles, taus=list(TAUS), rounds=0).roles
    roles = np.zeros((n_roles, rows.shape[1]))
    roles[: len(found)] = found
    roles, held = refit_limited(rows, data.weights, roles, largest)
    sets, mass = wanted(held, data.weights, most)
    prior = np.log((mass + 0.5) / (mass + 0.5).sum())
    absent = np.where(roles > 0.5, BLUR, 1 - BLUR)
    return Fit(Parameters(absent, FIRST_NOISE[0], 0.5, prior), sets, mass, np.inf, 0)


def refit_limited(
    rows: np.ndarray, weights: np.ndarray, roles: np.ndarray, largest: int
) -> tuple[np.ndarray, np.ndarray]:
    """Roles and users in turn, no user with more than ``largest`` roles, as long as the error falls."""
    value = EVEN.of(rows) * weights[:, None]
    held = assign(rows, roles, largest=largest)
    best = gained(value, held, roles)
    for _ in range(ROUNDS):
        new = regrant(value, held, roles)
        again = assign(rows, new, largest=largest)
        gain = gained(value, again, new)
        if gain <= best:
            break
        best, roles, held = gain, new, again
    return roles, held


def wanted(held: np.ndarray, weights: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct sets with the weight of their users: none, single roles, and those most asked for."""
    n_roles = held.shape[1]
    small = np.concatenate([np.zeros((1, n_roles)), np.eye(n_roles)])
    sets, place = np.unique(np.concatenate([small, held]), axis=0, return_inverse=True)
    mass = np.bincount(place.ravel(), weights=np.append(np.zeros(len(small)), weights))
    large = np.flatnonzero(sets.sum(axis=1) > 1)
    kept = large[np.argsort(-mass[large], kind="stable")[: max(most - len(small), 0)]]
    order = np.append(np.flatnonzero(sets.sum(axis=1) <= 1), np.sort(kept))
    return sets[order], mass[order]
