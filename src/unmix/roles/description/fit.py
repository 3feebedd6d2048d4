"""Roles by the shortest description: candidates, a choice among them, refinement, and again on what is left over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array, vstack

from unmix.core.random import spawn
from unmix.roles.description.assignment import Assigned, granted_by, measured
from unmix.roles.description.candidates import candidates, distinct
from unmix.roles.description.choice import choose
from unmix.roles.description.code_length import Rates
from unmix.roles.description.refinement import refine
from unmix.roles.problem.budget import Budget

FIRST_RATES = Rates(0.02, 0.2)  # a covered zero costs what two covered ones save: two roles are not taken for one
ROUNDS = 4
LEAST_GAIN = 1e-3  # of the bits: what another round must save


def shortest_description(
    X: csr_array, seed: int, budget: Budget, observe: Callable[[str], None] | None = None
) -> Assigned:
    """Roles of the users in X, a CSR matrix of 0.0 and 1.0, as many as make the description shortest.

    The best so far where the time is over or Ctrl-C was pressed.
    """
    n, d = X.shape
    found, pool = measured(X, csr_array((0, d)), csr_array((n, 0))), csr_array((0, d))
    with budget:
        for number in range(ROUNDS):
            if observe is not None:
                observe(f"looking for what users have in common ({found.roles.shape[0]} roles so far)")
            given = granted_by(found.held, found.roles)
            left = csr_array(X - X.multiply(given))
            pool = distinct(csr_array(vstack([pool, candidates(left, spawn(seed, number), budget)], format="csr")))
            trial = another_round(X, found, pool, budget)
            gain = found.bits(X) - trial.bits(X)
            if gain > 0:
                found = trial
            if gain < LEAST_GAIN * found.bits(X) or budget.over:
                break
    return found


def another_round(X: csr_array, found: Assigned, pool: csr_array, budget: Budget) -> Assigned:
    """Roles chosen anew from those found and all candidates, then refined."""
    rates = found.rates(X) if found.roles.shape[0] else FIRST_RATES
    roles = choose(X, csr_array(vstack([found.roles, pool], format="csr")), rates, budget)
    users = np.full(roles.shape[0], X.shape[0] / max(roles.shape[0], 1))
    return refine(X, roles, users, rates, budget) if roles.shape[0] else found
