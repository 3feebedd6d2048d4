"""The section that shows every row of a long table, beyond those that the map has room for."""

from __future__ import annotations

from typing import Any

from unmix.exploration.structure.plane import most_points
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import number
from unmix.studio.store.workspace import Record


def cloud_section(run: Record, findings: dict[str, Any]) -> Markup | None:
    """Nothing where the map has every row already."""
    shown, rows = len(findings["map"]["row"]), findings["source"]["n_rows"]
    if rows <= most_points:
        return None
    buttons = [
        element("button", sign, type="button", data_closer=kind, aria_label=words)
        for kind, sign, words in (("in", "+", "Zoom in"), ("out", "−", "Zoom out"), ("whole", "Whole", "Whole picture"))
    ]
    density = element("label", element("input", type="checkbox", id="dense"), " as density", class_="switch")
    lasso = element("button", "Draw a lasso", type="button", id="cloud-lasso", aria_pressed="false")
    view = element("button", "Choose what is in view", type="button", id="cloud-view")
    clear = element("button", "Choose none", type="button", id="cloud-none", hidden=True)
    words = f"The map shows {number(shown)} of {number(rows)} rows; this is all of them, in the same plane."
    picture = element(
        "div",
        element("p", buttons, density, lasso, view, clear, class_="actions"),
        element("canvas", tabindex=0, role="img", aria_label="Every row as a point, coloured by cluster"),
        class_="cloud-picture",
        hidden=True,
    )
    return element(
        "section",
        element("h2", "Every row"),
        element("p", words, class_="intro"),
        element("p", element("button", "Show every row", type="button", id="open-cloud"), class_="actions"),
        element("p", id="cloud-told", class_="told", role="status"),
        picture,
        id="cloud",
        data_run=run["id"],
    )
