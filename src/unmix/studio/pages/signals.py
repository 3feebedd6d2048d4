"""Signals before they are separated: every channel as a track, and what is asked."""

from __future__ import annotations

from typing import Any

from unmix.cli.separate import METHODS
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import breakable, clip, count, number
from unmix.report.frame import Section
from unmix.report.separation.figures import trace
from unmix.report.separation.page import ruler
from unmix.studio.pages.form import (
    Form,
    bring,
    choice_box,
    notices,
    number_box,
    settings_page,
    value,
)
from unmix.studio.store.options import Options
from unmix.studio.store.workspace import Record

METHOD_WORDS = {
    "fastica": "by their distributions (FastICA)",
    "infomax": "by their distributions (Infomax)",
    "jade": "by their fourth moments (JADE)",
    "second_order": "by their autocorrelations (gaps allowed)",
}
CLASSES = {"infomax": "Infomax", "jade": "JADE", "second_order": "SecondOrderICA"}


def signals_page(form: Form) -> str:
    seen, options, others = form.seen, form.options, form.others
    sections: list[Section] = [
        ("preview", "Channels", channels_section(seen)),
        ("question", "Question", question(options, form.table, others)),
    ]
    lede = "Several recordings of the same sources, mixed: take them apart, keep what you want, mix it again."
    held = f"{count(seen['n_channels'], 'channel')} of {number(seen['n_samples'])} samples" if form.able else ""
    said = notices(seen["refused"], seen.get("notes", []))
    code = python(form.table, options, others)
    return settings_page(form, "separate", (lede, held, "Separate"), sections, code, said, styles=("separation.css",))


def channels_section(seen: dict[str, Any]) -> Markup:
    if "channels" not in seen:
        words = "The channels appear here when the file can be read as signals."
        return element("section", element("h2", "The channels"), element("p", words, class_="intro"), id="preview")
    rows = [
        element("li", element("p", breakable(one["name"]), class_="name"), trace(one, "cx")) for one in seen["channels"]
    ]
    rate = f"{number(seen['rate'], 6)} samples a second" if seen["rate"] else "no sample rate is known"
    more = seen["n_channels"] - len(rows)
    return element(
        "section",
        element("h2", "The channels"),
        element("p", f"Every channel over its whole length, each in its own units; {rate}.", class_="intro"),
        element("div", element("ol", rows, class_="stack"), ruler(seen), class_="panel"),
        element("p", f"and {number(more)} more", class_="quiet") if more > 0 else None,
        id="preview",
    )


def question(options: Options, table: Record, others: list[Record]) -> Markup:
    methods = [("", METHOD_WORDS[METHODS[0]]), *((one, METHOD_WORDS[one]) for one in METHODS[1:])]
    fields = [
        choice_box("method", "How sources are told apart", options, methods),
        number_box("n_components", "Number of sources", options, "as many as there are"),
        number_box("rate", "Samples per second, if the file does not say", options, "as the file says", 0, "any"),
        number_box("seed", "Seed", options, "0", least=0),
    ]
    return element(
        "section",
        element("h2", "What is asked"),
        element("p", "Left empty, as many sources as there are channels.", class_="intro"),
        element("div", fields, class_="fields"),
        beside(options, table, others),
        bring("Bring another recording"),
        id="question",
    )


def beside(options: Options, table: Record, others: list[Record]) -> Markup | None:
    """Other recordings of the same moment, to be taken along."""
    ending = table["file"].rpartition(".")[2]
    alike = [one for one in others if one["file"].rpartition(".")[2] == ending]
    if not alike:
        return None
    chosen = options.get("more", [])
    boxes = [
        element("label", element("input", type="checkbox", data_more=one["id"], checked=one["id"] in chosen), " ",
                clip(one["file"], 60), class_="switch")
        for one in alike
    ]  # fmt: skip
    return element("fieldset", element("legend", "Together with"), boxes, class_="together")


def python(table: Record, options: Options, others: list[Record]) -> str:
    names = {one["id"]: one["file"] for one in others}
    files = [table["file"], *(names[key] for key in options.get("more", []) if key in names)]
    method, k = value(options, "method"), value(options, "n_components")
    name, seed = CLASSES.get(method, "FastICA"), f"random_state={value(options, 'seed') or 0}"
    extra = {"": [seed, "max_iter=1000", "tol=1e-6"], "fastica": [seed, "max_iter=1000", "tol=1e-6"],
             "infomax": [seed], "second_order": ['missing="ignore"']}.get(method, [])  # fmt: skip
    rate = f", {value(options, 'rate')}" if value(options, "rate") else ""
    call = ", ".join(filter(None, [k or "None", *extra]))
    return (
        f"from unmix.separation import {name}\nfrom unmix.separation.recording.read_signals import read_signals\n"
        f"signals = read_signals({files!r}{rate})\nmodel = {name}({call}).fit(signals.values)\n"
        "sources = model.transform(signals.values)"
    )
