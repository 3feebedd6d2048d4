"""Conflicts of access data and of mined roles by name, and access from which the cheapest repairs were taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unmix.roles.access.access import Access, Name
from unmix.roles.access.permission import as_text
from unmix.roles.duties.conflicts import Conflict, Holding, find_conflicts, plain_holdings
from unmix.roles.duties.duty import Duty, as_duties, check_known
from unmix.roles.problem.result import Roles


def conflicts(held: Access | Roles, duties: Any, risk: Mapping[Any, float] | None = None) -> list[Conflict]:
    """Users who hold together what nobody may, with the assignments that cause it and the cheapest repair.

    Parameters
    ----------
    held : Access or Roles
        Who has what today, or what users get by mined roles and single grants.
    duties : sets of permissions, mapping of names to sets, or `Duty`
        Nobody may hold all of a set; a `Duty` also says how many, or speaks of roles.
    risk : mapping of permission to number, optional
        How bad a wrong grant is: of two ways out, the one that takes the more dangerous permission.

    Returns
    -------
    list of Conflict

    Examples
    --------
    >>> from unmix.roles import Access, conflicts
    >>> access = Access.of_pairs([("ann", "pay:create"), ("ann", "pay:approve"), ("bob", "pay:create")])
    >>> [(found.user, found.held) for found in conflicts(access, [("pay:create", "pay:approve")])]
    [('ann', ('pay:approve', 'pay:create'))]
    """
    rules, weights = as_duties(duties), {as_text(name): float(value) for name, value in (risk or {}).items()}
    access = held if isinstance(held, Access) else held.access
    names = [] if isinstance(held, Access) else held.names
    if isinstance(held, Access):
        rules = [duty for duty in rules if duty.over == "permissions"]  # there are no roles to forbid yet
    check_known(rules, map(as_text, access.permissions), names)
    if isinstance(held, Access):
        return find_conflicts(plain_holdings(_as_text(access.pairs())), {}, rules, weights)
    return find_conflicts(*_given(held), rules, weights)


def without_conflicts(
    access: Access, duties: Any, risk: Mapping[Any, float] | None = None
) -> tuple[Access, list[tuple[Name, Name]]]:
    """The access that is left when the cheapest grants are taken from users in conflict, and those grants.

    Roles that give users exactly what is left keep every rule over permissions.
    """
    rules = [duty for duty in as_duties(duties) if duty.over == "permissions"]
    taken = {(found.user, name) for found in conflicts(access, rules, risk) for _, name in found.repair}
    by_text = {(str(user), as_text(permission)): (user, permission) for user, permission in access.pairs()}
    removed = [by_text[pair] for pair in sorted(taken)]
    matrix = access.matrix.tolil(copy=True)
    for user, permission in removed:
        matrix[access.user_number[user], access.permission_number[permission]] = 0
    left = Access(
        access.users, access.permissions, matrix.tocsr(), user_attributes=access.user_attributes,
        permission_attributes=access.permission_attributes, problems=access.problems,
    )  # fmt: skip
    return left, removed


def _as_text(pairs: Iterable[tuple[Name, Name]]) -> Iterable[tuple[str, str]]:
    return ((str(user), as_text(permission)) for user, permission in pairs)


def _given(found: Roles) -> tuple[dict[str, Holding], dict[str, list[str]]]:
    single = plain_holdings(_as_text((g.user, g.permission) for g in found.exceptions if g.kind == "direct"))
    held = {
        str(user): Holding(tuple(sorted(roles)), single.get(str(user), Holding((), ())).direct)
        for user, roles in found.assignments.items()
    }
    return held, {name: [as_text(p) for p in permissions] for name, permissions in found.roles.items()}


def listed(found: Iterable[Conflict]) -> list[dict[str, Any]]:
    """Conflicts as values of JSON."""
    return [
        {
            "user": one.user,
            "rule": one.duty.name,
            "held": list(one.held),
            "causes": [{"from": source, "members": list(members)} for source, members in one.causes],
            "repair": [{"from": source, "take": name} for source, name in one.repair],
            "lost": one.lost,
        }
        for one in found
    ]


def duty_list(duties: Iterable[Duty]) -> list[dict[str, Any]]:
    return [{"name": d.name, "members": sorted(d.members), "most": d.most, "over": d.over} for d in duties]
