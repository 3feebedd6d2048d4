"""The tables as CSV files in a folder; no cell is run as a formula by a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unmix.core.storage.folder import Results, may_be_moved
from unmix.roles.access.folder import csv_text
from unmix.roles.export.tables import tables

ALWAYS_WRITTEN = 3  # roles, role_permissions, assignments
BUNDLE = Results(
    r"role_permissions\.csv",
    r"(roles|role_permissions|assignments|single_grants|exceptions|conflicts|actions|decisions)\.csv",
)


def bundle(tree: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """The text of a file for every table that has rows, and always for the first three.

    In a folder that others use too, a table of an earlier export that is no longer true becomes its titles alone.
    """
    stays = folder.is_dir() and not may_be_moved(folder.resolve(), BUNDLE)
    found = {}
    for k, table in enumerate(tables(tree)):
        name = f"{table.name}.csv"
        if table.rows or k < ALWAYS_WRITTEN or (stays and (folder / name).exists()):
            found[name] = csv_text(table.titles, table.rows)
    return found
