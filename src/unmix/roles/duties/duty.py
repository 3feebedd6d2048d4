"""A rule of separation of duties: of these permissions, or of these roles, one user may hold at most so many.

This is static separation of duties of the standard model, SSD ⊆ 2^ROLES × N, also over permissions (ANSI INCITS 359).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from unmix.roles.access.permission import as_text

KINDS = ("permissions", "roles")


class Duty(NamedTuple):
    """Members as text; `most` of them may be in one hand; `over` says what members are."""

    name: str
    members: frozenset[str]
    most: int
    over: str = "permissions"

    @property
    def sentence(self) -> str:
        listed = ", ".join(sorted(self.members))
        if len(self.members) == 2:
            return f"nobody may hold both of {listed}"
        return f"nobody may hold more than {self.most} of {listed}"


def make_duty(members: Iterable[Any], most: int | None = None, name: str | None = None, over: str = KINDS[0]) -> Duty:
    """A checked rule; by default nobody may hold all members."""
    found = frozenset(as_text(member) for member in members)
    if len(found) < 2:
        raise ValueError(f"A rule of separation needs at least two different {over}; {sorted(found)} was given.")
    most = len(found) - 1 if most is None else most
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most < len(found):
        raise ValueError(
            f"most is {most!r} for a rule over {len(found)} {over}; give a whole number from 1 to {len(found) - 1}."
        )
    if over not in KINDS:
        raise ValueError(f"over is {over!r}; it must be one of {', '.join(map(repr, KINDS))}.")
    return Duty(name or " / ".join(sorted(found)), found, most, over)


def as_duties(rules: Any) -> list[Duty]:
    """Rules from duties, sets of permissions, or a mapping of names to sets.

    >>> [duty.sentence for duty in as_duties({"payments": ["create", "approve"]})]
    ['nobody may hold both of approve, create']
    """
    if isinstance(rules, Mapping):
        return [make_duty(members, name=str(name)) for name, members in rules.items()]
    return [rule if isinstance(rule, Duty) else make_duty(rule) for rule in rules]


def check_known(duties: Iterable[Duty], permissions: Iterable[str], roles: Iterable[str] = ()) -> None:
    """Refuse rules over what is not there: a misspelt rule would never find anything."""
    known = {"permissions": set(permissions), "roles": set(roles)}
    for duty in duties:
        strange = sorted(duty.members - known[duty.over])
        if strange:
            raise ValueError(f"The rule {duty.name!r} names {strange[0]!r}, which is none of the {duty.over}.")
