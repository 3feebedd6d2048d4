"""Relations between columns and gaps: what goes together beyond chance, what repeats, what is missing together."""

from __future__ import annotations

from typing import Any

from unmix.exploration.findings.relation_lines import RELATION_DIGITS
from unmix.report.bits import plus_minus
from unmix.report.drawing.bars import Bar, bars
from unmix.report.drawing.figure import figure, numbers_behind
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import clip, count, is_number, number, percent, unbroken

MOST_BARS = 8
MOST_LINES = 60
MOST_SENTENCES = 8
SMALLEST_P = 0.001  # that is told from smaller ones


def relations(findings: dict[str, Any]) -> Markup | None:
    """The section, or nothing where nobody looked."""
    found = findings.get("associations") or {}
    pairs = [pair for pair in found.get("pairs") or [] if is_number(pair.get("bits"))]
    lists = [
        sentences("Columns that repeat others", found.get("redundant")),
        sentences("Gaps", found.get("gaps")),
        described(found.get("described") or []),
        odd_rows(found.get("odd_rows") or [], findings.get("clusters") or []),
    ]
    if not pairs and not any(lists) and not found.get("sentence"):
        return None
    drawn = [drawing(pairs)] if pairs else []
    return element(
        "section",
        element("h2", "Relations between columns"),
        element("p", found.get("sentence") or "", class_="intro"),
        element("div", drawn, element("div", lists, class_="lists") if any(lists) else None, class_="panels"),
        behind(pairs, found.get("n_pairs")) if pairs else None,
        id="relations",
    )


def drawing(pairs: list[dict[str, Any]]) -> Markup:
    """The strongest pairs as bars."""
    every = [bar(pair) for pair in pairs[:MOST_BARS]]
    words = "; ".join(f"{one.name}: {one.shown}" for one in every)
    caption = "Bits a row that one column tells of the other, beyond what shuffled rows give, ± one standard error."
    return figure(
        "Strongest relations", bars(f"Strongest relations. {words}.", every), caption, name="relations", kind="two"
    )


def bar(pair: dict[str, Any]) -> Bar:
    error = pair.get("error")
    error = error if is_number(error) else 0.0
    name = pair.get("sentence") or " and ".join(pair.get("columns") or [])
    return Bar(name, pair["bits"], error, f"{plus_minus(pair['bits'], error, RELATION_DIGITS)} bits", True)


def sentences(title: str, said: list[str] | None) -> Markup | None:
    """A titled list; beyond a few, the rest is counted."""
    if not said:
        return None
    more = len(said) - MOST_SENTENCES
    items = [element("li", sentence) for sentence in said[:MOST_SENTENCES]]
    items += [element("li", f"… and {number(more)} more in the embedded numbers.", class_="quiet")] if more > 0 else []
    return element("div", element("h3", title), element("ul", items), class_="caveats")


def described(found: list[dict[str, Any]]) -> Markup | None:
    """How a target or a column that only describes goes with what was found."""
    return sentences("Columns that describe", [with_bits(pair) for pair in found if pair.get("sentence")])


def with_bits(pair: dict[str, Any]) -> str:
    bits = (
        f" ({plus_minus(pair['bits'], pair.get('error'), RELATION_DIGITS)} bits)" if is_number(pair.get("bits")) else ""
    )
    return unbroken(f"{pair['sentence']}{bits}")


def odd_rows(found: list[dict[str, Any]], clusters: list[dict[str, Any]]) -> Markup | None:
    """Rows that stand out from the whole table; each leads to the row. Those that the one card shows are said there."""
    on_card = {row.get("row") for row in clusters[0].get("odd_rows") or []} if len(clusters) == 1 else set()
    found = [row for row in found if row.get("row") not in on_card]
    if not found:
        return None
    items = [element("li", row_link(row.get("row")), " ", row.get("reason") or "") for row in found[:MOST_SENTENCES]]
    return element("div", element("h3", "Rows that stand out"), element("ul", items), class_="caveats")


def row_link(row: Any) -> Markup:
    """Shows a row on the map and in the list of rows, where a script runs."""
    return element("a", f"row {number(row)}", href="#map", data_row=row)


def chance(p: Any) -> str:
    """A p-value no finer than tables without relations can tell."""
    return f"<\N{NO-BREAK SPACE}{SMALLEST_P}" if is_number(p) and p < SMALLEST_P else number(p, 2)


def behind(pairs: list[dict[str, Any]], looked_at: Any) -> Markup:
    """The pairs as a table."""
    head = ["Columns", "Bits", "Share", "p"]
    rows = [
        [
            clip(" · ".join(pair.get("columns") or []), 70),
            unbroken(plus_minus(pair["bits"], pair.get("error"), RELATION_DIGITS)),
            percent(pair.get("share")),
            chance(pair.get("p_value")),
        ]
        for pair in pairs[:MOST_LINES]
    ]
    title = f"The strongest relations, of {count(looked_at, 'pair')} of columns"
    return numbers_behind("The numbers behind these bars", table(title, head, rows, class_="numbers"))
