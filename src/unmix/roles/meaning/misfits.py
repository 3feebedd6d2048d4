"""Users whose roles fit other attributes better than their own, such as movers who kept what they had.

A role with a rule is held with probability a by those who meet its condition and b by others (shrunk shares). User i
with attributes g has log-likelihood l_i(g) = Σ_k log2 p(z_ik | g). That some other combination g' of the G there are
fits better is evidence of

l_i(g') - l_i(g) - log2 G bits;

if attributes are right, it is more than t bits with probability at most 2^-t. Users are listed from log2 n bits on, so
that less than one is expected among those who do fit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.access.access import Name, row
from unmix.roles.description.conditions import Condition, in_words
from unmix.roles.description.membership import Memberships
from unmix.roles.meaning.rules import Ruled, ruled, shrunk
from unmix.roles.problem.result import Roles

ROWS_AT_ONCE = 4096
MOST_COMBINATIONS = 4000  # of attributes, the most common ones


class AttributeMisfit(NamedTuple):
    """A user whose roles others with other attributes have.

    ``lacks`` are roles that follow from the user's attributes and are not held, ``holds`` those of other conditions;
    ``like`` are the conditions whose users have such roles; ``bits`` is the evidence.
    """

    user: Name
    lacks: list[str]
    holds: list[str]
    like: list[Condition]
    bits: float
    reason: str


def attribute_misfits(found: Roles) -> list[AttributeMisfit]:
    """Users whose roles fit other attributes better, the surest first.

    Examples
    --------
    >>> from unmix.roles import attribute_misfits, mine
    >>> who = {f"u{i}": {"team": ["Red", "Blue"][i % 2]} for i in range(80)}
    >>> pairs = [(f"u{i}", f"{'rb'[i % 2 or i == 8]}{k}") for i in range(80) for k in range(4)]
    >>> [entry.reason for entry in attribute_misfits(mine(pairs, attributes=who))]
    ['lacks R01, which 39 of 40 with team Red have; has R02, which 40 of 40 with team Blue have']
    """
    rules = ruled(found)
    roles = np.flatnonzero(rules.rule >= 0)
    n = len(found.access.users)
    if not len(roles):
        return []
    held = csr_array(found.user_roles[:, roles]).astype(np.float64)
    meets = csr_array(Memberships(n, rules.conditions).meets(rules.rule)[:, roles])
    inside, outside = rates(rules, roles, n)
    combinations = combined(meets)
    bits, best = np.zeros(n), np.zeros(n, int)
    for begin in range(0, n, ROWS_AT_ONCE):
        some = slice(begin, begin + ROWS_AT_ONCE)
        own = likelihoods(held[some], meets[some].toarray(), inside, outside, paired=True)
        other = likelihoods(held[some], combinations, inside, outside)
        best[some] = other.argmax(axis=1)
        bits[some] = other.max(axis=1) - own - np.log2(len(combinations))
    known = np.array([bool(found.access.user_attributes.get(user)) for user in found.access.users])
    odd = np.flatnonzero(known & (bits > np.log2(n)))
    listed = [misfit_of(found, rules, roles, int(i), combinations[best[i]], float(bits[i])) for i in odd]
    return sorted(listed, key=lambda entry: -entry.bits)


def rates(rules: Ruled, roles: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Probability of holding each role with a rule, inside and outside of it."""
    size = rules.conditions.users[rules.rule[roles]]
    counts = zip(rules.both[roles], rules.holders[roles], size)
    found = [(shrunk(b, s, u / n), shrunk(u - b, n - s, u / n)) for b, u, s in counts]
    return np.array([a for a, _ in found]), np.array([b for _, b in found])


def combined(meets: csr_array) -> np.ndarray:
    """Combinations of conditions that users meet, the most common ones, and none at all."""
    found, count = np.unique(meets.toarray().astype(np.int8), axis=0, return_counts=True)
    common = found[np.argsort(-count, kind="stable")[:MOST_COMBINATIONS]].astype(np.float64)
    return np.unique(np.concatenate([common, np.zeros((1, meets.shape[1]))]), axis=0)


def likelihoods(
    held: csr_array, meets: np.ndarray, inside: np.ndarray, outside: np.ndarray, paired: bool = False
) -> np.ndarray:
    """log2 p(held | meets), of each user with each combination, or with the one in the same row."""
    rate = np.where(meets > 0, inside, outside)
    base, odds = np.log2(1 - rate).sum(axis=1), np.log2(rate) - np.log2(1 - rate)
    if paired:
        return np.asarray(held.multiply(odds).sum(axis=1)).ravel() + base
    return np.asarray(held @ odds.T) + base


def misfit_of(found: Roles, rules: Ruled, roles: np.ndarray, i: int, like: np.ndarray, bits: float) -> AttributeMisfit:
    """One user in words."""
    own = set(row(rules.conditions.meets, i).tolist())
    have = set(row(found.user_roles, i).tolist())
    follows = {int(k) for k in roles if rules.rule[k] in own}
    lacks, holds = sorted(follows - have), sorted(have & set(roles.tolist()) - follows)
    words = [f"{verb} {of(found, rules, k)}" for verb, some in (("lacks", lacks), ("has", holds)) for k in some]
    fitting = [rules.conditions.names[rules.rule[k]] for k, meets in zip(roles, like) if meets]
    lacking, held = ([found.names[k] for k in some] for some in (lacks, holds))
    return AttributeMisfit(found.access.users[i], lacking, held, list(dict.fromkeys(fitting)), bits, "; ".join(words))


def of(found: Roles, rules: Ruled, k: int) -> str:
    condition = rules.rule[k]
    size, both = rules.conditions.users[condition], int(rules.both[k])
    return f"{found.names[k]}, which {both} of {size} with {in_words(rules.conditions.names[condition])} have"
