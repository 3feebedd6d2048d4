"""The tables as CSV files in a folder; no cell is run as a formula by a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unmix.roles.access.folder import write_rows
from unmix.roles.export.tables import tables

ALWAYS_WRITTEN = 3  # roles, role_permissions, assignments


def write_bundle(tree: Mapping[str, Any], directory: str | Path) -> list[Path]:
    """A CSV file for every table that has rows, and always for the first three; an earlier export is replaced."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for k, table in enumerate(tables(tree)):
        path = directory / f"{table.name}.csv"
        if table.rows or k < ALWAYS_WRITTEN:
            written.append(write_rows(path, table.titles, table.rows))
        else:
            path.unlink(missing_ok=True)  # of an earlier export, and no longer true
    return written
