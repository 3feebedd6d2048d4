"""What kind of structure it is, in bits: what each kind saves of a held-out row, as bars."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.bars import Bar, bars
from unmix.report.drawing.figure import figure, numbers_behind
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import clip, is_number, number

KINDS = {
    "independent": "Columns by themselves",
    "factors": "Linear factors",
    "groups": "Groups",
    "both": "Factors and groups",
    "parts": "Sparse or non-negative parts",
    "sources": "Independent sources",
}


def ledger(findings: dict[str, Any]) -> Markup | None:
    """The section, or nothing where nobody counted."""
    found = findings.get("ledger") or {}
    kinds = [kind for kind in found.get("kinds") or [] if is_number(kind.get("saved"))]
    if not kinds:
        return None
    return element(
        "section",
        element("h2", "What kind of structure it is"),
        element("p", found.get("sentence") or "", class_="intro answer"),
        element("div", drawing(kinds, found), reading(found), class_="panels"),
        behind(kinds),
        id="structure",
    )


def drawing(kinds: list[dict[str, Any]], found: dict[str, Any]) -> Markup:
    """A bar for each kind but the one the others are measured against."""
    every = [bar(kind, found.get("leader")) for kind in kinds if kind["kind"] != "independent"]
    words = "; ".join(f"{one.name} {one.shown}" for one in every)
    caption = "Bits a held-out row is shorter than with columns by themselves, ± one standard error: more is better."
    return figure(
        "Bits saved a row",
        bars(f"Bits saved by each kind of structure: {words}.", every),
        caption,
        name="ledger",
        kind="two",
    )


def bar(kind: dict[str, Any], leader: Any) -> Bar:
    error = kind.get("saved_error")
    error = error if is_number(error) else 0.0
    name = KINDS.get(kind["kind"], kind["kind"])
    size = f" ({clip(kind['size'], 24)})" if kind.get("size") else ""
    return Bar(
        f"{clip(name, 32)}{size}", kind["saved"], error, plus_minus(kind["saved"], error), kind["kind"] == leader
    )


def plus_minus(value: Any, error: Any) -> str:
    """`3.5 ± 0.1`."""
    shown = number(round(value, 2)) if is_number(value) else number(value)
    return f"{shown} ± {number(round(error, 2), 2)}" if is_number(error) and error > 0 else shown


def reading(found: dict[str, Any]) -> Markup:
    """How to read the bars."""
    how = (
        "Every kind of structure is a way to write rows down. The better it fits, the fewer bits it takes for a row "
        "that it has not seen. What a kind saves beyond the others is what only it can say."
    )
    notes = [element("li", note) for note in found.get("notes") or []]
    rows = f"Measured on {number(found.get('n_rows'))} rows." if found.get("n_rows") else None
    return element(
        "div",
        element("h3", "How to read this"),
        element("p", how, class_="reading"),
        element("p", rows, class_="reading") if rows else None,
        element("ul", notes, class_="notes") if notes else None,
        class_="panel beside",
    )


def behind(kinds: list[dict[str, Any]]) -> Markup:
    """The numbers as a table."""
    head = ["Kind of structure", "Bits a row", "Saved", "Size"]
    rows = [
        [
            KINDS.get(kind["kind"], kind["kind"]),
            plus_minus(kind.get("bits"), kind.get("error")),
            plus_minus(kind["saved"], kind.get("saved_error")),
            clip(kind.get("size") or "", 40),
        ]
        for kind in kinds
    ]
    return numbers_behind(
        "The numbers behind these bars", table("Bits of a held-out row", head, rows, class_="numbers")
    )
