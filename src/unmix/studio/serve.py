"""Start the studio: a port of 127.0.0.1 and no other, a workspace, a link that opens it."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from unmix.cli.terminal.console import on_cluster
from unmix.io.base.errors import TableError
from unmix.studio.access.session import Session
from unmix.studio.app import make_app
from unmix.studio.store.upload import copy_table
from unmix.studio.store.workspace import Workspace

LOOPBACK = "127.0.0.1"


def serve(
    file: Path | None, port: int, browser: bool, folder: Path, say: Callable[[str], None], dask: str | None = None
) -> None:
    """Serve until Ctrl-C; `say` is told the link. A cluster that does not answer is refused before anything starts."""
    with on_cluster(dask):
        pass
    with bind(port) as bound, closing(Workspace(folder)) as workspace:
        start = f"/tables/{copy_table(workspace, file)}" if file is not None else "/"
        address = f"http://{LOOPBACK}:{bound.getsockname()[1]}/?token="
        session = Session(lambda token: say(f"For another browser: {address}{token}"), start)
        server = uvicorn.Server(settings(make_app(workspace, bound.getsockname()[1], session, dask=dask)))
        say(f"unmix studio: {address}{session.token}")
        say(f"The link works once. Everything is kept in {workspace.folder}. Ctrl-C ends the studio.")
        if browser:
            webbrowser.open(address + session.token)
        server.run(sockets=[bound])


def bind(port: int) -> socket.socket:
    """A socket of the loopback device, which other machines cannot reach."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((LOOPBACK, port))
        bound.listen()  # whoever comes before the server is ready waits
    except (OSError, OverflowError) as error:
        bound.close()
        raise TableError(f"Port {port} cannot be used ({error}); give another one with --port.") from None
    return bound


def settings(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app, log_level="warning", access_log=False, ws="none", server_header=False, proxy_headers=False,
        timeout_graceful_shutdown=1, h11_max_incomplete_event_size=2**15,
    )  # type: ignore[arg-type]  # fmt: skip
