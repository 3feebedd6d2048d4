"""Rules beside roles: "everyone with department Sales, site Zürich", with how often they are right.

The condition of a role is the one that shortens the list of its holders most, if any does (membership.py). Shares of
few users are drawn towards what holds for everybody, as if `PRIOR_USERS` more had been seen who are like all others:

precision = (b + 2 |U| / n) / (s + 2),    recall = (b + 2 s / n) / (|U| + 2)

for b of the |U| holders among the s users who meet the condition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.roles.description.code_length import role_cost
from unmix.roles.description.conditions import Condition, Conditions, conditions_of, in_words
from unmix.roles.description.membership import Memberships, holders
from unmix.roles.problem.result import Roles

PRIOR_USERS = 2.0
MOSTLY_RIGHT = 0.5  # precision from which a condition says who gets a role, and not only where it is less rare


class RoleRule(NamedTuple):
    """A role and the condition that tells who holds it.

    ``users`` meet the condition, ``holders`` have the role, ``both`` is how many do both; ``bits`` is what the rule
    saves of the list of holders. Of those who meet it ``precision`` hold the role, of the holders ``recall`` meet it.
    """

    role: str
    condition: Condition
    users: int
    holders: int
    both: int
    precision: float
    recall: float
    bits: float

    @property
    def sentence(self) -> str:
        return (
            f"{self.role}: everyone with {in_words(self.condition)} (right for {self.both} of {self.users}; "
            f"{self.both} of {self.holders} holders)"
        )


class Ruled(NamedTuple):
    """The rules of roles in numbers: conditions, which one each role has (-1: none), and who meets it."""

    conditions: Conditions
    rule: np.ndarray
    both: np.ndarray
    holders: np.ndarray


def ruled(found: Roles) -> Ruled:
    conditions, held = conditions_of(found.access), found.user_roles.astype(np.float64)
    code = Memberships(held.shape[0], conditions)
    rule = code.rules(held)
    both = code.meeting(held, rule) if (rule >= 0).any() else np.zeros(len(rule), int)
    return Ruled(conditions, rule, both, holders(held))


def role_rules(found: Roles) -> list[RoleRule]:
    """Roles that follow from attributes of their users, those of which attributes say most first.

    Examples
    --------
    >>> from unmix.roles import mine, role_rules
    >>> who = {f"u{i}": {"team": ["Red", "Blue"][i % 2]} for i in range(40)}
    >>> pairs = [(f"u{i}", f"{'rb'[i % 2]}{k}") for i in range(40) for k in range(4)]
    >>> role_rules(mine(pairs, attributes=who))[0].sentence
    'R01: everyone with team Red (right for 20 of 20; 20 of 20 holders)'
    """
    conditions, rule, both, users = ruled(found)
    n, size, listed = len(found.access.users), conditions.users, []
    code = Memberships(n, conditions)
    for k in np.flatnonzero(rule >= 0):
        c, b, s, u = rule[k], int(both[k]), int(size[rule[k]]), int(users[k])
        saved = float(role_cost(u, n) - code.rule_bits(np.array([u]), np.array([c]), np.array([b]))[0])
        precision, recall = shrunk(b, s, u / n), shrunk(b, u, s / n)
        listed.append(RoleRule(found.names[k], conditions.names[c], s, u, b, precision, recall, saved))
    return sorted(listed, key=lambda entry: -entry.bits)


def shrunk(count: float, of: float, overall: float) -> float:
    """A share drawn towards the overall one.

    >>> round(shrunk(3, 3, 0.1), 2), round(shrunk(300, 300, 0.1), 2)
    (0.64, 0.99)
    """
    return float((count + PRIOR_USERS * overall) / (of + PRIOR_USERS))
