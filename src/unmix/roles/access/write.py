"""Pairs written so that no spreadsheet runs a name as a formula."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from unmix.roles.access.access import Access, Name
from unmix.roles.access.folder import write_rows
from unmix.roles.access.permission import is_pair


def write_pairs(
    pairs: Access | Iterable[tuple[Name, Name]], path: str | Path, header: Sequence[str] = ("user", "permission")
) -> None:
    """Pairs as CSV that no spreadsheet takes for formulas and that :func:`read` reads back to the same names.

    Permissions that are pairs (object, operation) get a column each.
    """
    rows: list[tuple[Any, ...]] = list(pairs.pairs() if isinstance(pairs, Access) else pairs)
    if rows and all(is_pair(permission) for _, permission in rows):
        rows, header = [(name, *permission) for name, permission in rows], (header[0], "object", "operation")
    write_rows(Path(path), header, rows)
