"""The mixture noise model of multi-assignment clustering, its likelihood and its M step.

p(x_j = 1 | L) = ε r + (1 - ε) (1 - B_Lj),    p(x_j = 0 | L) = ε (1 - r) + (1 - ε) B_Lj,    B_Lj = Π_{k in L} β_kj

A bit is noise with probability ε, and then 1 with probability r; otherwise it is the OR of what the roles of the user
grant, where role k grants permission j with probability 1 - β_kj. Streich, Frank, Basin & Buhmann, ICML 2009.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

SMALLEST = 1e-12  # of a probability inside a logarithm
FEW_ROLES = 100  # up to here a full matrix of role sets is as quick as a sparse one
MOST_ENTRIES = 2**22  # of a table of users by role sets that is held at once
EDGE = 1e-9  # β stays this far from 0 and 1: a product of 0 could never come back


class Parameters(NamedTuple):
    """``absent`` is β (n_roles, n_permissions), ``noise`` ε, ``granted`` r, ``log_prior`` log π of each role set."""

    absent: np.ndarray
    noise: float
    granted: float
    log_prior: np.ndarray


class Counts(NamedTuple):
    """By role set: the weight of its users, and of those among them that have each permission."""

    mass: np.ndarray
    ones: np.ndarray


def sparse_sets(sets: np.ndarray) -> Any:
    """Role sets as lists of their roles where there are many roles: a user holds few of them."""
    return csr_array(sets) if sets.shape[1] > FEW_ROLES else sets


def chances(sets: np.ndarray, parameters: Parameters) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """B (sets, permissions), and the probabilities of a 1 and of a 0."""
    absent, noise, granted, _ = parameters
    none = np.exp(sparse_sets(sets) @ np.log(absent))
    one, zero = 1 - none, (1 - noise) * none
    one *= 1 - noise  # in place: these tables are large, and made in every round
    one += noise * granted
    zero += noise * (1 - granted)
    return none, np.maximum(one, SMALLEST, out=one), np.maximum(zero, SMALLEST, out=zero)


def log_joint(X: Any, sets: np.ndarray, parameters: Parameters, shown: np.ndarray | None = None) -> np.ndarray:
    """log π_L + log p(x_i | L), (users, sets): one matrix product. Only the permissions ``shown`` count, if given."""
    _, one, zero = chances(sets, parameters)
    one, zero = np.log(one, out=one), np.log(zero, out=zero)
    if shown is not None:
        one, zero = one * shown, zero * shown
    return X @ (one - zero).T + (zero.sum(axis=1) + parameters.log_prior)


def row_pieces(rows: Any, n_sets: int) -> Any:
    """Rows in pieces of which a table (users, sets) is not large."""
    size = max(MOST_ENTRIES // n_sets, 1)
    for begin in range(0, rows.shape[0], size):
        yield rows[begin : begin + size]


def respond(joint: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """q_iL ∝ exp(joint / T), and each user's free energy -T log Σ_L exp(joint / T)."""
    top = joint.max(axis=1, keepdims=True)
    q = np.exp((joint - top) / temperature)
    total = q.sum(axis=1, keepdims=True)
    q /= total
    return q, -(top + temperature * np.log(total))[:, 0]


def count(X: Any, q: np.ndarray, weights: np.ndarray) -> Counts:
    weighted = q * weights[:, None]
    # in the order of the tables that it is divided by, ten times a step
    return Counts(weighted.sum(axis=0), np.ascontiguousarray((X.T @ weighted).T))


def expected_cost(sets: np.ndarray, counts: Counts, parameters: Parameters) -> float:
    """-Σ_L Σ_j [ones log p(1) + zeros log p(0)]: what an M step must not raise."""
    _, one, zero = chances(sets, parameters)
    zeros = counts.mass[:, None] - counts.ones
    return -float((counts.ones * np.log(one) + zeros * np.log(zero)).sum())


def maximize(sets: np.ndarray, counts: Counts, parameters: Parameters, rounds: int, *, learn_noise: bool) -> Parameters:
    """EM over the hidden causes of every bit (noise or roles, and which role), which never lowers the likelihood.

    Given a 1 that is no noise, role k did not grant it with probability (β_k - B) / (1 - B); given a 0 that is no
    noise, no role did; a noisy bit says nothing of the roles. β, ε and r are the shares of these causes.
    """
    absent, noise, granted, log_prior = parameters
    if noise == 0 and not learn_noise and (sets.sum(axis=1) == 1).all():
        return parameters._replace(absent=shares_of_zeros(sets, counts, absent))
    zeros = counts.mass[:, None] - counts.ones
    entries = float(zeros.sum() + counts.ones.sum())
    holders = np.maximum(sets.T @ counts.mass, 1e-300)[:, None]
    for _ in range(rounds):
        none, one, zero = chances(sets, Parameters(absent, noise, granted, log_prior))
        ones_each, zeros_each = np.divide(counts.ones, one, out=one), np.divide(zeros, zero, out=zero)
        by_ones, by_zeros = sets.T @ ones_each, sets.T @ zeros_each
        shared = (1 - noise + noise * granted) * by_ones + noise * (1 - granted) * by_zeros
        if learn_noise:
            sum_ones, sum_zeros = float(ones_each.sum()), float(zeros_each.sum())
        zeros_each -= ones_each
        none *= zeros_each
        alone = (1 - noise) * (sets.T @ none)
        unused = holders <= 1e-300  # a role nobody holds keeps its β
        absent = np.clip(np.where(unused, absent, (absent * shared + alone) / holders), EDGE, 1 - EDGE)
        if learn_noise:
            sum_ones, sum_zeros = noise * granted * sum_ones, noise * (1 - granted) * sum_zeros
            noise = float(np.clip((sum_ones + sum_zeros) / entries, 1e-6, 0.999))
            granted = float(np.clip(sum_ones / max(sum_ones + sum_zeros, 1e-300), 1e-6, 1 - 1e-6))
    return Parameters(absent, noise, granted, log_prior)


def shares_of_zeros(sets: np.ndarray, counts: Counts, absent: np.ndarray) -> np.ndarray:
    """Where all sets are single roles and nothing is noise, causes are not hidden: β is the share of zeros."""
    mass = sets.T @ counts.mass
    used = mass > 1e-300
    ones = sparse_sets(sets).T @ counts.ones
    found = absent.copy()
    found[used] = 1 - ones[used] / mass[used, None]
    return np.clip(found, EDGE, 1 - EDGE)
