"""How to get the same answer again: command, version, seed and source; and the numbers as JSON."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.code import code
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import NO_VALUE, number, size


def reproduce(findings: dict[str, Any]) -> Markup:
    """The last section."""
    source = findings["source"]
    facts = [
        ("unmix version", findings.get("version")),
        ("Seed", findings.get("seed")),
        ("Source", source.get("name")),
        ("Table", f"{number(source.get('n_rows'))} rows × {number(source.get('n_columns'))} columns"),
        ("File size", size(source.get("bytes")) if source.get("bytes") is not None else None),
        ("Read as", source.get("how")),
        ("Made", minute(findings.get("created"))),
    ]
    return element(
        "section",
        element("h2", "How to reproduce"),
        element("p", "The same version, seed and table give the same answer.", class_="intro"),
        element("div", code(findings.get("command") or NO_VALUE), button("Copy", "copy"), class_="command"),
        element(
            "dl",
            [element("div", element("dt", name), element("dd", value)) for name, value in facts if value is not None],
            class_="facts",
        ),
        element(
            "p",
            "Every number on this page is embedded in it as JSON. ",
            button("Save the numbers", "save"),
            class_="quiet numbers-note",
        ),
        id="reproduce",
    )


def button(title: str, action: str) -> Markup:
    """A button the page's script brings to life; without a script it stays hidden."""
    return element("button", title, type="button", data_action=action, hidden=True)


def minute(created: Any) -> str | None:
    """An ISO time with a space for the T, to the minute."""
    if not created:
        return None
    stamp = str(created)
    zone = " UTC" if stamp.endswith(("Z", "+00:00")) else ""
    return stamp[:16].replace("T", " ") + zone
