"""Multi-assignment clustering with many roles: role sets that users ask for, instead of all there are.

K roles make K choose M sets. Here candidates are what users have in common; the K that gain most are taken one by one,
users choose theirs, and roles and users are fitted in turn. Then the roles that are missed least make room for
candidates as long as the error falls. The sets that were chosen, all single roles and none are the sets of the model.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.access.grants import dense_pieces
from unmix.roles.classical.best_assignment import EVEN, best_role_sets
from unmix.roles.classical.discrete_basis import gained, greedy, refit_roles
from unmix.roles.noise.annealed_roles import Data, Fit
from unmix.roles.noise.boolean_stage import as_parameters, rates
from unmix.roles.noise.common_permissions import common_permissions, product
from unmix.roles.noise.mixture_noise import Counts
from unmix.roles.problem.patience import check_time

ROUNDS = 10
EXCHANGED = 0.2  # share of the roles that make room at first, half as many after each failure
LEAST_EXCHANGED = 0.1


class Cover(NamedTuple):
    """Roles, who holds them, and what they gain: ones covered less zeros covered, by weight."""

    roles: np.ndarray
    held: np.ndarray
    gain: float


def chosen_sets(data: Data, n_roles: int, largest: int, most: int, moves: int = ROUNDS) -> Fit:
    """Roles and the sets users chose, at most ``most`` of them by weight, as a start for EM with Boolean roles.

    The noise is counted: begun with more, users of few peers would be shared among sets, and roles would melt.
    """
    rows = np.concatenate(list(dense_pieces(data.rows)))
    candidates = common_permissions(rows, data.weights, n_roles)
    found = refit_limited(rows, data.weights, greedy(rows, data.weights, candidates, n_roles), largest)
    found = exchange(rows, data.weights, found, candidates, n_roles, largest, min(moves, ROUNDS))
    roles, held = np.zeros((n_roles, rows.shape[1])), np.zeros((len(rows), n_roles))
    roles[: len(found.roles)], held[:, : len(found.roles)] = found.roles, found.held
    noise = rates(held, Counts(data.weights, rows * data.weights[:, None]), roles)
    sets, mass = candidate_sets(held, data.weights, most)
    prior = np.log((mass + 0.5) / (mass + 0.5).sum())
    return Fit(as_parameters(roles, *noise, prior), sets, mass, np.inf, 0)


def refit_limited(rows: np.ndarray, weights: np.ndarray, roles: np.ndarray, largest: int) -> Cover:
    """Roles and users in turn, no user with more than ``largest`` roles, as long as the error falls."""
    value = EVEN.of(rows) * weights[:, None]
    roles = roles.astype(np.float64)
    held = best_role_sets(rows, roles, largest=largest)
    best = Cover(roles, held, gained(value, held, roles))
    for _ in range(ROUNDS):
        check_time()
        new = refit_roles(value, best.held, best.roles)
        held = best_role_sets(rows, new, largest=largest)
        gain = gained(value, held, new)
        if gain <= best.gain:
            break
        best = Cover(new, held, gain)
    return best


def exchange(
    rows: np.ndarray,
    weights: np.ndarray,
    found: Cover,
    candidates: np.ndarray,
    n_roles: int,
    largest: int,
    rounds: int = ROUNDS,
) -> Cover:
    """The roles missed least make room for what gains most without them, as long as that pays."""
    part = EXCHANGED
    for _ in range(rounds):
        check_time()
        order = np.argsort(removal_losses(rows, weights, found), kind="stable")
        leaving, staying = np.split(order, [max(round(part * len(order)), 1)])
        staying = np.sort(staying)
        pool = np.concatenate([candidates, found.roles[leaving] > 0.5])
        given = product(found.held[:, staying], found.roles[staying]) > 0.5
        new = greedy(rows, weights, pool, n_roles - len(staying), covered=given)
        trial = refit_limited(rows, weights, np.concatenate([found.roles[staying], new]), largest)
        if trial.gain > found.gain:
            found = trial
        elif part < LEAST_EXCHANGED:
            break
        else:
            part /= 2
    return found


def removal_losses(rows: np.ndarray, weights: np.ndarray, found: Cover) -> np.ndarray:
    """What is lost without each role, if its users get no other."""
    once = EVEN.of(rows) * weights[:, None] * (np.abs(product(found.held, found.roles) - 1) < 0.5)
    return np.einsum("kj,kj->k", product(found.held.T, once), found.roles)


def candidate_sets(held: np.ndarray, weights: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct sets with the weight of their users: none, single roles, and those most asked for."""
    n_roles = held.shape[1]
    small = np.concatenate([np.zeros((1, n_roles)), np.eye(n_roles)])
    sets, place = np.unique(np.concatenate([small, held]), axis=0, return_inverse=True)
    mass = np.bincount(place.ravel(), weights=np.append(np.zeros(len(small)), weights))
    large = np.flatnonzero(sets.sum(axis=1) > 1)
    kept = large[np.argsort(-mass[large], kind="stable")[: max(most - len(small), 0)]]
    order = np.append(np.flatnonzero(sets.sum(axis=1) <= 1), np.sort(kept))
    return sets[order], mass[order]
