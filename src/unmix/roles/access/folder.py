"""The files of a role mining run: roles.csv, assignments.csv, exceptions.csv and roles.json, and reading them back.

Cells a spreadsheet would run as formulas get an apostrophe (formula.py); `recompute` takes it off again and multiplies
the files out, so that a guarantee is checked on what was written, not on what was meant.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from unmix.core.storage.archive import replacing
from unmix.io.base.room import refuse_beyond_memory
from unmix.io.text.formula import guard, unguard
from unmix.roles.access.document_check import problem_of

NUMBERED_NAME = re.compile(r"R\d+$")
CONFLICT_COLUMNS = ("when", "user", "rule", "held", "caused by", "cheapest repair: take", "permissions lost")
EXCEPTION_COLUMNS = (
    "user",
    "permission",
    "kind",
    "probability",
    "risk",
    "peers",
    "having",
    "n_roles",
    "reason",
    "decision",
)


def write_tables(tree: dict[str, Any], directory: Path) -> list[Path]:
    """Writes the four files of a `document`; returns their paths."""
    pairs = [(role["name"], p) for role in tree["roles"] for p in role["permissions"]]
    held = [(user, role) for user, roles in tree["assignments"].items() for role in roles]
    odd = [
        [*(shown(entry[name]) for name in EXCEPTION_COLUMNS[:-1]), entry.get("review", {}).get("status", "")]
        for entry in tree["exceptions"]
    ]
    odd += [[entry["user"], "", "fits no role", "", "", "", "", "", entry["reason"], ""] for entry in tree["outliers"]]
    return [
        write_rows(directory / "roles.csv", ("role", "permission"), pairs),
        write_rows(directory / "assignments.csv", ("user", "role"), held),
        write_rows(directory / "exceptions.csv", EXCEPTION_COLUMNS, odd),
        *write_conflicts(tree, directory),
        write_json(directory / "roles.json", tree),
    ]


def write_conflicts(tree: dict[str, Any], directory: Path) -> list[Path]:
    """conflicts.csv where there are rules of separation: in the access as it was, and with the roles."""
    if not tree.get("duties"):
        return []
    rows = [
        [
            when, one["user"], one["rule"], "; ".join(one["held"]),
            "; ".join(f"{cause['from']}: {', '.join(cause['members'])}" for cause in one["causes"]),
            "; ".join(step["take"] for step in one["repair"]), one["lost"],
        ]
        for when, kind in (("before", "conflicts_before"), ("after", "conflicts"))
        for one in tree[kind]
    ]  # fmt: skip
    return [write_rows(directory / "conflicts.csv", CONFLICT_COLUMNS, rows)]


def shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def write_rows(path: Path, header: Iterable[str], rows: Iterable[Iterable[Any]]) -> Path:
    """A table that no spreadsheet takes for formulas, whole or not at all."""
    with replacing(path) as file:
        file.write(csv_text(header, rows).encode("utf-8", "backslashreplace"))
    return path


def csv_text(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([guard(cell) for cell in row] for row in rows)
    return text.getvalue()


def write_json(path: Path, tree: dict[str, Any]) -> Path:
    text = json.dumps(tree, ensure_ascii=False, allow_nan=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
    return path


def read_rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [[unguard(cell) for cell in row] for row in csv.reader(file)][1:]


def read_document(directory: Path) -> dict[str, Any]:
    """The tree of roles.json in a folder this package wrote, once it is known to be one."""
    path = directory / "roles.json"
    if not path.is_file():  # a pipe or a device may never end
        raise ValueError(f"{str(directory)!r} holds no roles.json; give a folder written by unmix roles.")
    refuse_beyond_memory(path, "JSON lines")
    try:
        tree = json.loads(path.read_text(encoding="utf-8"))
        problem = problem_of(tree)
    except (ValueError, RecursionError):
        problem = "it is no JSON"
    if problem is not None:
        words = f"does not hold mined roles ({problem}); give a folder written by unmix roles."
        raise ValueError(f"{str(path)!r} {words}")
    return completed(tree)


def completed(tree: dict[str, Any]) -> dict[str, Any]:
    """With what older files lack and the rest of it tells, put behind what is held: it is written as it was read."""
    holders = Counter(name for held in tree["assignments"].values() for name in held)
    roles = [
        {**role, **absent(role, id=numbered_id(role["name"]), description="", n_users=holders[role["name"]])}
        for role in tree["roles"]
    ]
    return {**tree, **absent(tree, birthright=[], exceptions=[]), "roles": roles}


def absent(held: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    return {name: value for name, value in defaults.items() if name not in held}


def numbered_id(name: str) -> str:
    """The id a role's name begins with, or all of it where it has none."""
    return name.split()[0] if NUMBERED_NAME.match(name.split()[0]) else name


def recompute(directory: Path) -> set[tuple[str, str]]:
    """Who gets what, from the three CSV files alone: roles multiplied out, and the single grants."""
    holds: dict[str, set[str]] = defaultdict(set)
    for role, permission in read_rows(directory / "roles.csv"):
        holds[role].add(permission)
    pairs = {(user, p) for user, role in read_rows(directory / "assignments.csv") for p in holds[role]}
    return pairs | {(row[0], row[1]) for row in read_rows(directory / "exceptions.csv") if row[2] == "direct"}
