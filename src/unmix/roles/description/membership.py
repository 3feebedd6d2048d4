"""Who holds a role, in bits: by how many do, or by a rule on attributes and how many of both sides of it do.

Without attributes it takes n H(|U| / n) bits to say which of n users hold a role. With a condition that s users meet,
b of the holders U among them,

s H(b / s) + (n - s) H((|U| - b) / (n - s)) + bits to name the condition + log2(n) / 2 for one more share,

whichever is less: what attributes say of a role is counted in the same unit as access, and chance pays for no rule.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from unmix.roles.description.code_length import entropy, membership_cost, role_cost
from unmix.roles.description.conditions import Conditions

NO_RULE = -1
SUREST = (
    0.99  # share of holders that a price inside a rule is taken from, at most: no access follows from attributes alone
)


class Prices(NamedTuple):
    """Bits that holding each role costs those who meet its rule and the others; who meets it (users, roles)."""

    inside: np.ndarray
    outside: np.ndarray
    meets: csr_array

    def of(self, users: np.ndarray) -> Prices:
        """For some of the users."""
        return self._replace(meets=csr_array(self.meets[users]))


class Memberships(NamedTuple):
    """The code of who holds what among n users, with the conditions that rules may use (None: no rules)."""

    n: int
    conditions: Conditions | None = None

    def rules(self, held: csr_array) -> np.ndarray:
        """The condition that says most about the holders of each role, `NO_RULE` where none pays."""
        rule = np.full(held.shape[1], NO_RULE)
        if self.conditions is None or not self.conditions.names or not held.nnz:
            return rule
        role, condition, both = overlaps(held, self.conditions)
        users = holders(held)
        saved = role_cost(users, self.n)[role] - self.rule_bits(users[role], condition, both)
        order = np.lexsort((condition, -saved, role))
        first = order[np.unique(role[order], return_index=True)[1]]
        first = first[saved[first] > 0]
        rule[role[first]] = condition[first]
        return rule

    def rule_bits(self, users: Any, condition: np.ndarray, both: np.ndarray) -> Any:
        """Bits of a role with so many ``users``, ``both`` of whom meet the condition."""
        assert self.conditions is not None
        size = self.conditions.users[condition]
        inside, outside = size * entropy(both / size), (self.n - size) * entropy((users - both) / (self.n - size))
        return inside + outside + self.conditions.bits[condition] + 0.5 * np.log2(self.n)

    def bits(self, held: csr_array, rule: np.ndarray | None = None) -> float:
        """Of all assignments, each role by its rule (if none is given, its best) or by its number of users."""
        rule = self.rules(held) if rule is None else rule
        users, ruled = holders(held), rule >= 0
        total = float(np.sum(role_cost(users[~ruled], self.n)))
        if not ruled.any():
            return total
        both = self.meeting(held, rule)
        return total + float(np.sum(self.rule_bits(users[ruled], rule[ruled], both[ruled])))

    def prices(self, held: csr_array, rule: np.ndarray | None = None) -> Prices:
        """What one more assignment of each role costs, as many holding it as do now."""
        rule = self.rules(held) if rule is None else rule
        users, ruled = holders(held), rule >= 0
        outside = np.asarray(membership_cost(users, self.n), dtype=np.float64)
        if self.conditions is None or not ruled.any():
            return Prices(outside, outside, csr_array((self.n, len(rule))))
        both, size = self.meeting(held, rule)[ruled], self.conditions.users[rule[ruled]]
        outside[ruled] = membership_cost(users[ruled] - both, self.n - size)
        inside, share = outside.copy(), np.minimum((both + 0.5) / (size + 1), SUREST)
        inside[ruled] = np.log2((1 - share) / share)
        return Prices(inside, outside, self.meets(rule))

    def meets(self, rule: np.ndarray) -> csr_array:
        """Who meets the rule of each role (users, roles); nobody where it has none."""
        assert self.conditions is not None
        ruled = np.flatnonzero(rule >= 0)
        place = csr_array((np.ones(len(ruled)), (rule[ruled], ruled)), shape=(len(self.conditions.names), len(rule)))
        return csr_array(self.conditions.meets @ place)

    def meeting(self, held: csr_array, rule: np.ndarray) -> np.ndarray:
        """How many holders of each role meet its rule."""
        return holders(csr_array(held.multiply(self.meets(rule))))


def plain_prices(users: np.ndarray, n: int, rows: int | None = None) -> Prices:
    """Prices without rules, where ``users`` of n hold each role."""
    cost = np.asarray(membership_cost(users, n), dtype=np.float64)
    return Prices(cost, cost, csr_array((n if rows is None else rows, len(cost))))


def holders(held: csr_array) -> np.ndarray:
    return np.bincount(held.indices, minlength=held.shape[1])


def overlaps(held: csr_array, conditions: Conditions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Roles and conditions that share users, and how many."""
    shared = coo_array(csr_array(held.T) @ conditions.meets)
    return shared.coords[0], shared.coords[1], shared.data
