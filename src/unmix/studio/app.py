"""Every address of the studio, joined: pages for people, /api for the pages' scripts, assets of the package."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from unmix.studio.access.audit import Audit
from unmix.studio.access.guard import Guard, TooLong
from unmix.studio.access.session import Session
from unmix.studio.pages.message import TITLES, message
from unmix.studio.runs.process import Reader
from unmix.studio.runs.queue import Queue
from unmix.studio.store.upload import MOST_UPLOAD
from unmix.studio.store.workspace import Workspace
from unmix.studio.views import answers, changes, compare, points, roles, signals
from unmix.studio.views.notebook import table_notebook

ROUTES = [
    Route("/", answers.home),
    Route("/tables/{table}", answers.table),
    Route("/tables/{table}/roles", roles.access),
    Route("/tables/{table}/signals", signals.signals),
    Route("/tables/{table}/{kind}.ipynb", table_notebook),
    Route("/runs/{run}", answers.run),
    Route("/runs/{run}/events", answers.events),
    Route("/runs/{run}/path", answers.path),
    Route("/runs/{run}/files/{name}", answers.file),
    Route("/runs/{run}/groups/{group}.csv", answers.group),
    Route("/runs/{run}/points", points.points),
    Route("/runs/{run}/why", roles.why),
    Route("/runs/{run}/review/{name}", roles.reviewed_file),
    Route("/runs/{run}/sound/{name}", signals.sound),
    Route("/runs/{run}/remix.csv", signals.remix_file),
    Route("/compare", compare.compare),
    Route("/compare/{name}", compare.file),
    Route("/assets/{name}", answers.asset),
    Route("/api/tables", changes.upload, methods=["POST"]),
    Route("/api/tables/{table}", changes.delete_table, methods=["DELETE"]),
    Route("/api/runs", changes.start, methods=["POST"]),
    Route("/api/runs/{run}", changes.delete_run, methods=["DELETE"]),
    Route("/api/runs/{run}/cancel", changes.cancel, methods=["POST"]),
    Route("/api/runs/{run}/again", changes.again, methods=["POST"]),
    Route("/api/runs/{run}/groups", changes.make_group, methods=["POST"]),
    Route("/api/runs/{run}/merge", changes.merge, methods=["POST"]),
    Route("/api/runs/{run}/points", points.place, methods=["POST"]),
    Route("/api/runs/{run}/what-if", roles.what_if, methods=["POST"]),
    Route("/api/runs/{run}/steps", roles.take_step, methods=["POST"]),
    Route("/api/runs/{run}/undo", roles.undo, methods=["POST"]),
    Route("/api/groups/{group}", changes.change_group, methods=["PATCH"]),
    Route("/api/groups/{group}", changes.delete_group, methods=["DELETE"]),
]


def make_app(
    workspace: Workspace, port: int, session: Session, most_upload: int = MOST_UPLOAD, dask: str | None = None
) -> Starlette:
    """The application for one workspace behind its guard."""
    audit = Audit(workspace.folder / "audit.log")
    guard = Middleware(Guard, port=port, session=session, audit=audit, most_upload=most_upload)
    handlers: dict[Any, Any] = dict.fromkeys((HTTPException, TooLong, ValueError, OSError, sqlite3.Error), refused)
    app = Starlette(routes=ROUTES, middleware=[guard], exception_handlers=handlers, lifespan=living)
    app.state.workspace, app.state.audit, app.state.most_upload = workspace, audit, most_upload
    app.state.dask = dask
    app.state.paths, app.state.done = {}, {"roles": roles.review, "separate": signals.remix}
    return app


@asynccontextmanager
async def living(app: Starlette) -> AsyncIterator[None]:
    """The queue works and the readers wait while the server lives; at its end all processes are gone."""
    workspace: Workspace = app.state.workspace
    workspace.recover()
    queue = app.state.queue = Queue(workspace, app.state.dask)
    app.state.reviewing = asyncio.Lock()
    app.state.reader, app.state.comparer = Reader(workspace.folder), Reader(workspace.folder)
    working = asyncio.create_task(queue.work())
    try:
        yield
    finally:
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        for reader in (app.state.reader, app.state.comparer):
            await reader.end()


async def refused(asked: Request, error: Exception) -> Response:
    """What cannot be had, as one sentence; and a line in the audit."""
    status, words = 422, str(error)
    if isinstance(error, TooLong):
        status = 413
    elif isinstance(error, FileNotFoundError):
        status, words = 404, "A file of this run is no longer in the workspace; somebody took it away."
    elif isinstance(error, HTTPException):
        status, words = (
            error.status_code,
            error.detail if error.status_code == 400 else TITLES.get(error.status_code, error.detail),
        )
    elif isinstance(error, OSError | sqlite3.Error):
        status, words = (
            507,
            f"The disk of the workspace refuses ({getattr(error, 'strerror', None) or error}); make room.",
        )
    elif isinstance(error, UnicodeError):
        status, words = 400, "The address holds bytes that are no text."
    asked.app.state.audit.refuse(words, f"{asked.method} {asked.url.path}")
    return message(asked, status, words)
