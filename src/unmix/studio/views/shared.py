"""What pages of roles and signals share: settings of an address as words of a command, and what stands in their way."""

from __future__ import annotations

from typing import Any, NamedTuple

from starlette.requests import Request

from unmix.studio.runs.question import companions
from unmix.studio.store.options import Options, arguments, checked, read_options
from unmix.studio.store.workspace import Record
from unmix.studio.views.answers import known


class Asked(NamedTuple):
    """A file, what the address asks of it, and in `refused` why that cannot be run, if so."""

    table: Record
    options: Options
    words: list[str]
    refused: str | None
    others: list[Record]  # every other file of the workspace


def asked_of(asked: Request, kind: str) -> Asked:
    workspace, table = asked.app.state.workspace, known(asked, "tables", asked.path_params["table"])
    others = [one for one in workspace.select("tables") if one["id"] != table["id"]]
    options = read_options(kind, asked.url.query)
    names = {one["id"]: one["file"] for one in others}
    try:
        companions(workspace, kind, table, options)
        words = arguments(kind, table["file"], options, names)
        checked(kind, words)
    except ValueError as error:
        return Asked(table, options, [table["file"]], str(error), others)
    return Asked(table, options, words, None, others)


def paths_of(asked: Request, run: Record, options: Options) -> list[str]:
    """The files of a run of signals, in the order of its command."""
    workspace = asked.app.state.workspace
    keys = [run["of"], *options.get("more", [])]
    return [str(workspace.table_path(known(asked, "tables", key))) for key in keys]


def number_of(options: Options, name: str) -> Any:
    return float(options[name][-1]) if name in options else None
