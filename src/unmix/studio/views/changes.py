"""What changes something: uploads, runs, groups. Answers are JSON; what is refused is a sentence."""

from __future__ import annotations

import json
import shutil
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from unmix.studio.runs.question import plain_query
from unmix.studio.store import groups
from unmix.studio.store.kinds import KINDS
from unmix.studio.store.upload import receive_table
from unmix.studio.store.workspace import OPEN_STATES
from unmix.studio.views.answers import known

NO_JSON = "The request is not the JSON that was expected."


async def body(asked: Request) -> dict[str, Any]:
    """The JSON object that was sent."""
    if asked.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415)
    try:
        sent = json.loads(await asked.body())
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise HTTPException(400, NO_JSON)
    return sent


async def upload(asked: Request) -> Response:
    """The file is the body itself; its name stands in the address."""
    name = asked.query_params.get("name", "")
    return JSONResponse({"table": await receive_table(asked.app.state.workspace, name, asked.stream())}, 201)


async def start(asked: Request) -> Response:
    """A run of a table with the settings of a query, behind those that wait."""
    sent, workspace = await body(asked), asked.app.state.workspace
    table, query = known(asked, "tables", sent.get("table")), sent.get("query", "")
    kind = sent.get("kind", "explore")
    if not isinstance(query, str) or not isinstance(kind, str) or kind not in KINDS:
        raise HTTPException(400, NO_JSON)
    settings = plain_query(workspace, kind, table, query)
    run = workspace.insert("runs", of=table["id"], query=settings, state="queued", kind=kind)
    asked.app.state.queue.add(run)
    return JSONResponse({"run": run}, 201)


async def again(asked: Request) -> Response:
    record = known(asked, "runs", asked.path_params["run"])
    if record["state"] in (*OPEN_STATES, "done"):
        raise HTTPException(409)
    asked.app.state.queue.add(record["id"])
    return JSONResponse({"run": record["id"]})


async def cancel(asked: Request) -> Response:
    record = known(asked, "runs", asked.path_params["run"])
    await asked.app.state.queue.cancel(record["id"])
    return JSONResponse({"run": record["id"]})


async def delete_run(asked: Request) -> Response:
    await _delete_run(asked, known(asked, "runs", asked.path_params["run"])["id"])
    return JSONResponse({})


async def delete_table(asked: Request) -> Response:
    workspace, table = asked.app.state.workspace, known(asked, "tables", asked.path_params["table"])
    for run in workspace.select("runs", "of = ?", table["id"]):
        await _delete_run(asked, run["id"])
    workspace.delete("tables", table["id"])
    shutil.rmtree(workspace.table_path(table).parent, ignore_errors=True)
    return JSONResponse({})


async def _delete_run(asked: Request, run: str) -> None:
    workspace = asked.app.state.workspace
    await asked.app.state.queue.cancel(run)
    for part in ("groups", "steps"):
        for one in workspace.select(part, "run = ?", run):
            workspace.delete(part, one["id"])
    workspace.delete("runs", run)
    for folder in (workspace.run_folder(run), workspace.sounds(run), workspace.checkpoints(run)):
        shutil.rmtree(folder, ignore_errors=True)


async def make_group(asked: Request) -> Response:
    """Of rows by their numbers, or of all rows of a cluster, also of those that the map does not show."""
    workspace, run, sent = asked.app.state.workspace, known(asked, "runs", asked.path_params["run"]), await body(asked)
    if run["state"] != "done" or run["kind"] != "explore":
        raise HTTPException(409)
    rows, cluster = sent.get("rows"), sent.get("cluster")
    if isinstance(cluster, int) and not isinstance(cluster, bool):
        rows = await asked.app.state.reader.ask(
            "cluster_rows", folder=str(workspace.run_folder(run["id"])), cluster=cluster
        )
    n_rows = workspace.findings(run["id"])["source"]["n_rows"]
    made = groups.make_group(workspace, run["id"], sent.get("name"), sent.get("note"), rows, n_rows)
    return JSONResponse({"group": made}, 201)


async def merge(asked: Request) -> Response:
    run, sent = known(asked, "runs", asked.path_params["run"]), await body(asked)
    return JSONResponse({"group": groups.merge_groups(asked.app.state.workspace, run["id"], sent.get("groups"))}, 201)


async def change_group(asked: Request) -> Response:
    found = known(asked, "groups", asked.path_params["group"])
    groups.change_group(asked.app.state.workspace, found["id"], await body(asked))
    return JSONResponse({"group": found["id"]})


async def delete_group(asked: Request) -> Response:
    asked.app.state.workspace.delete("groups", known(asked, "groups", asked.path_params["group"])["id"])
    return JSONResponse({})
