"""One run: while it goes, how far it is; when it is over, the report itself with groups to make and files to take."""

from __future__ import annotations

from typing import Any

from unmix.cli.terminal.stages import SHARES
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import count
from unmix.report.page import SCRIPTS, SECTIONS, content
from unmix.report.reproduce import reproduce
from unmix.studio.pages.cloud import cloud_section
from unmix.studio.pages.files import file_list, files_section
from unmix.studio.pages.frame import chip, opening, page
from unmix.studio.pages.home import settings_line
from unmix.studio.pages.table import copied, saved_notebook
from unmix.studio.store.kinds import KINDS
from unmix.studio.store.settings import python_line, read_settings
from unmix.studio.store.workspace import Record

FILES = {
    "labels.csv": "the cluster of every row",
    "findings.json": "every number of this page",
    "report.html": "this page as one file to send",
    "model.unmix": "the fitted model",
    "encoding.unmix": "what unmix assign and unmix compare need",
}
ENDS = {
    "failed": "The run could not be finished",
    "cancelled": "The run was cancelled",
    "interrupted": "The run was interrupted",
}
# In the words of the commands; a stage may go on with numbers: "mining roles of 60 users".
STAGES = {
    "explore": tuple(SHARES["explore"]),
    "roles": (
        "reading the access data",
        "mining roles",
        "looking for exceptions",
        "asking whether the data hold errors",
        "comparing with fewer roles",
        "predicting users left out",
        "writing the report",
    ),
    "separate": (
        "reading the signals",
        "separating",
        "estimating the stability of the sources",
        "writing the report",
    ),
}
INTERRUPTED = "The studio ended before this run did. Nothing is lost but time: run it again for the same answer."
MINED_ANEW = (
    "The studio ended before this run did. A search for roles keeps no checkpoints: it begins anew and comes to the "
    "same answer, unless a time limit ends it."
)
RESUMABLE = "What it had finished is kept: it goes on from there, to the same answer as without a break."


def run_page(run: Record, table: Record, state: dict[str, Any], kept: bool = False) -> str:
    """A run that is not finished: waiting, going on, or over without an answer; one that is `kept` can go on."""
    title = ENDS.get(run["state"], f"{KINDS[run['kind']].doing} {table['file']}")
    going = run["state"] in ("queued", "running")
    words = settings_line(run) if going else why_over(run, kept)
    cancel = element("button", "Cancel", type="button", data_post=f"/api/runs/{run['id']}/cancel")
    buttons = [cancel] if going else ends(run, kept)
    top = opening(
        title,
        element("p", words, class_="lede" if going else "notice"),
        progress(run, state) if going else None,
        element("p", buttons, element("a", "Change the settings", href=settings_address(run)), class_="actions"),
    )
    return page(
        title, headline=top, source=table["file"], modules=("progress.js",) if going else ("actions_on_run.js",)
    )


def why_over(run: Record, kept: bool) -> str:
    if run["state"] == "interrupted" and not kept:
        return MINED_ANEW if run["kind"] == "roles" else INTERRUPTED
    if run["state"] == "interrupted":
        return f"The studio ended before this run did. {RESUMABLE}"
    return " ".join([run["error"] or f"Settings: {settings_line(run)}.", *([RESUMABLE] if kept else [])])


def ends(run: Record, kept: bool) -> list[Markup]:
    words, address = "Resume" if kept else "Run again", f"/api/runs/{run['id']}/again"
    again = element("button", words, type="button", class_="primary", data_post=address)
    return [again, element("button", "Delete", type="button", data_delete=f"/api/runs/{run['id']}")]


def progress(run: Record, state: dict[str, Any]) -> Markup:
    """The stages in their order; the script marks those that are over and the one that goes on."""
    share = state.get("fraction", 0) if run["kind"] == "explore" else None  # how long the others take is not known
    stages = [element("li", words, data_stage=words) for words in STAGES[run["kind"]]]
    return element(
        "div",
        element("p", chip(run["state"]), " ", element("span", "", id="words"), class_="now"),
        element("progress", max=1, value=share, id="fraction", aria_label="How much of the run is done"),
        element("ol", stages, class_="stages"),
        element("p", class_="spoken", id="said", role="status"),
        id="progress",
        data_run=run["id"],
    )


def settings_address(run: Record) -> str:
    place = {"roles": "/roles", "separate": "/signals"}.get(run["kind"], "")
    return f"/tables/{run['of']}{place}" + (f"?{run['query']}" if run["query"] else "")


