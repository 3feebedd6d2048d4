"""The settings of a page as a notebook to be saved."""

from __future__ import annotations

import shlex
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from unmix.studio.pages import access_code, signals
from unmix.studio.store.notebook import notebook
from unmix.studio.store.options import COMMANDS
from unmix.studio.store.settings import command_line, python_line, read_settings
from unmix.studio.views.answers import known
from unmix.studio.views.shared import asked_of


async def table_notebook(asked: Request) -> Response:
    """For `?…` of a page of settings, of any of the three kinds."""
    kind = asked.path_params["kind"]
    if kind == "explore":
        table, settings = known(asked, "tables", asked.path_params["table"]), read_settings(asked.url.query)
        code = f"import unmix\nfindings = {python_line(table['file'], settings)}"
        command = command_line(table["file"], settings)
    elif kind in COMMANDS:
        given = asked_of(asked, kind)
        if given.refused:
            raise ValueError(given.refused)
        table, page = given.table, access_code if kind == "roles" else signals
        code = page.python(table, given.options, given.others)
        command = shlex.join([*COMMANDS[kind][1], *given.words])
    else:
        raise HTTPException(404)
    name = f"{table['file'].partition('.')[0]}.ipynb"
    saved = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(name, safe='')}"}
    content = notebook(kind, table["file"], code, command)
    return Response(content, media_type="application/x-ipynb+json", headers=saved)
