"""One name for every export: a format, and what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from unmix.core.storage.archive import replacing
from unmix.core.storage.folder import Results, replacing_folder
from unmix.roles.export.bundle import BUNDLE, bundle
from unmix.roles.export.cedar import cedar_entities, cedar_policies
from unmix.roles.export.json_document import json_roles, schema
from unmix.roles.export.rego import rego_policy
from unmix.roles.export.scim import scim_groups
from unmix.roles.export.tables import only_accepted
from unmix.roles.export.workbook import write_workbook

FORMATS = ("csv", "json", "scim", "rego", "cedar", "excel")
# Formats of more than one file: how their folders are known again, and the files they hold.
FOLDERS = {
    "csv": BUNDLE,
    "json": Results(r"roles-export\.json", r"(roles-export|roles\.schema)\.json"),
    "cedar": Results(r"policies\.cedar", r"(policies\.cedar|entities\.json)"),
}


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


def write_folder(folder: Path, results: Results, texts: Mapping[str, str]) -> list[Path]:
    """Files in a folder of their own, all of them or none; in one that holds other files too, those stay."""
    with replacing_folder(folder, results) as scratch:
        for name, text in texts.items():
            (scratch / name).write_bytes(text.encode("utf-8", errors="backslashreplace"))
    return [folder / name for name in texts]


def _json(tree: Mapping[str, Any], folder: Path) -> list[Path]:
    return write_folder(folder, FOLDERS["json"], {
        "roles-export.json": _dumped(json_roles(tree)),
        "roles.schema.json": _dumped(schema("roles")),
    })  # fmt: skip


def _cedar(tree: Mapping[str, Any], folder: Path) -> list[Path]:
    return write_folder(folder, FOLDERS["cedar"], {
        "policies.cedar": cedar_policies(tree),
        "entities.json": _dumped(cedar_entities(tree)),
    })  # fmt: skip


def _dumped(tree: Any) -> str:
    return json.dumps(tree, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _text(text: str, path: Path) -> Path:
    with replacing(path) as file:
        file.write(text.encode("utf-8", errors="backslashreplace"))
    return path


WRITERS: dict[str, Callable[[Mapping[str, Any], Path], list[Path]]] = {
    "csv": lambda tree, folder: write_folder(folder, FOLDERS["csv"], bundle(tree, folder)),
    "json": _json,
    "scim": lambda tree, path: [_text(_dumped(scim_groups(tree)), path)],
    "rego": lambda tree, path: [_text(rego_policy(tree), path)],
    "cedar": _cedar,
    "excel": lambda tree, path: [write_workbook(tree, path)],
}