def report_page(run: Record, table: Record, findings: dict[str, Any], groups: list[Record]) -> str:
    """The report's own sections, with the studio's between them."""
    own = {"reproduce": lambda tree: with_code(tree, run, table)}
    sections = [(anchor, name, own.get(anchor, write)) for anchor, name, write in SECTIONS]
    place = [anchor for anchor, *_ in sections].index("map")
    sections.insert(place, ("temperature", "Temperature", lambda tree: temperature_section(run)))
    sections.insert(place + 2, ("groups", "Your groups", lambda tree: groups_section(run, groups)))
    sections.insert(place + 2, ("cloud", "Every row", lambda tree: cloud_section(run, tree)))
    files = file_list(FILES, f"/runs/{run['id']}/files")
    sections.append(("files", "Files", lambda tree: files_section(run, files)))
    made = content(findings, sections)
    every = ("cloud.js",) if any(anchor == "cloud" and shown for anchor, _, shown in made["sections"]) else ()
    tools = element("a", "Settings", href=settings_address(run), class_="tool")
    return page(
        made["title"],
        headline=made["headline"],
        sections=made["sections"],
        source=table["file"],
        created=made["created"],
        numbers=made["numbers"],
        foot=made["foot"],
        tools=tools,
        scripts=SCRIPTS,
        modules=("state.js", "temperature.js", "groups.js", "actions_on_run.js", *every),
    )


def with_code(tree: dict[str, Any], run: Record, table: Record) -> Markup:
    """The report's section, and the same in Python below it."""
    code = f"import unmix\nfindings = {python_line(table['file'], read_settings(run['query']))}"
    more = [copied(code), saved_notebook(table["id"], "explore", run["query"])]
    return element("div", reproduce(tree), element("div", more, class_="in-python"))


def temperature_section(run: Record) -> Markup:
    """A slider along the annealing path, which is followed when it is asked for."""
    words = (
        "At a high temperature all rows are one group. As it falls groups split, those that differ most first; what "
        "splits late differs little. T counts in shares of the temperature of the first split. The path goes down to "
        "ten groups; above they are joined by where they parted."
    )
    slider = element(
        "input",
        type="range",
        id="kelvin",
        min=0,
        max=300,
        value=0,
        disabled=True,
        list="splits",
        aria_label="Temperature, from hot to cold",
    )
    return element(
        "section",
        element("h2", "Let it cool"),
        element("p", words, class_="intro"),
        element(
            "p",
            element("button", "Follow the path", type="button", id="follow"),
            element("output", id="kelvin-is"),
            class_="actions",
        ),
        element(
            "div",
            element("span", "hot", class_="quiet"),
            slider,
            element("datalist", id="splits"),
            element("span", "cold", class_="quiet"),
            class_="cooling",
        ),
        id="temperature",
        data_run=run["id"],
    )


def groups_section(run: Record, groups: list[Record]) -> Markup:
    words = "Choose a cluster, or draw around points on the map, then keep the rows: name them, note why, export them."
    return element(
        "section",
        element("h2", "Your groups"),
        element("p", words, class_="intro"),
        maker(run),
        element("ul", [group_card(group) for group in groups], class_="cards", id="group-list", data_run=run["id"]),
        merger(groups),
        id="groups",
    )


def maker(run: Record) -> Markup:
    """The form that makes a group of what is chosen."""
    name = element("input", type="text", name="name", maxlength=120, required=True, autocomplete="off")
    note = element("input", type="text", name="note", maxlength=2000, autocomplete="off")
    return element(
        "form",
        element("label", element("span", "Name"), name, class_="field"),
        element("label", element("span", "Note"), note, class_="field wide"),
        element("button", "Keep all rows", type="submit", class_="primary", id="keep"),
        element("p", class_="told", id="group-told", role="status"),
        id="make-group",
        class_="fields",
        data_run=run["id"],
    )


def group_card(group: Record) -> Markup:
    key, n = group["id"], group["n_rows"]
    name = element(
        "input", type="text", value=group["name"], maxlength=120, aria_label="Name of the group", data_rename=key
    )
    note = element(
        "input",
        type="text",
        value=group["note"],
        maxlength=2000,
        aria_label=f"Note on {group['name']}",
        placeholder="Add a note",
        data_note=key,
    )
    box = element("input", type="checkbox", name="group", value=key, aria_label=f"Choose {group['name']}")
    return element(
        "li",
        element("div", box, name, class_="group-name"),
        note,
        element("p", count(n, "row"), class_="quiet"),
        element(
            "p",
            element(
                "button",
                "Show",
                type="button",
                data_show=group["ranges"],
                aria_label=f"Show {group['name']} on the map",
            ),
            element("a", "Export CSV", href=f"/runs/{group['run']}/groups/{key}.csv", download=True, class_="tool"),
            element("button", "Delete", type="button", data_delete=f"/api/groups/{key}", data_name=group["name"]),
            class_="actions",
        ),
        class_="card",
    )


def merger(groups: list[Record]) -> Markup | None:
    if len(groups) < 2:
        return None
    return element(
        "p", element("button", "Merge the marked groups", type="button", id="merge", disabled=True), class_="actions"
    )
