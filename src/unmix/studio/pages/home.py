"""The first page: bring a table, look at those that are here, go back to a run, compare two."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from unmix.io.base.registry import endings
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import clip, size, unbroken
from unmix.report.headline import split
from unmix.studio.pages.frame import moment, opening, page, workspaces
from unmix.studio.store.kinds import KINDS
from unmix.studio.store.options import OPTIONS
from unmix.studio.store.workspace import Record

MOST_LISTED = 200


def home(tables: list[Record], runs: list[Record], most_upload: int) -> str:
    files = {table["id"]: table["file"] for table in tables}
    sections: list[tuple[str, str, Markup | None]] = [
        ("tables", "Tables", tables_section(tables, runs)),
        ("runs", "Runs", runs_section(runs, files)),
    ]
    lede = (
        "Rows into groups, access into roles, mixed signals into their sources, and how sure that is. "
        "Nothing leaves this machine."
    )
    top = opening("Take a table apart", element("p", lede, class_="lede"), drop_zone(most_upload))
    return page("Studio", headline=top, sections=sections, modules=("home.js",))


def drop_zone(most: int) -> Markup:
    """A place to drop a file on, which is also the button that chooses one."""
    known = ", ".join(endings())
    picker = element("input", type="file", id="file", accept=f"{known},.gz", class_="picker")
    return element(
        "div",
        element("label", element("strong", "Choose a table"), " or drop it here", picker, class_="drop-label"),
        element(
            "p", f"CSV, TSV, Parquet, Arrow, Excel, JSON lines, npy, wav; at most {most / 1e9:.3g} GB.", class_="quiet"
        ),
        sending(most),
        element("p", id="told", role="status", class_="told"),
        class_="drop",
        id="drop",
    )


def sending(most: int) -> Markup:
    """How far a file is copied; the script refuses what is longer than `most` before it sends it."""
    words = "How much of the file is copied"
    return element("progress", max=1, value=0, id="sent", hidden=True, data_most=str(most), aria_label=words)


def tables_section(tables: list[Record], runs: list[Record]) -> Markup:
    if not tables:
        words = "No tables yet. The first one you drop appears here, with everything that was found in it."
        return element("section", element("h2", "Tables"), element("p", words, class_="intro"), id="tables")
    cards = [table_card(table, [run for run in runs if run["of"] == table["id"]]) for table in tables[:MOST_LISTED]]
    return element("section", element("h2", "Tables"), element("ul", cards, class_="cards"), id="tables")


def table_card(table: Record, runs: list[Record]) -> Markup:
    done = [run for run in runs if run["state"] == "done"]
    found = verdict_line(done[0]) if done else "Nothing was asked of it yet."
    first = "/signals" if table["file"].lower().endswith((".wav", ".wave")) else ""
    remove = {"data_delete": f"/api/tables/{table['id']}", "data_name": table["file"]}
    delete = element("button", "Delete", type="button", aria_label=f"Delete {table['file']} and its runs", **remove)
    return element(
        "li",
        element("h3", element("a", clip(table["file"], 60), href=f"/tables/{table['id']}{first}")),
        element("p", size(table["bytes"]), " · ", moment(table["created"]), class_="quiet"),
        element("p", found),
        element("div", workspaces(table, ""), delete, class_="foot"),
        class_="card",
    )


def runs_section(runs: list[Record], files: dict[str, str]) -> Markup | None:
    if not runs:
        return None
    compare = element("button", "Compare the two", type="button", id="compare", disabled=True)
    hint = element(
        "p",
        "Mark two finished runs of explore, or two of roles, to see what changed and what survived.",
        class_="intro",
    )
    items = [run_line(run, files.get(run["of"], "")) for run in runs[:MOST_LISTED]]
    more = len(runs) - MOST_LISTED
    rest = (
        element("p", f"{more} older runs are kept, and reached from their tables.", class_="quiet")
        if more > 0
        else None
    )
    lines = element("ul", items, class_="run-list")
    return element("section", element("h2", "Runs"), hint, lines, rest, compare, id="runs")


def run_line(run: Record, file: str, with_file: bool = True) -> Markup:
    """One run: what it found, of what, and with which settings."""
    words = verdict_line(run)
    box = None
    if with_file:
        able = run["state"] == "done" and run["kind"] != "separate"
        box = element(
            "input",
            type="checkbox",
            name="run",
            value=run["id"],
            data_kind=run["kind"],
            disabled=not able,
            aria_label=f"Compare: {file}, {words}",
        )
    what = element(
        "div",
        element("a", words, href=f"/runs/{run['id']}"),
        element("span", KINDS[run["kind"]].title, class_="chip") if run["kind"] != "explore" else None,
        element("span", f"{clip(file, 40)} · " if with_file else None, settings_line(run), class_="quiet"),
        class_="run-words",
    )
    return element("li", box, what, element("span", moment(run["created"]), class_="quiet when"))


def verdict_line(run: dict[str, Any]) -> str:
    if run["state"] == "done":
        return unbroken(split(run["verdict"] or "Explored.")[0])
    return {"queued": "Waiting", "running": "Running"}.get(run["state"], f"Run {run['state']}")


def settings_line(run: Record) -> str:
    """The settings in a few words, or that there are none."""
    forms, given, pairs = OPTIONS.get(run["kind"], {}), [], iter(parse_qsl(run["query"]))
    for name, value in pairs:
        form, words = forms.get(name), name.rstrip("_").replace("_", " ")
        if form == "pair":
            value = f"{value} with {next(pairs)[1]}"
        given.append(f"{words} {'given' if form in ('file', 'more') else value}")
    return clip(", ".join(given), 90) if given else "default settings"
