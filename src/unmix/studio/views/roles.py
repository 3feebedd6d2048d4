"""The roles workspace: an access file, its mined roles under review, steps and their cost, the result as files."""

from __future__ import annotations

import base64
import getpass
import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from unmix.studio.pages.access import access_page
from unmix.studio.pages.form import Form
from unmix.studio.pages.review import FILES, review_page
from unmix.studio.review.files import as_steps
from unmix.studio.store.groups import a_text
from unmix.studio.store.workspace import Record
from unmix.studio.views.answers import known
from unmix.studio.views.changes import NO_JSON, body
from unmix.studio.views.shared import asked_of

MOST_STEPS = 5000


async def access(asked: Request) -> Response:
    """Before mining: what the file holds as access, and the question."""
    workspace, given = asked.app.state.workspace, asked_of(asked, "roles")
    seen: dict[str, Any] = {"refused": given.refused}
    try:
        path = str(workspace.table_path(given.table))
        seen |= await asked.app.state.reader.ask("access", path=path)
    except ValueError as error:
        asked.app.state.audit.refuse(str(error), f"GET {asked.url.path}")
        seen["refused"] = given.refused or str(error)
    runs = workspace.select("runs", "of = ? AND kind = 'roles'", given.table["id"])
    form = Form(given.table, seen, given.options, given.words, given.others, runs)
    page = await run_in_threadpool(access_page, form)
    return HTMLResponse(page)


async def review(asked: Request, run: Record, table: Record) -> Response:
    steps = steps_of(asked, run["id"])
    found = await asked.app.state.comparer.ask("reviewed", folder=folder(asked, run), steps=taken(steps))
    return HTMLResponse(await run_in_threadpool(review_page, run, table, found, steps, reviewer()))


async def what_if(asked: Request) -> Response:
    """What one more step would cost; nothing is kept."""
    run, step = mined(asked), a_step(await body(asked))
    done = taken(steps_of(asked, run["id"]))
    return JSONResponse(await asked.app.state.comparer.ask("what_if", folder=folder(asked, run), steps=done, step=step))


async def take_step(asked: Request) -> Response:
    """One more step, with who took it and what it cost; one at a time, as each builds on those before."""
    run, sent = mined(asked), await body(asked)
    step = a_step(sent)
    who = a_text(sent.get("who") or reviewer(), 80, "reviewer").strip() or reviewer()
    note = a_text(sent.get("note") or "", 500, "note")
    async with asked.app.state.reviewing:
        steps = steps_of(asked, run["id"])
        if len(steps) >= MOST_STEPS:
            raise ValueError(f"A review has at most {MOST_STEPS} steps; export it, and mine again with what was kept.")
        cost = await asked.app.state.comparer.ask("what_if", folder=folder(asked, run), steps=taken(steps), step=step)
        kept = {"step": json.dumps(step), "cost": json.dumps(cost), "who": who, "note": note}
        asked.app.state.workspace.insert("steps", run=run["id"], **kept)
    return JSONResponse(cost, 201)


async def undo(asked: Request) -> Response:
    run = mined(asked)
    async with asked.app.state.reviewing:
        steps = steps_of(asked, run["id"])
        if not steps:
            raise HTTPException(409)
        asked.app.state.workspace.delete("steps", steps[-1]["id"])
    return JSONResponse({"steps": len(steps) - 1})


async def why(asked: Request) -> Response:
    """Why a user has a permission, in sentences."""
    run, given = mined(asked), asked.query_params
    done = taken(steps_of(asked, run["id"]))
    names = {name: given.get(name, "") for name in ("user", "permission")}
    lines = await asked.app.state.comparer.ask("why", folder=folder(asked, run), steps=done, **names)
    return JSONResponse({"lines": lines})


async def reviewed_file(asked: Request) -> Response:
    """A file of the result, made of the mined roles and the steps."""
    run, name = mined(asked), asked.path_params["name"]
    if name not in FILES:
        raise HTTPException(404)
    steps = steps_of(asked, run["id"])
    files = await asked.app.state.comparer.ask("review_files", folder=folder(asked, run), steps=steps)
    if name not in files:
        raise HTTPException(404)
    saved = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(base64.b64decode(files[name]), media_type="application/octet-stream", headers=saved)


def mined(asked: Request) -> Record:
    run = known(asked, "runs", asked.path_params["run"])
    if run["kind"] != "roles" or run["state"] != "done":
        raise HTTPException(404)
    return run


def folder(asked: Request, run: Record) -> str:
    return str(asked.app.state.workspace.run_folder(run["id"]))


def steps_of(asked: Request, run: str) -> list[Record]:
    """Oldest first."""
    return as_steps(asked.app.state.workspace.select("steps", "run = ?", run)[::-1])


def taken(steps: list[Record]) -> list[dict[str, Any]]:
    return [one["step"] for one in steps]


def a_step(sent: dict[str, Any]) -> dict[str, Any]:
    step = sent.get("step")
    if not isinstance(step, dict):
        raise HTTPException(400, NO_JSON)
    return step


def reviewer() -> str:
    """Who is at this machine, as far as it tells."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "reviewer"
