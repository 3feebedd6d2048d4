"""Rules of separation from a table: a rule and a permission a line, and perhaps how many of them one may hold."""

from __future__ import annotations

from typing import Any

from unmix.roles.access.from_rows import is_blank
from unmix.roles.access.read import rows_of
from unmix.roles.duties.duty import Duty, make_duty


def read_duties(path: str) -> list[Duty]:
    """The rules of a table with titles, in the order in which they are first named."""
    titles, lines = rows_of(path, True)
    rules: dict[str, list[list[Any]]] = {}
    for _, row in lines if titles is not None else lines[1:]:
        if len(row) < 2:
            raise ValueError(f"{path!r} has {len(row)} column; give rule and permission, and perhaps most.")
        if not is_blank(row[0]) and not is_blank(row[1]):
            rules.setdefault(str(row[0]), []).append(row[1:])
    if not rules:
        raise ValueError(f"{path!r} holds no rule; give rule and permission, a line for each.")
    return [make_duty([row[0] for row in rows], _most(name, rows), name) for name, rows in rules.items()]


def _most(name: str, rows: list[list[Any]]) -> int | None:
    """What the third column says of a rule, once for all its lines; None where it says nothing."""
    given = {str(row[1]).strip() for row in rows if len(row) > 1 and not is_blank(row[1])}
    if not given:
        return None
    if len(given) > 1 or not next(iter(given)).isdecimal():
        raise ValueError(f"The rule {name!r} has most {', '.join(sorted(given))}; give one whole number for a rule.")
    return int(given.pop())
