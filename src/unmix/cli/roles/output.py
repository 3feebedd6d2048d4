"""The folder `unmix roles` writes: all files or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FILES = "report.html, roles.csv, assignments.csv, exceptions.csv, roles.json"


def results() -> Any:
    from unmix.core.storage.folder import Results

    return Results(r"roles\.json", r"(report\.html|(roles|assignments|exceptions|conflicts)\.csv|roles\.json)")


def save(tree: dict[str, Any], held: set[tuple[str, str]], directory: Path) -> None:
    """All files into a scratch folder, the guarantee checked on them, then all put in their place."""
    from unmix.core.storage.folder import replacing_folder
    from unmix.exploration.findings.output import told_of
    from unmix.report.roles.page import write
    from unmix.roles.access.folder import recompute, write_json, write_tables

    with told_of(directory), replacing_folder(directory, results()) as scratch:
        write_tables(tree, scratch)
        tree["guaranteed"] = bool(tree["exact"] and recompute(scratch) == held)
        write_json(scratch / "roles.json", tree)
        write(tree, scratch / "report.html")
