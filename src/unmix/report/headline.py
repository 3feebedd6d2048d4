"""The top of the page: the answer in words, then the few numbers that carry it."""

from __future__ import annotations

import re
from typing import Any

from unmix.core.percent import whole_percent
from unmix.report.drawing.marks import LEFT_OUT, colour_class
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import count, is_number, number, percent, unbroken

LONGEST_HEADLINE = 60
LONGEST_LEDE = 200
NARROWEST_NAMED = 0.05  # a piece of the size bar narrower than this has no room for its number
NARROWEST_SHARED = 0.16  # and than this, none for its share


def headline(findings: dict[str, Any]) -> Markup:
    """Verdict, key numbers, and the clusters' sizes in one bar."""
    answer, evidence = split(findings["selection"].get("verdict") or fallback(findings))
    first, rest = opening(evidence)
    return element(
        "section",
        element("h1", unbroken(answer), class_="long" if len(answer) > 70 else None),
        element("p", unbroken(first), class_="lede") if first else None,
        element("details", element("summary", "The evidence in words"), element("p", unbroken(rest)), class_="why")
        if rest
        else None,
        element("figure", sizes(findings), class_="sizes-figure", data_figure="sizes") if sizes(findings) else None,
        element("dl", tiles(findings), class_="tiles"),
        notice(findings),
        class_="verdict",
        id="verdict",
    )


def split(verdict: str) -> tuple[str, str]:
    """The first sentence is the headline, the rest its explanation; a colon or dash also ends one that is long."""
    sentences = re.split(r"(?<=[.!?])\s+", verdict.strip(), maxsplit=1)
    answer, evidence = sentences[0], sentences[1] if len(sentences) > 1 else ""
    clauses = re.split(r"(?:: | – | — )", answer, maxsplit=1)
    if len(answer) > LONGEST_HEADLINE and len(clauses) == 2:
        answer, evidence = clauses[0], f"{clauses[1][:1].upper()}{clauses[1][1:]} {evidence}".strip()
    return answer.rstrip("."), evidence


def opening(evidence: str) -> tuple[str, str]:
    """What stands under the headline at once, and what opens: whole sentences, as many as can be read at a glance."""
    sentences = re.split(r"(?<=[.!?])\s+", evidence)
    shown = 1
    while shown < len(sentences) and len(" ".join(sentences[: shown + 1])) <= LONGEST_LEDE:
        shown += 1
    return " ".join(sentences[:shown]), " ".join(sentences[shown:])


def fallback(findings: dict[str, Any]) -> str:
    """The bare answer where nobody put it in words."""
    chosen = findings["selection"].get("chosen_k")
    return "No cluster structure beyond chance." if chosen in (None, 1) else f"{chosen} groups."


def tiles(findings: dict[str, Any]) -> list[Markup]:
    """Rows, columns, groups, how sure they are, how often the answer came back, missing cells."""
    source, selection, missing = findings["source"], findings["selection"], findings.get("missing") or {}
    columns = findings.get("columns") or []
    chosen = selection.get("chosen_k")
    used = sum(bool(column.get("used")) for column in columns)
    entries = [
        tile("Rows", number(source.get("n_rows")), left_out(missing)),
        tile("Columns used", number(used), f"of {number(source.get('n_columns'))}"),
        tile("Clusters", "none" if chosen == 1 else number(chosen), likely(selection)),
    ]
    entries += sureness(selection)
    cells = number(missing.get("n_cells"))
    entries.append(
        tile(
            "Missing cells",
            percent(missing.get("fraction")),
            f"{cells} in all" if missing.get("n_cells") else "complete",
        )
    )
    return entries


def sureness(selection: dict[str, Any]) -> list[Markup]:
    """That there are clusters at all, and how often parts of the table give the same number of them."""
    chosen, entries = selection.get("chosen_k"), []
    if is_number(selection.get("probability")) and chosen != 1:
        entries.append(tile("Clusters are real", whole_percent(selection["probability"]), "probability"))
    if is_number(selection.get("confidence")):
        note = f"of parts of the table give\N{NO-BREAK SPACE}{'none' if chosen == 1 else number(chosen)}"
        entries.append(tile("Found again", percent(selection["confidence"]), note))
    return entries


def likely(selection: dict[str, Any]) -> str:
    """How probable the number is, and which ones were tried."""
    chosen, numbers = selection.get("chosen_k"), selection.get("k") or []
    share = dict(zip(numbers, selection.get("probabilities") or [])).get(chosen)
    tried = f"tried K\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{span(numbers)}"
    return f"{whole_percent(share)} probable; {tried}" if is_number(share) else tried


def tile(name: str, value: str, note: str | None) -> Markup:
    """One key number: what it is, how much, and of what."""
    return element("div", element("dt", name), element("dd", value, class_="value"), element("dd", note, class_="note"))


def left_out(missing: dict[str, Any]) -> str:
    """How many rows took no part."""
    dropped = missing.get("n_rows_dropped")
    return f"{number(dropped)} left out" if dropped else "all used"


def span(grid: list[int]) -> str:
    """The grid of K as words."""
    return (
        f"{min(grid)}\N{NO-BREAK SPACE}…\N{NO-BREAK SPACE}{max(grid)}"
        if len(grid) > 1
        else ", ".join(map(str, grid)) or "–"
    )


def sizes(findings: dict[str, Any]) -> Markup | None:
    """One bar, cut into the clusters by size."""
    clusters = [c for c in findings.get("clusters") or [] if is_number(c.get("fraction"))]
    if len(clusters) < 2:
        return None
    pieces, start = [], 0.0
    for cluster in clusters:
        pieces.append(piece(cluster, start))
        start += cluster["fraction"]
    if start < 0.9995:
        pieces.append(piece({"label": LEFT_OUT, "fraction": 1 - start}, start))
    words = ", ".join(f"cluster {c['label']}: {percent(c['fraction'])}" for c in clusters)
    return element("svg", pieces, class_="sizes", height=46, role="img", aria_label=f"Sizes of the clusters. {words}")


def piece(cluster: dict[str, Any], start: float) -> Markup:
    """One cluster's part of the size bar, with its number where there is room."""
    fraction, label = cluster["fraction"], cluster["label"]
    body = element("rect", x=f"{100 * start:.3f}%", width=f"{100 * fraction:.3f}%", height=22, class_="fill")
    room = fraction >= NARROWEST_NAMED and label != LEFT_OUT
    place = {"x": f"{100 * (start + fraction / 2):.3f}%", "y": 40, "text_anchor": "middle"}
    words = f"{label} · {percent(fraction)}" if fraction >= NARROWEST_SHARED else label
    text = element("text", words, **place) if room else None
    return element("g", body, text, class_=colour_class(label), data_cluster=label)


def notice(findings: dict[str, Any]) -> Markup | None:
    """Warnings stand where the answer stands."""
    warnings = findings.get("warnings") or []
    if not warnings:
        return None
    others = len(warnings) - 1
    link = element("a", count(others, "more warning") if others else "How sure is this?", href="#sure")
    return element("p", element("strong", "Before you rely on this. "), warnings[0], " ", link, class_="notice")
