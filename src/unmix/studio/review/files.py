"""The result of a review as files: those that `unmix roles` writes, every step, and what changes for whom."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from unmix.roles import annotate, export, write_decisions
from unmix.roles.access.folder import write_rows, write_tables
from unmix.studio.review.decided import decisions
from unmix.studio.review.draft import Tree
from unmix.studio.review.steps import subject

STEP_COLUMNS = ("when", "who", "what", "on", "note", "cost")
CHANGE_COLUMNS = ("user", "permission", "change")
EXPORTS = {"excel": "roles.xlsx", "scim": "groups.scim.json", "rego": "policy.rego", "cedar": ".", "json": "."}


def bundle(mined: Tree, tree: Tree, steps: list[dict[str, Any]]) -> dict[str, bytes]:
    """Names and contents: tables as the command's, steps, changes, the decision file, and forms of other programs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(tree, folder)
        changes = [(*pair, "lost") for pair in tree["lost"]] + [(*pair, "gained") for pair in tree["gained"]]
        write_rows(folder / "changes.csv", CHANGE_COLUMNS, changes)
        write_rows(folder / "steps.csv", STEP_COLUMNS, map(step_line, steps))
        write_decisions(decisions(mined, steps), folder / "decisions.json")
        annotated = annotate(tree, decisions(mined, steps))
        for kind, target in EXPORTS.items():
            export(annotated, kind, folder / target)
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def step_line(step: dict[str, Any]) -> list[str]:
    what = step["step"]
    return [step["created"], step["who"], what["do"] if what["do"] != "decide" else what["status"], subject(what),
            step["note"], (step["cost"] or {}).get("sentence", "")]  # fmt: skip


def zipped(files: dict[str, bytes]) -> bytes:
    """One archive, the same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def as_steps(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records of the index, oldest first, with their JSON read."""
    return [{**one, "step": json.loads(one["step"]), "cost": json.loads(one["cost"] or "null")} for one in records]
