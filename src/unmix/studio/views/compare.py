"""Two finished runs of one kind side by side: as a page, and for roles as the files of `unmix roles compare`."""

from __future__ import annotations

import base64
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from unmix.studio.pages.compare import compare_page
from unmix.studio.pages.compare_roles import FILES, Side, compare_roles_page
from unmix.studio.store.workspace import Record
from unmix.studio.views.answers import known
from unmix.studio.views.roles import folder, steps_of, taken


async def compare(asked: Request) -> Response:
    old, new = sides(asked)
    if old["kind"] == "roles":
        return await roles(asked, old, new)
    tables = [known(asked, "tables", run["of"]) for run in (old, new)]
    folders, same = [folder(asked, run) for run in (old, new)], old["of"] == new["of"]
    found = await asked.app.state.comparer.ask("compared", old=folders[0], new=folders[1], same_table=same)
    before, now = (
        (run, table, asked.app.state.workspace.findings(run["id"])) for run, table in zip((old, new), tables)
    )
    return HTMLResponse(await run_in_threadpool(compare_page, before, now, found, folders))


async def roles(asked: Request, old: Record, new: Record) -> Response:
    """With the steps of their reviews, if any were taken."""
    files = {table["id"]: table["file"] for table in asked.app.state.workspace.select("tables")}
    found = await asked.app.state.comparer.ask("compared_roles", old=state(asked, old), new=state(asked, new))
    before, now = (
        Side(run, files, seen, len(steps_of(asked, run["id"])), folder(asked, run))
        for run, seen in zip((old, new), found["sides"])
    )
    return HTMLResponse(await run_in_threadpool(compare_roles_page, before, now, found["change"]))


async def file(asked: Request) -> Response:
    """A file that `unmix roles compare --out` writes."""
    old, new = sides(asked)
    name = asked.path_params["name"]
    if name not in FILES or old["kind"] != "roles":
        raise HTTPException(404)
    given = {"old": state(asked, old), "new": state(asked, new)}
    files = await asked.app.state.comparer.ask("change_files", **given)
    saved = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(base64.b64decode(files[name]), media_type="application/octet-stream", headers=saved)


def sides(asked: Request) -> tuple[Record, Record]:
    old, new = (known(asked, "runs", asked.query_params.get(name)) for name in ("old", "new"))
    if old["kind"] != new["kind"] or old["kind"] == "separate":
        raise ValueError("Two runs of explore can be compared, or two of roles; choose two of one kind.")
    if not old["state"] == new["state"] == "done":
        raise ValueError("Only finished runs can be compared; wait for the other one, or resume it.")
    return old, new


def state(asked: Request, run: Record) -> dict[str, Any]:
    return {"folder": folder(asked, run), "steps": taken(steps_of(asked, run["id"]))}
