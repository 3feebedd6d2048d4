"""Settings of roles and signals: fields that write into the address, other files of the workspace, the start button."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple

from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import clip
from unmix.report.frame import Section
from unmix.studio.pages.frame import opening, page, workspaces
from unmix.studio.pages.home import sending
from unmix.studio.pages.table import copied, runs_section, saved_notebook
from unmix.studio.store.options import COMMANDS, Options, write_options
from unmix.studio.store.upload import MOST_UPLOAD
from unmix.studio.store.workspace import Record


class Form(NamedTuple):
    """A file, what is seen in it, what is asked of it in options and in words, the other files, and earlier runs."""

    table: Record
    seen: dict[str, Any]
    options: Options
    words: list[str]
    others: list[Record]
    runs: list[Record]

    @property
    def able(self) -> bool:
        return self.seen["refused"] is None


def value(options: Options, name: str) -> str:
    return options.get(name, [""])[-1]


def number_box(name: str, label: str, options: Options, usual: str, least: float = 1, step: str = "1") -> Markup:
    box = element("input", type="number", id=name, data_option=name, min=least, step=step,
                  value=value(options, name) or None, placeholder=usual)  # fmt: skip
    return element("label", element("span", label), box, class_="field")


def choice_box(name: str, label: str, options: Options, choices: Sequence[tuple[str, str]]) -> Markup:
    chosen = value(options, name)
    every = [element("option", words, value=one, selected=one == chosen) for one, words in choices]
    return element("label", element("span", label), element("select", every, id=name, data_option=name), class_="field")


def file_box(name: str, label: str, options: Options, tables: Sequence[Record]) -> Markup:
    choices = [("", "none"), *((one["id"], clip(one["file"], 50)) for one in tables)]
    return choice_box(name, label, options, choices)


def bring(words: str) -> Markup:
    """Another file for the workspace, without leaving the page."""
    picker = element("input", type="file", id="bring", class_="picker")
    return element(
        "p",
        element("label", element("strong", words), picker, class_="drop-label bring"),
        sending(MOST_UPLOAD),
        element("span", id="told", role="status", class_="told"),
        class_="actions",
    )


def notices(refused: str | None, warnings: Sequence[str]) -> Markup:
    words = element("p", element("strong", "Not with these settings. "), refused, class_="notice", role="alert")
    messages = element("div", element("ul", [element("li", one) for one in warnings]), class_="warnings")
    return element("div", words if refused else None, messages if warnings else None, id="notices")


def settings_page(
    form: Form,
    kind: str,
    words: tuple[str, str, str],
    sections: Sequence[Section],
    code: str,
    *shown: Markup,
    styles: Sequence[str] = (),
) -> str:
    """`words` say what is asked for, what is in the file, what the button does; `shown` stands before all sections."""
    table, (lede, held, button) = form.table, words
    command = command_section(kind, table, form.options, form.words, code)
    every = [*sections, ("reproduce", "As command and code", command), ("runs", "Runs", runs_section(form.runs))]
    return page(
        table["file"],
        headline=opening(table["file"], element("p", lede, class_="lede"), workspaces(table, kind), shown),
        sections=every,
        source=table["file"],
        styles=styles,
        scripts=("actions.js",),
        modules=("options.js",),
        foot=start_bar(table, kind, button, held, form.able),
    )


def command_section(kind: str, table: Record, options: Options, words: Sequence[str], python: str) -> Markup:
    line = shlex.join([*COMMANDS[kind][1], *words])
    intro = "The same settings as a command and as Python; the command gives the numbers of the run, to the digit."
    return element(
        "section",
        element("h2", "As command and code"),
        element("p", intro, class_="intro"),
        [copied(one) for one in (line, python)],
        saved_notebook(table["id"], kind, write_options(options)),
        id="reproduce",
    )


def start_bar(table: Record, kind: str, button: str, words: str, able: bool) -> Markup:
    """At the foot of the window: what will be done, and the button that starts it."""
    start = element("button", button, type="button", id="start", class_="primary", disabled=not able,
                    data_table=table["id"], data_kind=kind)  # fmt: skip
    messages = element("p", words if able else "These settings cannot be run; see the top of the page.", id="ready",
                   class_="looked-at")  # fmt: skip
    inner = element("div", element("div", messages, start, class_="choice"), class_="bar-of-choices")
    spoken: Any = element("p", class_="spoken", id="said", aria_live="polite")
    return element("aside", inner, spoken, class_="dock", aria_label="Start")
