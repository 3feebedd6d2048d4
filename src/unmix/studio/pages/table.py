"""One table before it is explored: its columns with kinds and reasons, each to be switched, and what is asked of it.

Every control writes into the address; the server answers with the page anew, and the script takes over what changed.
"""

from __future__ import annotations

from typing import Any

from unmix.report.columns import levels_strip, said, values
from unmix.report.drawing.code import code
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import NO_VALUE, both_ends, breakable, cell, clip, count, number, percent
from unmix.report.drawing.strip import histogram_strip
from unmix.studio.pages.frame import opening, page, workspaces
from unmix.studio.pages.home import run_line
from unmix.studio.store.settings import (
    CHOICES,
    LARGEST,
    TYPES,
    Settings,
    command_line,
    python_line,
    role_of,
    write_query,
)
from unmix.studio.store.workspace import Record

MOST_COLUMNS = 500
ROLE_WORDS = {
    "": "as its values say",
    "use": "use these only",
    "describe": "describe only",
    "drop": "drop",
    "target": "target",
    "id": "names the rows",
    "group": "names the unit",
    "order": "order of the rows",
}
ROLE_HINT = (
    "“use these only” forms clusters by the columns so marked and by no others; “describe only” keeps a column for the "
    "descriptions; “drop” leaves it out of everything."
)


def table_page(record: Record, seen: dict[str, Any], settings: Settings, runs: list[Record]) -> str:
    source = seen["source"]
    how = f"{count(source['n_rows'], 'row')}, {count(source['n_columns'], 'column')}; {source['how']}."
    top = opening(record["file"], element("p", how, class_="lede"), workspaces(record, "explore"), notices(seen))
    sections = [
        ("columns", "Columns", columns_section(seen, settings)),
        ("rows", "First rows", rows_section(seen["first"])),
        ("question", "Question", question_section(settings)),
        ("reproduce", "As command and code", reproduce_section(record, settings)),
        ("runs", "Runs", runs_section(runs)),
    ]
    return page(
        record["file"],
        headline=top,
        sections=sections,
        source=record["file"],
        scripts=("paint.js", "actions.js"),
        modules=("table.js",),
        foot=bar(record, seen),
    )


def unreadable_page(record: Record, why: str) -> str:
    """A file that is no table: why, what else can be asked of it, and the way to be rid of it."""
    remove = {"data_delete": f"/api/tables/{record['id']}", "data_name": record["file"]}
    actions = [element("button", "Delete this file", type="button", **remove), element("a", "To the tables", href="/")]
    top = opening(
        record["file"],
        element("p", element("strong", "This cannot be explored. "), why, class_="notice", role="alert"),
        workspaces(record, "explore"),
        element("p", actions, class_="actions"),
    )
    return page(record["file"], headline=top, source=record["file"], modules=("actions_on_run.js",))


def notices(seen: dict[str, Any]) -> Markup:
    """What stands in the way of a run, and what the reader should know; replaced when a setting changes."""
    refused = element(
        "p", element("strong", "Not with these settings. "), seen["refused"], class_="notice", role="alert"
    )
    messages = [element("li", words) for words in seen["warnings"]]
    warnings = element("div", element("ul", messages), class_="warnings") if messages else None
    return element("div", refused if seen["refused"] else None, warnings, id="notices")


def columns_section(seen: dict[str, Any], settings: Settings) -> Markup:
    every = seen["columns"]
    lines = [
        column_line(j, column, seen["source"]["n_rows"], settings) for j, column in enumerate(every[:MOST_COLUMNS])
    ]
    head = ["Column", "Kind", "For", "Distribution", "Values", "Missing", "What will be done"]
    left = len(every) - len(lines)
    more = (
        f"{count(left, 'more column')} cannot be switched here; unmix explore takes them by name." if left > 0 else None
    )
    return element(
        "section",
        element("h2", "The columns"),
        element(
            "p", "What each column is taken for, and why. Switch what you know better. ", ROLE_HINT, class_="intro"
        ),
        table("Each column, its kind and what it is for", head, lines, class_="columns switches"),
        element("p", more, class_="quiet") if more else None,
        id="columns",
    )


def column_line(j: int, column: dict[str, Any], n_rows: int, settings: Settings) -> list[Any]:
    name, summary = column["name"], column.get("summary") or {}
    given = settings.get("type", {}).get(name, "")
    types = [("", column["kind"] or "not known" if not given else "as its values say"), *((one, one) for one in TYPES)]
    missing = column.get("n_missing") or 0
    return [
        element("span", breakable(both_ends(name))),
        select(f"type-{j}", f"Kind of {name}", types, given, data_type=name),
        select(f"role-{j}", f"What {name} is for", list(ROLE_WORDS.items()), role_of(name, settings), data_role=name),
        histogram_strip(summary) or levels_strip(summary) or element("span", NO_VALUE, class_="nothing"),
        values(summary),
        f"{number(missing)} ({percent(missing / n_rows)})" if missing else element("span", "0", class_="nothing"),
        element("span", said(column), class_="what" if column.get("used") else "what unused-column"),
    ]


