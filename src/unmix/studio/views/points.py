"""Every row on the map: placed once, then read as a file."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from unmix.studio.store.settings import read_settings
from unmix.studio.store.workspace import Record
from unmix.studio.views.answers import known

NAME = "every-row.bin"


async def place(asked: Request) -> Response:
    """Place the rows, where that was not done before."""
    run, workspace = explored(asked), asked.app.state.workspace
    to = workspace.sounds(run["id"]) / NAME
    if not to.is_file():
        table = str(workspace.table_path(known(asked, "tables", run["of"])))
        given = {"settings": read_settings(run["query"]), "folder": str(workspace.run_folder(run["id"])), "to": str(to)}
        await asked.app.state.comparer.ask("points", path=table, **given)
    return JSONResponse({"bytes": to.stat().st_size})


async def points(asked: Request) -> Response:
    path = asked.app.state.workspace.sounds(explored(asked)["id"]) / NAME
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, media_type="application/octet-stream")


def explored(asked: Request) -> Record:
    run = known(asked, "runs", asked.path_params["run"])
    if run["kind"] != "explore" or run["state"] != "done":
        raise HTTPException(404)
    return run
