"""What kind of structure it is, in bits: what each kind saves of a row, as bars."""

from __future__ import annotations

from typing import Any

from unmix.exploration.findings.relation_lines import with_error
from unmix.report.drawing.bars import Bar, bars
from unmix.report.drawing.figure import figure, numbers_behind
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import clip, is_number, minus, number, unbroken

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
        element("p", unbroken(found.get("sentence") or ""), class_="intro answer"),
        *(
            bars_and_reading(kinds, found)
            if saves(kinds, found)
            else [nothing_saved(found), behind(kinds, "The numbers")]
        ),
        id="structure",
    )


def bars_and_reading(kinds: list[dict[str, Any]], found: dict[str, Any]) -> list[Markup]:
    return [element("div", drawing(kinds, found), reading(found), class_="panels"), behind(kinds)]


def saves(kinds: list[dict[str, Any]], found: dict[str, Any]) -> bool:
    """Whether some kind saves bits beyond its errors: then it leads."""
    return found.get("leader") != "independent" and any(kind["saved"] for kind in kinds)


def nothing_saved(found: dict[str, Any]) -> Markup:
    """Bars of no length, or of chance, say less than a sentence."""
    names = [KINDS.get(kind["kind"], kind["kind"]).lower() for kind in found["kinds"] if kind["kind"] != "independent"]
    tried = f"Tried: {', '.join(names)}. None takes fewer bits, beyond its errors, for rows that it has not seen."
    notes = " ".join([tried, *([measured(found)] if found.get("n_rows") else []), *(found.get("notes") or [])])
    return element("p", notes, class_="reading")


def measured(found: dict[str, Any]) -> str:
    return f"Measured on {number(found['n_rows'])} rows held out."


def drawing(kinds: list[dict[str, Any]], found: dict[str, Any]) -> Markup:
    """A bar for each kind that saves or costs something; the others are measured against columns by themselves."""
    every = [bar(kind, found.get("leader")) for kind in kinds if kind["kind"] != "independent" and kind["saved"]]
    words = "; ".join(f"{one.name} {one.shown}" for one in every)
    caption = "Bits a row is shorter than with columns by themselves, ± one standard error: more is better."
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
    words = f"{plus_minus(kind['saved'], error)} bits"
    return Bar(f"{clip(name, 32)}{how_many(kind)}", kind["saved"], error, words, kind["kind"] == leader)


def how_many(kind: dict[str, Any]) -> str:
    """As ": 3" after "Groups", where the noun is said; nothing where parts of the table disagree on it."""
    size = str(kind.get("size") or "none")
    number_of, _, noun = size.partition(" ")
    return "" if size == "none" else f": {number_of if noun.isalpha() else clip(size, 24)}"


def plus_minus(value: Any, error: Any, digits: int | None = None) -> str:
    """`3.50 ± 0.07`, or to so many digits."""
    if not is_number(value):
        return number(value)
    return minus(with_error(value, error if is_number(error) else None, digits))


def reading(found: dict[str, Any]) -> Markup:
    """How to read the bars."""
    how = (
        "Every kind of structure is a way to write rows down. The better it fits, the fewer bits it takes for a row "
        "that it has not seen. What a kind saves beyond the others is what only it can say. What it costs "
        "to learn a kind from so few rows is taken out of its bits, and is part of the errors."
    )
    groups = (
        "Groups are chosen here by how well they foretell rows, and may overlap: their number need not be that of the "
        "clusters, which have to stand apart."
    )
    shown = any(kind["kind"] in ("groups", "both") and kind.get("saved") for kind in found.get("kinds") or [])
    notes = [element("li", note) for note in found.get("notes") or []]
    rows = measured(found) if found.get("n_rows") else None
    return element(
        "div",
        element("h3", "How to read this"),
        element("p", how, class_="reading"),
        element("p", groups, class_="reading") if shown else None,
        element("p", rows, class_="reading") if rows else None,
        element("ul", notes, class_="notes") if notes else None,
        class_="panel beside",
    )


def behind(kinds: list[dict[str, Any]], title: str = "The numbers behind these bars") -> Markup:
    """The numbers as a table."""
    head = ["Kind of structure", "Bits a row", "Saved", "Size"]
    rows = [
        [
            KINDS.get(kind["kind"], kind["kind"]),
            unbroken(plus_minus(kind.get("bits"), kind.get("error"))),
            unbroken(plus_minus(kind["saved"], kind.get("saved_error"))),
            clip(kind.get("size") or "", 40),
        ]
        for kind in kinds
    ]
    return numbers_behind(title, table("Bits of a row", head, rows, class_="numbers"))
