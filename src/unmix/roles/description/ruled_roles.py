"""Roles by rules: what most users have in common who meet a condition, taken while that saves bits.

For a condition with users S, P are the permissions that more than half of S have and no role gives yet, and v_i the
bits that P saves user i. With b users of S for whom it saves any, the role saves

Σ_{i in S} max(0, v_i) - |S| H(b / |S|) - d H(|P| / d) - bits to name the condition - log2(n) / 2.

It is taken if, of all users for whom P would save bits, the condition tells who they are.
"""

from __future__ import annotations

import heapq

import numpy as np
from scipy.sparse import csc_array, csr_array

from unmix.roles.description.code_length import Rates, entropy, role_cost
from unmix.roles.description.conditions import Conditions
from unmix.roles.description.lists import of_lists
from unmix.roles.description.membership import Memberships
from unmix.roles.description.task import Task

MAJORITY = 0.5


class Leftover:
    """The ones that no role gives yet, by user, and what is given already."""

    def __init__(self, X: csr_array, conditions: Conditions, rates: Rates) -> None:
        self.X, self.rates, self.conditions = X, rates, conditions
        self.given, self.by_permission = csr_array(X.shape), csc_array(X)
        by_condition = csr_array(conditions.meets.T)
        self.users = np.split(by_condition.indices, by_condition.indptr[1:-1]) if conditions.names else []

    def role(self, c: int) -> tuple[float, np.ndarray, np.ndarray]:
        """Bits that the role of condition c saves, its permissions, and the users for whom it does."""
        users, n, d = self.users[c], *self.X.shape
        given = self.given[users]
        left = csr_array(self.X[users] - self.X[users].multiply(given))
        left.eliminate_zeros()
        common = np.flatnonzero(np.bincount(left.indices, minlength=d) > MAJORITY * len(users))
        if not len(common):
            return -np.inf, common, users[:0]
        ones = left[:, common].sum(axis=1)
        free: np.ndarray = len(common) - np.asarray(given[:, common].sum(axis=1))
        value = self.rates.reward * ones - self.rates.penalty * (free - ones)
        paying = value > 0
        bits = value[paying].sum() - len(users) * entropy(paying.mean()) - role_cost(len(common), d)
        return float(bits - self.conditions.bits[c] - 0.5 * np.log2(n)), common, users[paying]

    def is_rule(self, c: int, permissions: np.ndarray, holders: np.ndarray) -> bool:
        """Whether the condition says who holds these permissions: what is as common elsewhere, it does not."""
        n = self.X.shape[0]
        ones = self.by_permission[:, permissions].sum(axis=1)
        paying = self.rates.reward * ones > self.rates.penalty * (len(permissions) - ones)
        paying[self.users[c]] = False
        both, total = np.array([len(holders)]), np.array([len(holders) + paying.sum()])
        rule_bits = Memberships(n, self.conditions).rule_bits(total, np.array([c]), both)
        return bool(rule_bits[0] < role_cost(total, n)[0])

    def give(self, users: np.ndarray, permissions: np.ndarray) -> None:
        rows, columns = np.repeat(users, len(permissions)), np.tile(permissions, len(users))
        more = csr_array((np.ones(len(rows)), (rows, columns)), shape=self.X.shape)
        self.given = csr_array(self.given + more)
        self.given.data[:] = 1.0


def ruled_roles(X: csr_array, rates: Rates, task: Task) -> csr_array:
    """The roles that rules on attributes make, each at its turn the one that saves most."""
    if task.code.conditions is None:
        return csr_array((0, X.shape[1]))
    left, found = Leftover(X, task.code.conditions, rates), []
    queue = [(-gain, c) for c in range(len(left.users)) if (gain := left.role(c)[0]) > 0]
    heapq.heapify(queue)
    while queue and not task.budget.over:
        _, c = heapq.heappop(queue)
        gain, permissions, users = left.role(c)
        if gain <= 0:
            continue
        if queue and gain < -queue[0][0]:
            heapq.heappush(queue, (-gain, c))
            continue
        if not left.is_rule(c, permissions, users):
            continue
        left.give(users, permissions)
        found.append(permissions)
    return of_lists(found, X.shape[1])
