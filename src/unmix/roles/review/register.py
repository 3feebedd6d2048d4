"""The roles that are up for review, under their ids: those of a mining, joined with what was decided before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from unmix.roles.access.permission import as_text
from unmix.roles.problem.result import Roles
from unmix.roles.review.decisions import Decisions, RoleDecision

SAME_ROLE = 0.5  # of the permissions of both in common, and a role is the same one changed


def role_id(name: str) -> str:
    """The id a role's name begins with, or the name itself where it was given without one.

    >>> role_id("R03 Sales: crm"), role_id("Sales clerk")
    ('R03', 'Sales clerk')
    """
    first = name.split(" ", 1)[0]
    return first if first[:1] == "R" and first[1:].isdecimal() else name


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Jaccard's share |a ∩ b| / |a ∪ b|."""
    return len(a & b) / len(a | b) if a or b else 1.0


def contents(found: Roles | Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Id to permissions as text, of a mining or of its document."""
    if isinstance(found, Roles):
        return {role_id(name): frozenset(map(as_text, held)) for name, held in found.roles.items()}
    return {role["id"]: frozenset(role["permissions"]) for role in found["roles"]}


def review(found: Roles | Mapping[str, Any], decisions: Decisions | None = None) -> Decisions:
    """Decisions with every role of a mining in them, new ones as open.

    Parameters
    ----------
    found : Roles or document
        Of the same lineage as ``decisions``, if there are any: the ids must mean the same roles.
    decisions : Decisions, optional

    Returns
    -------
    Decisions
        An open role has its content of today; a decided one keeps the content it was decided on.
    """
    before, today = decisions or Decisions(), contents(found)
    known = before.by_id
    for name, held in today.items():
        if name in known and overlap(known[name].permissions, held) < SAME_ROLE:
            raise ValueError(
                f"The role {name} of these results is another one than in the decision file; mine with that file "
                "(--decisions), so that the ids agree."
            )
    kept = [replace(one, permissions=today[one.id]) if one.status == "open" and one.id in today else one
            for one in before.roles if one.status != "open" or one.id in today]  # fmt: skip
    gone = [one.id for one in before.roles if one.status == "open" and one.id not in today]
    new = [RoleDecision(name, held) for name, held in today.items() if name not in known]
    earlier = found.retired if isinstance(found, Roles) else found.get("retired", ())
    retired = dict.fromkeys([*before.retired, *earlier, *gone])
    return replace(before, roles=(*kept, *new), retired=tuple(name for name in retired if name not in today))
