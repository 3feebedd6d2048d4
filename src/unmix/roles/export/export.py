"""One name for every export: a format, and what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from unmix.core.storage.archive import replacing
from unmix.roles.export.bundle import write_bundle
from unmix.roles.export.cedar import cedar_entities, cedar_policies
from unmix.roles.export.json_document import json_roles, schema
from unmix.roles.export.rego import rego_policy
from unmix.roles.export.scim import scim_groups
from unmix.roles.export.tables import only_accepted
from unmix.roles.export.workbook import write_workbook

FORMATS = ("csv", "json", "scim", "rego", "cedar", "excel")


def export(tree: Mapping[str, Any], kind: str, target: str | Path, *, accepted: bool = False) -> list[Path]:
    """Writes a document of roles for another program.

    Parameters
    ----------
    tree : document
        The tree of roles.json, with decisions on it if there are any (see :func:`annotate`).
    kind : {"csv", "json", "scim", "rego", "cedar", "excel"}
    target : path
        A folder for "csv", "json" (with the schema) and "cedar" (with the entities), else a file.
    accepted : bool
        Accepted roles alone; what users have from others stays as single grants.

    Returns
    -------
    list of Path
        What was written.
    """
    if kind not in FORMATS:
        raise ValueError(f"kind is {kind!r}; it must be one of {', '.join(map(repr, FORMATS))}.")
    return WRITERS[kind](only_accepted(tree) if accepted else tree, Path(target))


def _json(tree: Mapping[str, Any], folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _text(_dumped(json_roles(tree)), folder / "roles-export.json"),
        _text(_dumped(schema("roles")), folder / "roles.schema.json"),
    ]


def _cedar(tree: Mapping[str, Any], folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _text(cedar_policies(tree), folder / "policies.cedar"),
        _text(_dumped(cedar_entities(tree)), folder / "entities.json"),
    ]


def _dumped(tree: Any) -> str:
    return json.dumps(tree, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _text(text: str, path: Path) -> Path:
    with replacing(path) as file:
        file.write(text.encode("utf-8", errors="backslashreplace"))
    return path


WRITERS: dict[str, Callable[[Mapping[str, Any], Path], list[Path]]] = {
    "csv": write_bundle,
    "json": _json,
    "scim": lambda tree, path: [_text(_dumped(scim_groups(tree)), path)],
    "rego": lambda tree, path: [_text(rego_policy(tree), path)],
    "cedar": _cedar,
    "excel": lambda tree, path: [write_workbook(tree, path)],
}
