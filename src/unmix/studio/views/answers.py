"""What is looked at: pages, progress, files. Nothing here changes anything."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse

from unmix.report.embed import json_findings
from unmix.report.page import SCRIPTS
from unmix.studio.pages.home import home as home_page
from unmix.studio.pages.remix import FILES as SEPARATED
from unmix.studio.pages.review import MINED
from unmix.studio.pages.run import FILES, report_page, run_page
from unmix.studio.pages.table import table_page, unreadable_page
from unmix.studio.store.groups import groups_of
from unmix.studio.store.settings import read_settings
from unmix.studio.store.upload import DECISIONS
from unmix.studio.store.workspace import Record

_key = re.compile(r"[0-9a-f]{12}")
_source = re.compile(r"source-[1-9]\d{0,3}\.wav")
_own = (
    "studio.css",
    "server.js",
    "home.js",
    "table.js",
    "progress.js",
    "state.js",
    "groups.js",
    "temperature.js",
    "actions_on_run.js",
    "options.js",
    "upload.js",
    "review.js",
    "remix.js",
    "cloud.js",
)
_others = ("roles.css", "roles_matrix.js", "roles_lists.js", "separation.css", "sound.js")
ASSETS = dict.fromkeys(_own, "unmix.studio") | dict.fromkeys(
    ("report.css", "theme.js", *_others, *SCRIPTS), "unmix.report"
)
MOST_PATHS = 8  # remembered
_kinds = {"css": "text/css", "js": "text/javascript"}


def known(asked: Request, kind: str, key: Any) -> Record:
    """The record of an identifier that was made here; whatever else was given is not there."""
    found = asked.app.state.workspace.get(kind, key) if isinstance(key, str) and _key.fullmatch(key) else None
    if found is None:
        raise HTTPException(404)
    record: Record = found
    return record


async def home(asked: Request) -> Response:
    workspace = asked.app.state.workspace
    return HTMLResponse(home_page(workspace.select("tables"), workspace.select("runs"), asked.app.state.most_upload))


OF_DECISIONS = "It holds decisions of a review; give it where roles are asked for, and the next mining keeps to them."


async def table(asked: Request) -> Response:
    workspace, record = asked.app.state.workspace, known(asked, "tables", asked.path_params["table"])
    settings = read_settings(asked.url.query)
    if record["file"].endswith(DECISIONS):
        return HTMLResponse(unreadable_page(record, OF_DECISIONS))
    try:
        seen = await asked.app.state.reader.ask("preview", path=str(workspace.table_path(record)), settings=settings)
    except ValueError as error:
        asked.app.state.audit.refuse(str(error), f"GET {asked.url.path}")
        return HTMLResponse(unreadable_page(record, str(error)), 422)
    runs = workspace.select("runs", "of = ? AND kind = 'explore'", record["id"])
    return HTMLResponse(await run_in_threadpool(table_page, record, seen, settings, runs))


async def run(asked: Request) -> Response:
    workspace, record = asked.app.state.workspace, known(asked, "runs", asked.path_params["run"])
    of = known(asked, "tables", record["of"])
    if record["state"] != "done":
        kept = any(path.is_file() for path in workspace.checkpoints(record["id"]).rglob("*"))
        return HTMLResponse(run_page(record, of, asked.app.state.queue.state(record["id"]), kept))
    if record["kind"] != "explore":
        answer: Response = await asked.app.state.done[record["kind"]](asked, record, of)
        return answer
    groups = groups_of(workspace, record["id"])
    return HTMLResponse(
        await run_in_threadpool(lambda: report_page(record, of, workspace.findings(record["id"]), groups))
    )


async def events(asked: Request) -> Response:
    """The states of a run as they change, as server-sent events."""
    record = known(asked, "runs", asked.path_params["run"])

    async def lines() -> AsyncIterator[str]:
        async for state in asked.app.state.queue.watch(record["id"]):
            yield ": still there\n\n" if state is None else f"data: {json.dumps(state)}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def path(asked: Request) -> Response:
    """The rows of the map as the temperature falls; followed once, then remembered."""
    workspace, record = asked.app.state.workspace, known(asked, "runs", asked.path_params["run"])
    if record["state"] != "done" or record["kind"] != "explore":
        raise HTTPException(404)
    paths, table = asked.app.state.paths, known(asked, "tables", record["of"])
    if record["id"] not in paths:
        rows = json_findings(workspace.findings(record["id"]))["map"]["row"]
        where, settings = str(workspace.table_path(table)), read_settings(record["query"])
        found = await asked.app.state.comparer.ask("annealed", path=where, settings=settings, rows=rows)
        paths[record["id"]] = found
        for old in list(paths)[:-MOST_PATHS]:
            del paths[old]
    return JSONResponse({"path": paths[record["id"]]})


async def file(asked: Request) -> Response:
    """A result as it stands in the folder of the run, to be saved and not to be shown."""
    record, name = known(asked, "runs", asked.path_params["run"]), asked.path_params["name"]
    path = asked.app.state.workspace.run_folder(record["id"]) / name
    if not may_be_saved(record, name) or record["state"] != "done" or not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, media_type="application/octet-stream", filename=name)


def may_be_saved(run: Record, name: str) -> bool:
    """Only what a run is known to write has an address."""
    known_files = {"explore": FILES, "roles": MINED, "separate": SEPARATED}[run["kind"]]
    return name in known_files or (run["kind"] == "separate" and _source.fullmatch(name) is not None)


async def group(asked: Request) -> Response:
    """The rows of a group with all their columns."""
    workspace, found = asked.app.state.workspace, known(asked, "groups", asked.path_params["group"])
    record = known(asked, "runs", asked.path_params["run"])
    if found["run"] != record["id"]:
        raise HTTPException(404)
    path = str(workspace.table_path(known(asked, "tables", record["of"])))
    rows = json.loads(found["rows"])
    text = await asked.app.state.comparer.ask("rows_as_csv", path=path, rows=rows, group=found["name"])
    named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(found['name'] + '.csv', safe='')}"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=named)


async def asset(asked: Request) -> Response:
    """A style or a script of the package; no other file has an address here."""
    name = asked.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404)
    text = files(ASSETS[name]).joinpath("assets", name).read_text(encoding="utf-8")
    return Response(text, media_type=_kinds[name.rpartition(".")[2]])
