"""Groups that the user makes of rows: kept with the run, renamed, noted, merged, and written out as a table."""

from __future__ import annotations

import json
from typing import Any

from unmix.studio.store.workspace import Record, Workspace

LONGEST_NAME, LONGEST_NOTE = 120, 2000
MOST_ROWS = 2_000_000


def groups_of(workspace: Workspace, run: str) -> list[Record]:
    """Oldest first, with how many rows each has and which."""
    found = workspace.select("groups", "run = ?", run)[::-1]
    every = [(group, json.loads(group["rows"])) for group in found]
    return [{**group, "n_rows": len(rows), "ranges": ranges(rows)} for group, rows in every]


def ranges(rows: list[int]) -> str:
    """Sorted numbers as in the page's address.

    >>> ranges([3, 4, 5, 9])
    '3-5.9'
    """
    parts: list[list[int]] = []
    for row in rows:
        if parts and parts[-1][1] == row - 1:
            parts[-1][1] = row
        else:
            parts.append([row, row])
    return ".".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)


def make_group(workspace: Workspace, run: str, name: Any, note: Any, rows: Any, n_rows: int) -> str:
    rows = sorted({row for row in rows if is_row(row, n_rows)}) if isinstance(rows, list) else []
    if not rows:
        raise ValueError("No rows are chosen; choose a cluster, or draw around points on the map.")
    made = {"name": a_name(name), "note": a_text(note or "", LONGEST_NOTE, "note"), "rows": json.dumps(rows)}
    return workspace.insert("groups", run=run, **made)


def is_row(row: Any, n_rows: int) -> bool:
    return isinstance(row, int) and not isinstance(row, bool) and 1 <= row <= n_rows


def change_group(workspace: Workspace, key: str, changes: dict[str, Any]) -> None:
    """Its name or its note."""
    given = {"name": a_name(changes["name"])} if "name" in changes else {}
    given |= {"note": a_text(changes["note"], LONGEST_NOTE, "note")} if "note" in changes else {}
    if not given:
        raise ValueError("Nothing was changed; give a name or a note.")
    workspace.update("groups", key, **given)


def merge_groups(workspace: Workspace, run: str, keys: Any) -> str:
    """All rows of these groups as one, in their place."""
    chosen = [group for group in groups_of(workspace, run) if isinstance(keys, list) and group["id"] in keys]
    if len(chosen) < 2:
        raise ValueError("Mark two groups or more to merge them.")
    rows = sorted({row for group in chosen for row in json.loads(group["rows"])})
    name = " + ".join(group["name"] for group in chosen)[:LONGEST_NAME]
    note = "; ".join(group["note"] for group in chosen if group["note"])[:LONGEST_NOTE]
    made = workspace.insert("groups", run=run, name=name, note=note, rows=json.dumps(rows))
    for group in chosen:
        workspace.delete("groups", group["id"])
    return made


def a_name(value: Any) -> str:
    name = a_text(value, LONGEST_NAME, "name").strip()
    if not name:
        raise ValueError("A group needs a name.")
    return name


def a_text(value: Any, longest: int, what: str) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"The {what} of a group is a text of at most {longest} characters.")
    return value.encode("utf-8", "replace").decode()
