"""Files that `unmix roles` takes beside the access: decisions, roles to keep, rules of separation, risks."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any

from unmix.cli.roles.lines import plural


def read_decisions(path: str | None) -> Any:
    from unmix.roles import read_decisions as from_file

    return None if path is None else from_file(path)


def kept(path: str | None) -> tuple[Any, Any]:
    """Roles that must stay, from a table; and what existed, from a folder of results or a decision file."""
    from unmix.roles.continuation.existing import from_path
    from unmix.roles.review.decisions import Decisions

    found = {} if path is None else from_path(Path(path))
    return ({}, found) if isinstance(found, Decisions) or "assignments" in found else (found, ())


def rules(path: str | None, pairs: tuple[tuple[str, str], ...]) -> list[Any]:
    """Rules of separation: the pairs given one by one, and those of a table."""
    from unmix.roles import make_duty
    from unmix.roles.duties.read import read_duties

    return [make_duty(pair) for pair in pairs] + (read_duties(path) if path else [])


def risks_of(access: Any, path: str | None) -> tuple[dict[Any, float], list[str]]:
    """The risks of permissions of the data, and a sentence on those that nobody has."""
    told = read_risk(path) if path else {}
    used = {name: weight for name, weight in told.items() if access.find_permission(name) is not None}
    unused = [name for name in told if name not in used]
    if not unused:
        return used, []
    if not used:
        raise ValueError(f"No permission of {path!r} is in the access data; the first is {unused[0]!r}.")
    number = plural(len(unused), "permission")
    return used, [f"The table of risks names {number} that nobody has (such as {unused[0]!r})."]


def read_risk(path: str) -> dict[Any, float]:
    """Permission to weight, from the first two columns of a table with titles."""
    from unmix.roles.access.read import attribute_table

    weights: dict[Any, float] = {}
    table, contradicted = attribute_table(path)
    if contradicted:
        raise ValueError(f"{path!r} gives different risks of {contradicted[0]!r}; give one number for a permission.")
    for name, cells in table.items():
        value: Any = next(iter(cells.values()), None)
        try:
            weights[name] = float(value)
            if not 0 <= weights[name] < inf:
                raise ValueError
        except (TypeError, ValueError):
            raise ValueError(f"The risk of {name!r} is {value!r}; give a number of at least 0.") from None
    return weights
