"""The result of a review as files: those that `unmix roles` writes, every step, and what changes for whom."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from unmix.roles.access.folder import write_rows, write_tables
from unmix.studio.review.draft import Tree

STEP_COLUMNS = ("when", "who", "what", "on", "note", "cost")
CHANGE_COLUMNS = ("user", "permission", "change")


def bundle(tree: Tree, steps: list[dict[str, Any]]) -> dict[str, bytes]:
    """Names and contents."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(tree, folder)
        changes = [(*pair, "lost") for pair in tree["lost"]] + [(*pair, "gained") for pair in tree["gained"]]
        write_rows(folder / "changes.csv", CHANGE_COLUMNS, changes)
        write_rows(folder / "decisions.csv", STEP_COLUMNS, map(step_line, steps))
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def step_line(step: dict[str, Any]) -> list[str]:
    what = step["step"]
    return [step["created"], step["who"], what["do"] if what["do"] != "decide" else what["status"], subject(what),
            step["note"], (step["cost"] or {}).get("sentence", "")]  # fmt: skip


def subject(step: dict[str, Any]) -> str:
    """What a step is about, in words."""
    if step["do"] == "decide":
        return f"{step['user']} / {step['permission']}"
    if step["do"] == "merge":
        return " + ".join(step["roles"])
    if step["do"] == "rename":
        return f"{step['role']} → {step['name']}"
    if step["do"] == "split":
        return f"{step['role']} → {step['name']}: {', '.join(step['permissions'])}"
    return str(step["role"])


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
