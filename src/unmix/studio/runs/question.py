"""What the process of a run is told: its kind, its files, its settings, and the folder for the answer."""

from __future__ import annotations

from typing import Any

from unmix.io.base.errors import TableError
from unmix.studio.store.options import Options, arguments, checked, files_of, read_options, write_options
from unmix.studio.store.settings import command_line, read_settings, write_query
from unmix.studio.store.workspace import Record, Workspace


def question(workspace: Workspace, run: Record, table: Record, dask: str | None = None) -> dict[str, Any]:
    places = {"folder": str(workspace.run_folder(run["id"])), "checkpoints": str(workspace.checkpoints(run["id"]))}
    if run["kind"] == "explore":
        settings = read_settings(run["query"])
        command = command_line(table["file"], settings)
        common = {"kind": "explore", "table": table["file"], **places, "command": command}
        return {**common, "settings": settings, "dask": dask}
    options = read_options(run["kind"], run["query"])
    others = companions(workspace, run["kind"], table, options)
    names = {one["id"]: one["file"] for one in others}
    files = {one["file"]: str(workspace.table_path(one)) for one in (table, *others)}
    words = arguments(run["kind"], table["file"], options, names)
    return {"kind": run["kind"], "files": files, **places, "arguments": words}


def companions(workspace: Workspace, kind: str, table: Record, options: Options) -> list[Record]:
    """The other files that are asked for; no two may share a name, as the command knows them by it."""
    found = [workspace.get("tables", key) for key in files_of(kind, options)]
    others = [one for one in found if one is not None]
    if len(others) < len(found):
        raise TableError("A file that these settings name is no longer in the workspace; choose another one.")
    names = [table["file"], *(one["file"] for one in {one["id"]: one for one in others}.values())]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TableError(f"Two of the files are called {twice}; rename one of them and bring it again.")
    return others


def plain_query(workspace: Workspace, kind: str, table: Record, query: str) -> str:
    """The settings of an address, read and written again: what cannot be run is refused before it waits."""
    if kind == "explore":
        return write_query(read_settings(query))
    options = read_options(kind, query)
    names = {one["id"]: one["file"] for one in companions(workspace, kind, table, options)}
    checked(kind, arguments(kind, table["file"], options, names))
    return write_options(options)


def bytes_of(workspace: Workspace, run: Record, table: Record) -> int:
    """What all files of a run have together."""
    if run["kind"] == "explore":
        return int(table["bytes"])
    others = [workspace.get("tables", key) for key in files_of(run["kind"], read_options(run["kind"], run["query"]))]
    return int(table["bytes"]) + sum(int(one["bytes"]) for one in others if one is not None)
