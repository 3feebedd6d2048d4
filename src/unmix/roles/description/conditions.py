"""Conditions on users that their attributes make: one value ("department is Sales"), or values of two attributes."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.roles.access.access import Access

LEAST_USERS = 3  # who meet a condition: fewer are a name, not a kind of user
MOST_PAIRS = 20_000  # conditions on two attributes, those of most users

Condition = tuple[tuple[str, str], ...]  # (attribute, value), one or two of them


class Conditions(NamedTuple):
    """Conditions, who meets them (users, conditions), 1.0 each, and the bits it takes to name each."""

    names: list[Condition]
    meets: csr_array
    bits: np.ndarray

    @property
    def users(self) -> np.ndarray:
        """How many meet each."""
        return np.bincount(self.meets.indices, minlength=len(self.names))


def in_words(condition: Condition) -> str:
    """
    >>> in_words((("department", "Sales"), ("site", "Bern")))
    'department Sales, site Bern'
    """
    return ", ".join(f"{attribute} {value}" for attribute, value in condition)


def conditions_of(access: Access) -> Conditions:
    """All that some but not all users meet, the single values first.

    Naming one of m single values takes 1 + log2 m bits, and likewise for pairs of values.

    >>> who = {f"u{i}": {"team": "ab"[i % 2]} for i in range(8)}
    >>> found = conditions_of(Access.of_pairs([(user, "mail") for user in who], user_attributes=who))
    >>> found.names, found.users.tolist(), found.bits.tolist()
    ([(('team', 'a'),), (('team', 'b'),)], [4, 4], [2.0, 2.0])
    """
    columns = value_columns(access)
    singles = [one for name, (values, code) in columns.items() for one in single_conditions(name, values, code)]
    pairs = [
        one
        for (a, first), (b, second) in combinations(columns.items(), 2)
        for one in pair_conditions((a, b), (first, second))
    ]
    pairs = sorted(pairs, key=lambda one: -len(one[1]))[:MOST_PAIRS]
    bits = [1 + np.log2(len(some)) for some in (singles, pairs) for _ in some]
    found = singles + pairs
    return Conditions(
        [name for name, _ in found], matrix([users for _, users in found], len(access.users)), np.array(bits)
    )


def value_columns(access: Access) -> dict[str, tuple[list[str], np.ndarray]]:
    """Of each attribute its values as text, and the number of each user's value, -1 where it is blank."""
    texts: dict[str, list[str]] = {}
    for i, user in enumerate(access.users):
        for name, value in access.user_attributes.get(user, {}).items():
            text = "" if value is None else str(value).strip()
            texts.setdefault(name, [""] * len(access.users))[i] = text
    columns = {}
    for name, cells in texts.items():
        values, code = np.unique(np.array(cells, dtype=object).astype(str), return_inverse=True)
        blank = int(len(values) > 0 and values[0] == "")
        columns[name] = ([str(value) for value in values[blank:]], code.ravel() - blank)
    return columns


def single_conditions(name: str, values: list[str], code: np.ndarray) -> list[tuple[Condition, np.ndarray]]:
    return [(((name, values[v]),), users) for v, users in members(code).items()]


def pair_conditions(
    names: tuple[str, str], columns: tuple[tuple[list[str], np.ndarray], tuple[list[str], np.ndarray]]
) -> list[tuple[Condition, np.ndarray]]:
    """Values of two attributes together, where that says more than either alone."""
    (first, a), (second, b) = columns
    both = np.where((a >= 0) & (b >= 0), a * len(second) + b, -1)
    alone = np.bincount(a[a >= 0], minlength=len(first)), np.bincount(b[b >= 0], minlength=len(second))
    found: list[tuple[Condition, np.ndarray]] = []
    for code, users in members(both).items():
        v, w = divmod(code, len(second))
        if len(users) < min(alone[0][v], alone[1][w]):
            found.append((((names[0], first[v]), (names[1], second[w])), users))
    return found


def members(code: np.ndarray) -> dict[int, np.ndarray]:
    """Users of each number from 0 on, where they are some but not all."""
    order = np.argsort(code, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(code[order])) + 1) if len(order) else []
    return {int(code[g[0]]): g for g in groups if code[g[0]] >= 0 and LEAST_USERS <= len(g) < len(code)}


def matrix(groups: list[np.ndarray], n: int) -> csr_array:
    """Members (users, groups), 1.0 each."""
    if not groups:
        return csr_array((n, 0))
    number = np.repeat(np.arange(len(groups)), [len(users) for users in groups])
    return csr_array((np.ones(len(number)), (np.concatenate(groups), number)), shape=(n, len(groups)))
