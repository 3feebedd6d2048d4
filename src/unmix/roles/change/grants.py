"""Grants gained and lost, each with its cause: somebody came or left, took up or left a role, or a role changed."""

from __future__ import annotations

from typing import NamedTuple

from unmix.roles.change.snapshot import Snapshot


class GrantChange(NamedTuple):
    """``cause`` is "joiner", "leaver", "assignment" (a role taken up or left), "role changed" or "single".

    ``explained``: a role that several users have gives (or gave) it. ``role`` is its id, "" where there is none.
    """

    user: str
    permission: str
    cause: str
    role: str
    explained: bool


def grant_changes(
    before: Snapshot, after: Snapshot, became: dict[str, str]
) -> tuple[list[GrantChange], list[GrantChange]]:
    """What was gained and what was lost, users in order; ``became`` maps roles before to roles after."""
    was = {new: old for old, new in became.items()}
    gained, lost = [], []
    for user in sorted(before.users | after.users):
        old, new = before.grants.get(user, frozenset()), after.grants.get(user, frozenset())
        gained += [cause_of(user, p, after, before, was, "joiner") for p in sorted(new - old)]
        lost += [cause_of(user, p, before, after, became, "leaver") for p in sorted(old - new)]
    return gained, lost


def cause_of(
    user: str, permission: str, there: Snapshot, other: Snapshot, partner: dict[str, str], alone: str
) -> GrantChange:
    """The cause of a grant that is only in the state ``there``; ``partner`` maps its roles to those of the other."""
    giving = sorted(
        role for role in there.held.get(user, frozenset()) & there.shared if permission in there.roles[role]
    )
    role = giving[0] if giving else ""
    if user not in other.users:
        return GrantChange(user, permission, alone, role, bool(giving))
    if not giving:
        return GrantChange(user, permission, "single", "", False)
    stayed = [one for one in giving if partner.get(one) in other.held.get(user, frozenset())]
    if len(stayed) == len(giving):  # the user had all of these roles in the other state too, and they did not give it
        return GrantChange(user, permission, "role changed", role, True)
    role = next(one for one in giving if one not in stayed)
    return GrantChange(user, permission, "assignment", role, True)
