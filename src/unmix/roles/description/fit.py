"""Roles by the shortest description: candidates, a choice among them, refinement, and again on what is left over."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.sparse import csr_array, vstack

from unmix.core.random import spawn
from unmix.roles.description.assignment import Assigned, assign, granted_by, measured
from unmix.roles.description.candidates import candidates, distinct, implied
from unmix.roles.description.choice import choose
from unmix.roles.description.code_length import Rates
from unmix.roles.description.fewer_roles import fewer_roles, within_limits
from unmix.roles.description.membership import Memberships, Prices, plain_prices
from unmix.roles.description.refinement import refine
from unmix.roles.description.ruled_roles import ruled_roles
from unmix.roles.description.task import Task
from unmix.roles.problem.budget import Budget

FIRST_RATES = Rates(0.02, 0.2)  # a covered zero costs what two covered ones save: two roles are not taken for one
ROUNDS = 4
SHARE_OF_CANDIDATES = 0.4  # of the time left; of what then is left,
SHARE_OF_CHOICE = 0.4  # this is for the choice among them, and the rest for users and roles in turn
SECONDS_AFTER_INTERRUPT = 3.0  # where Ctrl-C came before any role was chosen
ENTRIES_TO_BEGIN_AGAIN = 1 << 17  # a table of so many takes well below a second
Ways = tuple[Callable[[csr_array, np.random.Generator, Budget], csr_array], ...]
LEAST_GAIN = 1e-3  # of the bits: what another round must save


def shortest_description(X: csr_array, seed: int, task: Task, observe: Callable[[str], None] | None = None) -> Assigned:
    """Roles of the users in X, a CSR matrix of 0.0 and 1.0, as many as make the description shortest.

    The best so far where the time is over or Ctrl-C was pressed.
    """
    n, d = X.shape
    plain, nothing = task._replace(code=Memberships(n)), csr_array((0, d))
    found, pool = measured(X, nothing, csr_array((n, 0)), kept=task.kept), nothing
    with task.budget:
        for ways in (candidates,), (candidates, implied):
            if ways[-1] is implied and (n * d > ENTRIES_TO_BEGIN_AGAIN or task.budget.over):
                break
            for trial, seen in in_rounds(X, ways, seed, plain, observe):
                if trial.bits(X) <= found.bits(X):
                    found, pool = trial, seen
        found = steered(X, found, pool, task, observe)
    return within_limits(X, found, task)


def in_rounds(
    X: csr_array, ways: Ways, seed: int, task: Task, observe: Callable[[str], None] | None
) -> Iterator[tuple[Assigned, csr_array]]:
    """Roles from candidates that are found in these ways, round by round while that saves bits; and all candidates."""
    n, d = X.shape
    found = measured(X, csr_array((0, d)), csr_array((n, 0)), kept=task.kept)
    pool = task.kept.sets if task.kept.sets.shape[0] else found.roles
    for number in range(ROUNDS):
        if observe is not None:
            observe(f"looking for what users have in common ({found.roles.shape[0]} roles so far)")
        trial, pool = another_round(X, found, pool, ways, spawn(seed, number), task)
        if task.budget.interrupted and not found.roles.shape[0] and not trial.roles.shape[0]:
            soon = task._replace(budget=Budget(SECONDS_AFTER_INTERRUPT))
            trial, pool = another_round(X, found, pool, ways, spawn(seed, number), soon)
        trial = restored(X, trial, task)
        gain = found.bits(X) - trial.bits(X)
        if gain > 0:
            found = trial
        yield found, pool
        if gain < LEAST_GAIN * found.bits(X) or task.budget.over:
            break


def another_round(
    X: csr_array, found: Assigned, pool: csr_array, ways: Ways, rng: np.random.Generator, task: Task
) -> tuple[Assigned, csr_array]:
    """Roles chosen anew from those found, the pool and candidates in what is left over; and all of these."""
    left = csr_array(X - X.multiply(granted_by(found.held, found.roles)))
    time = task.budget.part(SHARE_OF_CANDIDATES)
    new = task.limits.within(csr_array(vstack([way(left, rng, time) for way in ways], format="csr")))
    pool = distinct(csr_array(vstack([found.roles, pool, new], format="csr")))
    rates = found.rates(X) if found.roles.shape[0] else FIRST_RATES
    chosen = choose(X, pool, rates, task.budget.part(SHARE_OF_CHOICE), kept=task.kept)
    return refined(X, chosen, rates, task), pool


def restored(X: csr_array, found: Assigned, task: Task) -> Assigned:
    """With existing roles in place of those they became, where that is shorter: role by role, refining decides."""
    if not task.kept.sets.shape[0] or task.budget.over:
        return found
    trial = refined(X, task.kept.restored(found.roles), found.rates(X), task)
    return trial if trial.bits(X) < found.bits(X) else found


def steered(
    X: csr_array, found: Assigned, pool: csr_array, task: Task, observe: Callable[[str], None] | None
) -> Assigned:
    """By rules on attributes: the roles found, with who holds them said by rules; or rules first, whichever is shorter.

    Where no rule pays, the roles stay as they are.
    """
    if task.code.conditions is None or task.budget.over:
        return found
    if observe is not None:
        observe(f"asking which roles follow from attributes ({found.roles.shape[0]} roles so far)")
    found = found._replace(membership_bits=task.code.bits(found.held))
    for _ in range(ROUNDS):
        rates = found.rates(X) if found.roles.shape[0] else FIRST_RATES
        trials = [refined(X, roles, rates, task) for roles in starts(X, found, pool, rates, task)]
        best = min(trials, key=lambda trial: trial.bits(X), default=found)
        gain = found.bits(X) - best.bits(X)
        if gain > 0:
            found = best
        if gain < LEAST_GAIN * found.bits(X) or task.budget.over:
            break
    return found


def starts(X: csr_array, found: Assigned, pool: csr_array, rates: Rates, task: Task) -> Iterator[csr_array]:
    """Roles to refine: those found where rules say who holds some of them, and those of rules with others beside."""
    if found.roles.shape[0] and (task.code.rules(found.held) >= 0).any():
        yield found.roles
    ruled = task.limits.within(ruled_roles(X, rates, task))
    if ruled.shape[0] and not task.budget.over:
        given = granted_by(assign(X, ruled, rates, even_prices(X, ruled)), ruled)
        more = choose(
            X, distinct(csr_array(vstack([found.roles, pool], format="csr"))), rates, task.budget, given, task.kept
        )
        yield csr_array(vstack([ruled, more], format="csr"))


def refined(X: csr_array, roles: csr_array, rates: Rates, task: Task) -> Assigned:
    """Refined from users who are given these roles as if all were equally common."""
    if not roles.shape[0]:
        return measured(X, roles, csr_array((X.shape[0], 0)), task.code, task.kept)
    best = refine(X, roles, even_prices(X, roles), rates, task)
    return fewer_roles(X, best, task)


def even_prices(X: csr_array, roles: csr_array) -> Prices:
    return plain_prices(np.full(roles.shape[0], X.shape[0] / max(roles.shape[0], 1)), X.shape[0])
