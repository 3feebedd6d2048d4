"""What if a role were dropped or two were merged: who would lose or gain what.

Works on documents (document.py), so that a folder written once can be asked many questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from unmix.roles.duties.conflicts import Conflict, document_holdings, find_conflicts
from unmix.roles.duties.duty import Duty
from unmix.roles.explanation.document import given_pairs


class Change(NamedTuple):
    """Grants lost and gained against what was given before, both sorted, and the document after the change.

    `conflicts` are those with the document's rules of separation after the change, `solved` how many there were before
    and are no longer.
    """

    lost: list[tuple[str, str]]
    gained: list[tuple[str, str]]
    after: dict[str, Any]
    conflicts: list[Conflict]
    solved: int


def what_if(tree: dict[str, Any], drop: Iterable[str] = (), merge: Iterable[tuple[str, str]] = ()) -> Change:
    """The effect of dropping roles and of merging pairs of them; a role may be named by its number, as in "R03".

    Users of either merged role get the permissions of both. Merges come first, in the order given; the merged role
    keeps the name of the first.
    """
    holds = {role["name"]: set(role["permissions"]) for role in tree["roles"]}
    held = {user: set(roles) for user, roles in tree["assignments"].items()}
    for first, second in merge:
        a, b = (resolve(holds, name) for name in (first, second))
        if a == b:
            raise ValueError(f"A role cannot be merged with itself ({first!r}); give two.")
        holds[a] |= holds.pop(b)
        for roles in held.values():
            if b in roles:
                roles.remove(b)
                roles.add(a)
    for name in drop:
        del holds[resolve(holds, name)]
    order = [role["name"] for role in tree["roles"] if role["name"] in holds]
    after = {
        **tree,
        "roles": [{"name": name, "permissions": sorted(holds[name])} for name in order],
        "assignments": {user: [name for name in order if name in roles] for user, roles in held.items()},
    }
    before, now = given_pairs(tree), given_pairs(after)
    had, left = conflicts_of(tree), conflicts_of(after)
    gone = {(one.user, one.duty.name) for one in had} - {(one.user, one.duty.name) for one in left}
    return Change(sorted(before - now), sorted(now - before), after, left, len(gone))


def conflicts_of(tree: dict[str, Any]) -> list[Conflict]:
    """Users in conflict with the rules of separation that a document holds."""
    rules = [Duty(d["name"], frozenset(d["members"]), d["most"], d["over"]) for d in tree.get("duties", [])]
    return find_conflicts(*document_holdings(tree), rules)


def resolve(holds: dict[str, Any], name: str) -> str:
    """The role of this name, or the only one whose name starts with this word; R1, r01 and R001 are one number."""
    if name in holds:
        return name
    wanted = as_number(name)
    starting = [role for role in holds if as_number(role.split()[0]) == wanted]
    if len(starting) != 1:
        near = nearest(holds, name)
        hint = f"did you mean {near!r}?" if near else "the roles are in roles.csv."
        raise ValueError(f"There is no role named {name!r}; {hint}")
    return starting[0]


def as_number(word: str) -> str:
    """A numbered name without leading zeros, others as they are."""
    match = re.fullmatch(r"[Rr]0*(\d+)", word)
    return f"R{match[1]}" if match else word


def nearest(holds: dict[str, Any], name: str) -> str | None:
    """The role that differs only in case or a letter or two, if there is one."""
    short = {form.casefold(): role for role in holds for form in (role.split()[0], role)}
    found = get_close_matches(name.casefold(), short, n=1, cutoff=0.8)
    return short[found[0]] if found else None
