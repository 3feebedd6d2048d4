"""Exceptions as proposals that a reviewer decides at once: a permission of several users alike, or several of one user.

Entries that would be treated in the same way are taken together, the largest group that one user or one permission
makes first, then the largest of what is left (greedy).
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from unmix.roles.access.access import Name
from unmix.roles.access.permission import as_text

HELD = ("direct", "lost", "improbable")
MORE_LIKELY = 0.5
MOST_NAMED = 3


class Proposal(NamedTuple):
    """Something to do with some entries.

    ``action``: "take" grants that are more probably wrong than right, "give" what is more probably missing than not,
    "keep" or "leave" where the opposite is more probable. ``probability`` is the mean over the entries of being wrong,
    ``risk`` the sum of their risks, ``entries`` their places in the list of exceptions.
    """

    action: str
    users: list[Name]
    permissions: list[Name]
    probability: float
    risk: float
    entries: list[int]

    @property
    def sentence(self) -> str:
        """
        >>> Proposal("take", ["ann", "bob"], ["payroll"], 0.975, 1.95, [0, 3]).sentence
        'take payroll from ann and bob (2 entries, wrong with probability 97 %)'
        """
        what = few([as_text(permission) for permission in self.permissions], "permissions")
        word = {"take": "from", "give": "to", "keep": "of", "leave": "of"}[self.action]
        action = {"leave": "leave out"}.get(self.action, self.action)
        number = f"{len(self.entries)} entr{'y' if len(self.entries) == 1 else 'ies'}"
        sure = f"wrong with probability {int(100 * self.probability)} %"
        return f"{action} {what} {word} {few([str(user) for user in self.users], 'users')} ({number}, {sure})"


def few(names: list[str], kind: str) -> str:
    if len(names) > MOST_NAMED:
        return f"{len(names)} {kind} ({', '.join(names[:2])}, …)"
    return " and ".join(", ".join(names).rsplit(", ", 1))


def action_of(entry: Any) -> str:
    wrong = entry.probability >= MORE_LIKELY
    return ("take" if wrong else "keep") if entry.kind in HELD else ("give" if wrong else "leave")


def proposals(exceptions: Sequence[Any]) -> list[Proposal]:
    """Every exception in one proposal; those of most risk first.

    Examples
    --------
    >>> from unmix.roles import explain, mine, proposals
    >>> pairs = [(f"u{i}", f"{'abc'[i % 3]}{k}") for i in range(90) for k in range(9)]
    >>> pairs += [("u3", "b2"), ("u6", "b2"), ("u8", "a1"), ("u8", "a3")]
    >>> for one in proposals(explain(mine(pairs)).exceptions):
    ...     print(one.action, one.users, one.permissions)
    take ['u8'] ['a1', 'a3']
    take ['u3', 'u6'] ['b2']
    """
    groups: dict[Hashable, set[int]] = defaultdict(set)
    keys: list[tuple[Hashable, Hashable]] = []
    for k, entry in enumerate(exceptions):
        action = action_of(entry)
        keys.append(((action, "permission", entry.permission), (action, "user", entry.user)))
        for key in keys[-1]:
            groups[key].add(k)
    order = {key: place for place, key in enumerate(groups)}
    queue = [(-len(members), order[key], key) for key, members in groups.items()]
    heapq.heapify(queue)
    found = []
    while queue:
        size, _, key = heapq.heappop(queue)
        members = groups[key]
        if not members:
            continue
        if len(members) < -size:
            heapq.heappush(queue, (-len(members), order[key], key))
            continue
        chosen = sorted(members)
        for k in chosen:
            for other in keys[k]:
                groups[other].discard(k)
        found.append(proposal(exceptions, chosen))
    return sorted(found, key=lambda one: (-one.risk, one.entries))


def proposal(exceptions: Sequence[Any], chosen: list[int]) -> Proposal:
    entries = [exceptions[k] for k in chosen]
    users, permissions = ({getattr(entry, name): None for entry in entries} for name in ("user", "permission"))
    mean = sum(entry.probability for entry in entries) / len(entries)
    risk = sum(entry.risk for entry in entries)
    return Proposal(action_of(entries[0]), list(users), list(permissions), mean, risk, chosen)
