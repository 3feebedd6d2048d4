"""Grants from many files, read where they lie: by the workers of a cluster, or by threads here.

What comes together are the different grants, with the number of the row where each stands first; a list of uses, in
which most grants stand many times, need not fit into memory. Of a cluster is asked how many they are before they come.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

from unmix.core.memory import SAID_FROM, free_bytes, in_words
from unmix.io.base.errors import TableError
from unmix.io.data_set.data_set import DataSet
from unmix.io.data_set.facts import Weight
from unmix.io.data_set.over_files import Run, over_files
from unmix.roles.access.access import Access
from unmix.roles.access.from_rows import (
    NO,
    YES,
    Grants,
    all_grants,
    from_grants,
    grants_of,
    joined,
    mark_of,
    named_columns,
    not_used,
    triple_columns,
)

GRANT_BYTES = 500  # measured: of a pair of short names, until it is an entry of a matrix


class Columns(NamedTuple):
    """Where the user and the permission stand; the permission may be a pair of columns."""

    user: str
    permission: tuple[str, ...]


def read_grants(data: DataSet, kind: str) -> Access | None:
    """The access that `from_rows` makes of all rows; None for a table of zeros and ones."""
    columns = columns_of(data.columns, kind)
    if columns is None:
        return None
    parts: list[tuple[Grants, bool]] = over_files(data, _read, columns, weight=Weight(_number, ask_for_grants))
    if len(data.columns) > 2 and len(columns.permission) == 1 and all(marks for _, marks in parts):
        return None  # a table of yes and no whose titles only sound like those of a list
    total = all_grants(part for part, _ in parts)
    if not total.pairs and not total.n_empty:
        return None
    access = from_grants(total)
    if len(data.columns) > 2 and len(columns.permission) == 1:
        access.problems = (not_used(data.columns, (columns.user, *columns.permission)), *access.problems)
    return access


def _number(part: tuple[Grants, bool]) -> int:
    return len(part[0].pairs)


def ask_for_grants(n: int) -> None:
    """Roles are mined in one memory: refuse grants that do not fit, and say so of many."""
    need, free = n * GRANT_BYTES, free_bytes()
    grants = f"{n:,} grants (each file's own, once) take about {in_words(need)}"
    if need > free:
        raise TableError(
            f"Roles are mined in one memory: {grants}, and {in_words(free)} are free here; give the access of a part "
            "of the organisation, or a machine with more memory."
        )
    if need >= SAID_FROM:
        warnings.warn(f"roles are mined in one memory: {grants}", UserWarning, stacklevel=2)


def columns_of(titles: list[str], kind: str) -> Columns | None:
    if len(titles) == 2 and kind in ("auto", "pairs"):
        return Columns(titles[0], (titles[1],))
    if len(titles) < 3 or kind != "auto":
        return None
    if three := triple_columns(titles):
        return Columns(titles[three[0]], (titles[three[1]], titles[three[2]]))
    two = named_columns(titles)
    return None if two is None else Columns(titles[two[0]], (titles[two[1]],))


def _read(run: Run, columns: Columns, share: None) -> tuple[Grants, bool]:
    """The grants of some files, and whether all their permissions are words for yes and no."""
    parts: list[Grants] = []
    marks = True
    for own in range(len(run.files)):
        for first, frame in run.frames(own):
            rows = frame.select(columns.user, *columns.permission).iter_rows()
            held = [(user, one[0] if len(one) == 1 else joined(*one)) for user, *one in rows]
            marks = marks and {mark_of(permission) for _, permission in held} <= YES | NO
            parts.append(grants_of([(number, list(pair)) for number, pair in enumerate(held, first + 1)]))
    return all_grants(parts), marks
