"""What changed between two states of access: people, grants and roles, each change with what explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from unmix.roles.change.grants import GrantChange, grant_changes
from unmix.roles.change.snapshot import Snapshot, snapshot
from unmix.roles.continuation.matching import match_over_time
from unmix.roles.continuation.numbering import holders_of


class Mover(NamedTuple):
    """Somebody who stays but does something else: roles left and taken up, attributes that changed."""

    user: str
    left: tuple[str, ...]
    joined: tuple[str, ...]
    attributes: tuple[tuple[str, str, str], ...]
    lost: int
    gained: int


class Drift(NamedTuple):
    """One role in both states: ids before and after, the overlap, and what came and went."""

    old: str
    new: str
    overlap: float
    added: tuple[str, ...]
    removed: tuple[str, ...]
    users_before: int
    users_after: int


@dataclass(frozen=True)
class Change:
    """What :func:`compare` returns; all lists are sorted.

    Attributes
    ----------
    joiners, leavers : users who have something in one state only
    movers : list of Mover
        Users of both states whose access changed together with their roles (those that several users have), or whose
        attributes changed. Without roles: those who lost grants and gained some.
    reassigned : users who have what they had, by other roles
    gained, lost : list of GrantChange
        With the cause, and whether roles explain it.
    same : ids of roles with the same permissions in both, as pairs
    drifted : list of Drift
    appeared, vanished : names of roles
    """

    joiners: list[str]
    leavers: list[str]
    movers: list[Mover]
    reassigned: list[str]
    gained: list[GrantChange]
    lost: list[GrantChange]
    same: list[tuple[str, str]]
    drifted: list[Drift]
    appeared: list[str]
    vanished: list[str]
    users: tuple[int, int]
    roles: tuple[int, int]

    def __repr__(self) -> str:
        return (
            f"Change({len(self.joiners)} joiners, {len(self.movers)} movers, {len(self.leavers)} leavers, "
            f"{len(self.gained)} grants gained and {len(self.lost)} lost, {len(self.drifted)} roles drifted, "
            f"{len(self.appeared)} appeared, {len(self.vanished)} vanished)"
        )

    @property
    def unexplained(self) -> list[GrantChange]:
        """Grants gained that no role explains: what an auditor reads first."""
        return [grant for grant in self.gained if not grant.explained]

    def to_dict(self) -> dict[str, Any]:
        """As values of JSON."""
        return {
            "users": list(self.users),
            "roles": list(self.roles),
            "joiners": self.joiners,
            "leavers": self.leavers,
            "reassigned": self.reassigned,
            "movers": [{**m._asdict(), "left": list(m.left), "joined": list(m.joined),
                        "attributes": [list(a) for a in m.attributes]} for m in self.movers],
            "gained": [grant._asdict() for grant in self.gained],
            "lost": [grant._asdict() for grant in self.lost],
            "same": [list(pair) for pair in self.same],
            "drifted": [{**d._asdict(), "added": list(d.added), "removed": list(d.removed)} for d in self.drifted],
            "appeared": self.appeared,
            "vanished": self.vanished,
        }  # fmt: skip


def compare(old: Any, new: Any) -> Change:
    """Compares two states of access.

    Parameters
    ----------
    old, new : Roles, document, folder of results, Access, or anything :func:`read` takes
        Roles are compared where both have them; grants always.

    Returns
    -------
    Change

    Examples
    --------
    >>> from unmix.roles import compare, mine
    >>> before = mine([("ann", "mail"), ("ann", "crm"), ("bob", "mail"), ("bob", "crm"), ("eve", "mail")])
    >>> after = mine([("ann", "mail"), ("ann", "crm"), ("bob", "mail"), ("joe", "mail"), ("joe", "crm")], keep=before)
    >>> change = compare(before, after)
    >>> change.joiners, change.leavers, [mover.user for mover in change.movers]
    (['joe'], ['eve'], ['bob'])
    """
    before, after = snapshot(old), snapshot(new)
    sides = [holders_of((user, role) for user, held in side.held.items() for role in held) for side in (before, after)]
    pairs = match_over_time(before.roles, after.roles, *sides)
    became = {match.old: match.new for match in pairs}
    matched = set(became.values())
    drifted = [
        Drift(
            m.old, m.new, m.overlap, tuple(sorted(after.roles[m.new] - before.roles[m.old])),
            tuple(sorted(before.roles[m.old] - after.roles[m.new])),
            len(sides[0].get(m.old, ())), len(sides[1].get(m.new, ())),
        )
        for m in pairs
        if before.roles[m.old] != after.roles[m.new]
    ]  # fmt: skip
    gained, lost = grant_changes(before, after, became)
    moved, reassigned = movers(before, after, became)
    return Change(
        joiners=sorted(after.users - before.users),
        leavers=sorted(before.users - after.users),
        movers=moved,
        reassigned=reassigned,
        gained=gained,
        lost=lost,
        same=[(m.old, m.new) for m in pairs if before.roles[m.old] == after.roles[m.new]],
        drifted=drifted,
        appeared=[after.names[role] for role in after.roles if role not in matched] if before.roles else [],
        vanished=[before.names[role] for role in before.roles if role not in became] if after.roles else [],
        users=(len(before.users), len(after.users)),
        roles=(len(before.roles), len(after.roles)),
    )


def movers(before: Snapshot, after: Snapshot, became: dict[str, str]) -> tuple[list[Mover], list[str]]:
    """Users of both states who do something else now, and those who do the same by other roles."""
    found, same = [], []
    for user in sorted(before.users & after.users):
        was, has = before.grants[user], after.grants[user]
        left, joined = role_moves(before, after, became, user)
        old, new = before.attributes.get(user, {}), after.attributes.get(user, {})
        moved = tuple((key, old[key], new[key]) for key in sorted(old.keys() & new.keys()) if old[key] != new[key])
        plain = not (before.roles and after.roles) and was - has and has - was
        if moved or plain or (was != has and (left or joined)):
            found.append(Mover(user, left, joined, moved, len(was - has), len(has - was)))
        elif left or joined:
            same.append(user)
    return found, same


def role_moves(
    before: Snapshot, after: Snapshot, became: dict[str, str], user: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Shared roles the user left and took up, by the names of their time; a role that only changed is neither."""
    if not before.roles or not after.roles:
        return (), ()
    had, has = before.held.get(user, frozenset()), after.held.get(user, frozenset())
    still = {became[role] for role in had if role in became}
    left = tuple(sorted(before.names[role] for role in had & before.shared if became.get(role) not in has))
    return left, tuple(sorted(after.names[role] for role in (has & after.shared) - still))
