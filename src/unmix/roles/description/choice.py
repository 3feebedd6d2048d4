"""Roles chosen one by one, each the candidate that saves most bits at its turn.

gain(c) = Σ_i max(0, reward × uncovered ones of i in c - penalty × zeros of i in c - assignment) - bits to write c down.
What others cover only lowers a gain, so a gain of before is a bound, and few are looked at again (lazy greedy, Minoux
1978).
"""

from __future__ import annotations

import heapq

import numpy as np
from scipy.sparse import csc_array, csr_array

from unmix.roles.description.code_length import Rates, role_cost
from unmix.roles.description.kept import NOTHING_KEPT, KeptRoles
from unmix.roles.description.lists import lists
from unmix.roles.problem.budget import Budget

CANDIDATES_PER_TIME_CHECK = 512
SHARE_OF_FIRST_GAINS = 0.5  # of the time; the rest is for the choice


class Uncovered:
    """The table by permissions, with marks of the ones that no chosen role covers yet, and the candidates."""

    def __init__(self, X: csr_array, wanted: csr_array, rates: Rates, covered: csr_array | None = None) -> None:
        (n, d), columns = X.shape, csc_array(X)
        columns.sort_indices()
        self.candidates, self.by_permission = lists(wanted), lists(columns)
        self.uncovered = np.ones(columns.nnz, np.int64)
        if covered is not None:
            already = csc_array(X.multiply(covered))
            self.uncovered[np.isin(places(columns), places(already), assume_unique=True)] = 0
        self.costs = np.asarray(role_cost(np.diff(wanted.indptr), d), dtype=np.float64)
        self.prices = (rates.reward, rates.penalty, float(n))
        self.work = (np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64))
        self.found = np.zeros(wanted.shape[0])

    def gains(self, which: np.ndarray) -> np.ndarray:
        from unmix.roles.description.choice_kernel import candidate_gains

        candidate_gains(
            which,
            *self.candidates,
            self.costs,
            *self.by_permission,
            self.uncovered,
            *self.prices,
            *self.work,
            self.found,
        )
        return self.found[which]

    def cover(self, c: int) -> None:
        from unmix.roles.description.choice_kernel import cover_candidate

        cover_candidate(c, *self.candidates, *self.by_permission, self.uncovered, *self.prices, *self.work)


def places(columns: csc_array) -> np.ndarray:
    """A number for each entry: row and column in one."""
    number = np.repeat(np.arange(columns.shape[1], dtype=np.int64), np.diff(columns.indptr))
    return number * columns.shape[0] + columns.indices


def first_gains(table: Uncovered, number: int, budget: Budget) -> list[tuple[float, int]]:
    """Candidates that save bits, with -gain; the last first, as these went through most passes, if time is short."""
    queue: list[tuple[float, int]] = []
    for end in range(number, 0, -CANDIDATES_PER_TIME_CHECK):
        if budget.over and queue:
            break
        some = np.arange(max(0, end - CANDIDATES_PER_TIME_CHECK), end)
        queue += [(-gain, c) for c, gain in zip(some.tolist(), table.gains(some).tolist()) if gain > 0]
    return queue


def choose(
    X: csr_array,
    wanted: csr_array,
    rates: Rates,
    budget: Budget,
    covered: csr_array | None = None,
    kept: KeptRoles = NOTHING_KEPT,
) -> csr_array:
    """The candidates that save bits, each at its turn the one that saves most, as far as the time goes."""
    table = Uncovered(X, wanted, rates, covered)
    table.costs -= kept.discount(wanted)
    queue, chosen = first_gains(table, wanted.shape[0], budget.part(SHARE_OF_FIRST_GAINS)), []
    heapq.heapify(queue)
    while queue and not budget.over:
        _, c = heapq.heappop(queue)
        gain = float(table.gains(np.array([c]))[0])
        if gain <= 0:
            continue
        if queue and gain < -queue[0][0]:
            heapq.heappush(queue, (-gain, c))
            continue
        table.cover(c)
        chosen.append(c)
    return csr_array(wanted[np.array(chosen, dtype=np.intp)])
