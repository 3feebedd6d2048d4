"""The signals workspace: channels, their sources, a remix of those that are kept, sound to play and files to take."""

from __future__ import annotations

import re
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from unmix.studio.pages.form import Form
from unmix.studio.pages.remix import remix_page
from unmix.studio.pages.signals import signals_page
from unmix.studio.store.options import read_options
from unmix.studio.store.workspace import Record
from unmix.studio.views.answers import known
from unmix.studio.views.shared import asked_of, number_of, paths_of

MOST_REMIXES = 60  # files that are remembered of a run
_sound = re.compile(r"(source|channel|remix)-([1-9]\d{0,3})\.wav")


async def signals(asked: Request) -> Response:
    """Before separating: the channels with their pictures, and the question."""
    workspace, given = asked.app.state.workspace, asked_of(asked, "separate")
    seen: dict[str, Any] = {"refused": given.refused}
    if given.refused is None:
        paths = paths_of(asked, {"of": given.table["id"]}, given.options)
        gaps = given.options.get("method", [""])[-1] == "second_order"
        try:
            rate = number_of(given.options, "rate")
            seen = await asked.app.state.reader.ask("channels", paths=paths, rate=rate, gaps=gaps)
        except ValueError as error:
            asked.app.state.audit.refuse(str(error), f"GET {asked.url.path}")
            seen["refused"] = str(error)
    runs = workspace.select("runs", "of = ? AND kind = 'separate'", given.table["id"])
    form = Form(given.table, seen, given.options, given.words, given.others, runs)
    page = await run_in_threadpool(signals_page, form)
    return HTMLResponse(page)


async def remix(asked: Request, run: Record, table: Record) -> Response:
    tree = asked.app.state.workspace.result(run)
    keep = kept(asked, tree["n_sources"])
    found = await asked.app.state.comparer.ask("tracks", **parts(asked, run), keep=keep)
    return HTMLResponse(await run_in_threadpool(remix_page, run, table, tree, found, keep))


async def sound(asked: Request) -> Response:
    """One track to be played; a source is the file of the run, channels and remixes are made once and remembered."""
    run, tree, match = *separated(asked), _sound.fullmatch(asked.path_params["name"])
    if match is None or not tree["audio"]:
        raise HTTPException(404)
    what, number = match[1], int(match[2])
    if what == "source":
        path = asked.app.state.workspace.run_folder(run["id"]) / f"source-{number}.wav"
        if number > tree["n_sources"] or not path.is_file():
            raise HTTPException(404)
        return FileResponse(path, media_type="audio/wav")
    keep = kept(asked, tree["n_sources"]) if what == "remix" else []
    path = asked.app.state.workspace.sounds(run["id"]) / f"{what}-{number}-{'.'.join(map(str, keep))}.wav"
    if not path.is_file():
        given = {"track": what, "number": number, "keep": keep, "to": str(path)}
        if not await asked.app.state.comparer.ask("sound", **parts(asked, run), **given):
            raise HTTPException(404)
        forget_old(path)
    return FileResponse(path, media_type="audio/wav")


async def remix_file(asked: Request) -> Response:
    """The remixed channels as a table, to be saved."""
    run, tree = separated(asked)
    keep = kept(asked, tree["n_sources"])
    path = asked.app.state.workspace.sounds(run["id"]) / f"remix-{'.'.join(map(str, keep))}.csv"
    if not path.is_file():
        await asked.app.state.comparer.ask("remix_table", **parts(asked, run), keep=keep, to=str(path))
        forget_old(path)
    return FileResponse(path, media_type="application/octet-stream", filename="remix.csv")


def separated(asked: Request) -> tuple[Record, dict[str, Any]]:
    run = known(asked, "runs", asked.path_params["run"])
    if run["kind"] != "separate" or run["state"] != "done":
        raise HTTPException(404)
    return run, asked.app.state.workspace.result(run)


def parts(asked: Request, run: Record) -> dict[str, Any]:
    """Where a run, its files and its rate are."""
    options = read_options("separate", run["query"])
    folder = str(asked.app.state.workspace.run_folder(run["id"]))
    return {"folder": folder, "paths": paths_of(asked, run, options), "rate": number_of(options, "rate")}


def kept(asked: Request, n: int) -> list[int]:
    """Sources of `?keep=1.3`, counted from 1; all of them where nothing is said, none for `?keep=`."""
    given = asked.query_params.get("keep")
    if given is None:
        return list(range(1, n + 1))
    numbers = given.split(".") if given else []
    if len(numbers) > n or not all(re.fullmatch(r"[1-9]\d{0,3}", one) and int(one) <= n for one in numbers):
        raise ValueError(f"keep is {given[:40]!r}; sources are numbers from 1 to {n}, joined by dots.")
    return sorted({int(one) for one in numbers})


def forget_old(new: Any) -> None:
    every = sorted(new.parent.glob("*.*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in every[MOST_REMIXES:]:
        path.unlink(missing_ok=True)
