"""Ids that stay: a role keeps its number as long as it is the same role by overlap; numbers are never used again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unmix.roles.access.bits import structure
from unmix.roles.access.permission import as_text
from unmix.roles.continuation.existing import Existing
from unmix.roles.continuation.matching import match_over_time
from unmix.roles.problem.result import Roles


def numbered(found: Roles, existing: Existing) -> Roles:
    """The same roles under the ids and names they had; new ones get numbers that no role ever had.

    A role with a name of its own in ``found`` that is one of ``existing`` keeps it.
    """
    sets = {str(k): frozenset(map(as_text, held)) for k, held in enumerate(found.roles.values())}
    before = {str(user): names for user, names in existing.held.items()}
    old_holders = holders_of((user, name) for user, names in before.items() for name in names)
    number = {name: str(k) for k, name in enumerate(found.names)}
    new_holders = holders_of((str(user), number[name]) for user, held in found.assignments.items() for name in held)
    pairs = match_over_time(existing.contents, sets, old_holders, new_holders)
    ids = {int(match.new): match.old for match in pairs}
    fresh = new_numbers([*existing.taken, *existing.contents], len(found.names) - len(ids), len(found.names))
    final = [ids[k] if k in ids else next(fresh) for k in range(len(found.names))]
    order = list(range(len(final)))
    if not hasattr(found, "model"):  # a fitted model knows its roles by their place
        order.sort(key=lambda k: id_order(final[k]))
    retired = [name for name in existing.taken if name not in final]
    return replace(
        found,
        names=[existing.names.get(final[k], final[k]) for k in order],
        role_permissions=structure(found.role_permissions[order]),
        user_roles=structure(found.user_roles[:, order]),
        inherits=None if found.inherits is None else found.inherits[order][:, order],
        retired=tuple(dict.fromkeys(retired)),
    )


def holders_of(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Role to its users, from pairs of user and role."""
    found: dict[str, set[str]] = {}
    for user, name in pairs:
        found.setdefault(name, set()).add(user)
    return {name: frozenset(users) for name, users in found.items()}


def new_numbers(taken: Iterable[str], count: int, total: int) -> Iterator[str]:
    """Ids after the highest number ever given.

    >>> list(new_numbers(["R01", "R07", "Sales"], 2, 5))
    ['R08', 'R09']
    """
    numbers = [int(name[1:]) for name in taken if name[:1] == "R" and name[1:].isdecimal()]
    first = max(numbers, default=0) + 1
    width = max(2, len(str(total)))
    return iter([f"R{number:0{width}d}" for number in range(first, first + count)])


def id_order(name: str) -> tuple[bool, int, str]:
    """Numbers in their order, other names before them."""
    is_number = name[:1] == "R" and name[1:].isdecimal()
    return is_number, int(name[1:]) if is_number else 0, name
