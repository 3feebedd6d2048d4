"""The decision file: JSON with the version of its form, written whole or not at all, checked when read."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from unmix.core.storage.archive import replacing
from unmix.io.base.room import refuse_beyond_memory
from unmix.roles.access.document_check import KINDS
from unmix.roles.access.form import misfit
from unmix.roles.review.decisions import (
    EXCEPTION_STATES,
    ROLE_STATES,
    Decisions,
    Event,
    ExceptionDecision,
    RoleDecision,
)

FORMAT = "unmix-role-decisions"
VERSION = 1
SAID = dict.fromkeys(("comment?", "by?", "at?"), str | None)
FORM: dict[Any, Any] = {
    "roles": [
        {**SAID, "id": str, "permissions": [str], "status?": str, "name?": str | None, "description?": str | None}
    ],
    "exceptions": [
        {**SAID, "user": str, "permission": str, "kind": KINDS, "status": str, "probability": float, "peers": int,
         "having": int}
    ],
    "retired": [str],
    "log": [{"at": str, "by": str | None, "what": str, "on": str, "comment?": str | None}],
}  # fmt: skip


def decisions_tree(decisions: Decisions) -> dict[str, Any]:
    """As values of JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "roles": [{**asdict(role), "permissions": sorted(role.permissions)} for role in decisions.roles],
        "exceptions": [asdict(entry) for entry in decisions.exceptions],
        "retired": list(decisions.retired),
        "log": [asdict(event) for event in decisions.log],
    }


def write_decisions(decisions: Decisions, path: str | Path) -> Path:
    """The file, under a temporary name first, so that a half-written one never exists."""
    path = Path(path)
    text = json.dumps(decisions_tree(decisions), ensure_ascii=False, allow_nan=False, indent=1)
    with replacing(path) as file:
        file.write((text + "\n").encode("utf-8", errors="backslashreplace"))
    return path


def read_decisions(path: str | Path) -> Decisions:
    """Decisions from a file; one that is damaged or of another form is refused in a sentence."""
    path = Path(path)
    if path.exists() and not path.is_file():
        raise ValueError(f"{str(path)!r} is a folder, a pipe or a device, and no decision file.")
    try:
        refuse_beyond_memory(path, "JSON lines")
        tree = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"There is no decision file {str(path)!r}; unmix roles decide writes one.") from None
    except (ValueError, OSError, RecursionError) as problem:
        raise ValueError(f"{str(path)!r} cannot be read as a decision file: {problem}") from None
    return from_tree(tree, str(path))


def from_tree(tree: Any, source: str = "the decisions") -> Decisions:
    if not isinstance(tree, dict) or tree.get("format") != FORMAT:
        raise ValueError(f"{source!r} is no decision file; unmix roles decide writes one.")
    if tree.get("version") != VERSION:
        raise ValueError(
            f"{source!r} has version {tree.get('version')!r}; this unmix reads version {VERSION}; "
            "use the unmix that wrote it."
        )
    if (place := misfit(tree, FORM)) is not None:
        raise ValueError(f"{source!r} lacks a part or has one of another kind: {place}.")
    try:
        found = Decisions(
            tuple(RoleDecision(**{**role, "permissions": frozenset(role["permissions"])}) for role in tree["roles"]),
            tuple(ExceptionDecision(**entry) for entry in tree["exceptions"]),
            tuple(tree["retired"]),
            tuple(Event(**event) for event in tree["log"]),
        )
    except (KeyError, TypeError) as problem:
        raise ValueError(f"{source!r} lacks a part or has one too many: {problem}.") from None
    _check(found, source)
    return found


def _check(found: Decisions, source: str) -> None:
    ids = [role.id for role in found.roles]
    if len(set(ids)) < len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise ValueError(f"{source!r} lists the role {twice!r} twice; leave one of them.")
    for role in found.roles:
        if not role.permissions:
            raise ValueError(f"{source!r}: the role {role.id!r} has no permissions; leave it out.")
        _one_of(role.status, ROLE_STATES, f"{source!r}: the status of the role {role.id!r}")
    for entry in found.exceptions:
        what = f"{source!r}: the status of the exception {entry.user!r}, {entry.permission!r}"
        _one_of(entry.status, EXCEPTION_STATES, what)


def _one_of(value: str, known: tuple[str, ...], what: str) -> None:
    if value not in known:
        raise ValueError(f"{what} is {value!r}; it must be one of {', '.join(map(repr, known))}.")