def select(key: str, label: str, options: list[tuple[str, str]], chosen: str, **data: Any) -> Markup:
    every = [element("option", words, value=value, selected=value == chosen) for value, words in options]
    return element("select", every, id=key, aria_label=label, **data)


def rows_section(first: dict[str, Any]) -> Markup:
    lines = [
        [i + 1, *(NO_VALUE if value is None else clip(cell(value), 40) for value in row)]
        for i, row in enumerate(first["rows"])
    ]
    head = ["Row", *(both_ends(name, 32) for name in first["names"])]
    listed = table("The first rows", head, lines, class_="first-rows")
    return element("section", element("h2", "The first rows"), listed, id="rows")


def question_section(settings: Settings) -> Markup:
    """How many clusters, from which rows, with which random numbers."""
    fields = [
        number_field("k", "Number of clusters", settings, "automatic", least=1),
        number_field("max_k", "Largest number considered", settings, "10", least=1),
        number_field("sample", "Rows looked at", settings, "100000", least=2),
        number_field("seed", "Seed", settings, "0", least=0),
        choice_field("categories", "Category columns", settings),
        choice_field("as_", "Form of the table", settings),
    ]
    words = (
        "What is left empty is chosen to suit the table. The same settings give the same answer, here and on the "
        "command line."
    )
    inner = element("div", fields, class_="fields")
    return element("section", element("h2", "What is asked"), element("p", words, class_="intro"), inner, id="question")


def number_field(name: str, label: str, settings: Settings, usual: str, least: int) -> Markup:
    value = settings.get(name)
    shown = None if value is None or (name == "seed" and value == 0) else value
    box = element("input", type="number", id=name, name=name, min=least, max=LARGEST, value=shown, placeholder=usual,
                  inputmode="numeric")  # fmt: skip
    return element("label", element("span", label), box, class_="field")


def choice_field(name: str, label: str, settings: Settings) -> Markup:
    chosen = settings.get(name, "auto")
    options = [(one, "automatic" if one == "auto" else one) for one in CHOICES[name]]
    every = [element("option", words, value=value, selected=value == chosen) for value, words in options]
    return element("label", element("span", label), element("select", every, id=name, name=name), class_="field")


def reproduce_section(record: Record, settings: Settings) -> Markup:
    file = record["file"]
    words = "The same settings as a command and as Python; both give the numbers of the run, to the digit."
    lines = [command_line(file, settings), f"import unmix\nfindings = {python_line(file, settings)}"]
    return element(
        "section",
        element("h2", "As command and code"),
        element("p", words, class_="intro"),
        [copied(line) for line in lines],
        saved_notebook(record["id"], "explore", write_query(settings)),
        id="reproduce",
    )


def saved_notebook(table: str, kind: str, query: str) -> Markup:
    address = f"/tables/{table}/{kind}.ipynb" + (f"?{query}" if query else "")
    link = element("a", "Save as a notebook", href=address, download=True, class_="tool", data_notebook=True)
    return element("p", link, class_="actions")


def copied(line: str) -> Markup:
    copy = element("button", "Copy", type="button", data_action="copy", hidden=True)
    return element("div", code(line), copy, class_="command")


def runs_section(runs: list[Record]) -> Markup | None:
    if not runs:
        return None
    lines = element("ul", [run_line(run, "", with_file=False) for run in runs], class_="run-list")
    return element("section", element("h2", "Runs of this table"), lines, id="runs")


def bar(record: Record, seen: dict[str, Any]) -> Markup:
    """At the foot of the window: how many columns form the clusters, and the button that starts a run."""
    used = sum(bool(column.get("used")) for column in seen["columns"])
    words = f"{count(used, 'column')} of {number(len(seen['columns']))} {'forms' if used == 1 else 'form'} the clusters"
    able = seen["refused"] is None
    start = element(
        "button", "Explore", type="button", id="start", class_="primary", disabled=not able, data_table=record["id"]
    )
    messages = element(
        "p", words if able else "These settings cannot be run; see the top of the page.", class_="looked-at", id="ready"
    )
    inner = element("div", element("div", messages, start, class_="choice"), class_="bar-of-choices")
    return element(
        "aside", inner, element("p", class_="spoken", id="said", aria_live="polite"), class_="dock", aria_label="Start"
    )
