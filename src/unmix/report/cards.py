"""A compact card a cluster: its name, its size, a rule that tells it from the others, what sets it apart, its rows."""

from __future__ import annotations

from typing import Any

from unmix.exploration.findings.relation_lines import tells
from unmix.report.drawing.marks import colour_class, mark
from unmix.report.drawing.markup import Markup, element, join, table, text
from unmix.report.drawing.numbers import breakable, cell, clip, count, is_number, number, percent, true_minus
from unmix.report.drawing.strip import mean_strip, share_bar, share_strip
from unmix.report.relations import row_link

SHOWN_DISTINCT = 3  # at once; the others open
FEW = 6  # clusters up to which a card shows its small figures at once
MOST_DISTINCT = 6
MOST_COLUMNS = 8  # of a typical row; those that set the cluster apart come first
MOST_ROWS = 4
NOTHING_APART = "No single column sets this cluster apart."
UNNAMED = "no column stands out"


def cards(findings: dict[str, Any]) -> Markup | None:
    """All cards, or the one card of a table without clusters."""
    clusters = findings.get("clusters") or []
    if not clusters:
        return None
    summaries = {column["name"]: column.get("summary") or {} for column in findings.get("columns") or []}
    alone = len(clusters) == 1
    made = [card(cluster, summaries, len(clusters), bool(findings.get("map"))) for cluster in clusters]
    return element(
        "section",
        element("h2", "What a typical row looks like" if alone else "The clusters"),
        element("p", introduction(alone), class_="intro", data_own=True),
        element("p", class_="intro", data_other=True, hidden=True),
        element("div", made, class_="cards many" if len(clusters) > FEW else "cards", data_own=True),
        element("div", class_="cards many", data_other=True, hidden=True),
        id="clusters",
    )


def introduction(alone: bool) -> str:
    """How to read a card."""
    if alone:
        return "With no clusters to tell apart, these are the rows closest to the middle of the whole table."
    reading = "Dot and coloured bar: this cluster. Grey tick and bar: all rows."
    return f"What sets each cluster apart from the table as a whole, strongest first. {reading}"


def card(cluster: dict[str, Any], summaries: dict[str, Any], n_clusters: int, on_map: bool) -> Markup:
    """One cluster."""
    label, distinct = cluster["label"], (cluster.get("distinct") or [])[:MOST_DISTINCT]
    alone, at_once = n_clusters == 1, SHOWN_DISTINCT if n_clusters <= FEW else 0
    colour = colour_class(label)
    return element(
        "article",
        heading(cluster, alone),
        None if alone else share_bar(cluster.get("fraction"), colour),
        rule(cluster.get("rule"), cluster.get("fraction")),
        traits(distinct[:at_once], summaries, colour) if distinct and at_once else None,
        None if distinct or alone or is_unnamed(cluster) else element("p", NOTHING_APART, class_="quiet"),
        more(cluster, distinct, at_once, summaries, alone),
        buttons(label) if on_map and not alone else None,
        class_="card",
        id=f"cluster-{label}",
        data_cluster=label,
    )


def heading(cluster: dict[str, Any], alone: bool) -> Markup:
    label = cluster["label"]
    title = "All rows" if alone else clip(true_minus(cluster.get("name") or f"Cluster {label}"), 90)
    number_of = None if alone else element("span", label, class_="number")
    return element(
        "header", element("h3", mark(label), number_of, title), element("p", facts(cluster, alone), class_="quiet")
    )


def is_unnamed(cluster: dict[str, Any]) -> bool:
    """Whether the name says by itself that no column sets the cluster apart."""
    return str(cluster.get("name") or "").startswith(UNNAMED)


def facts(cluster: dict[str, Any], alone: bool) -> Markup:
    """Size, how often it is found again, and how sure its rows are."""
    if alone:
        return text(count(cluster.get("size"), "row"))
    parts: list[Any] = [f"{count(cluster.get('size'), 'row')} ({percent(cluster.get('fraction'))})"]
    if is_number(cluster.get("stability")):
        meaning = "Mean overlap with its counterpart on resampled rows; 1 = always found again"
        parts.append(element("span", f"stability {cluster['stability']:.2f}", title=meaning))
    if is_number(cluster.get("confidence")):
        sure = f"confidence {percent(cluster['confidence'])}"
        parts.append(element("span", sure, title="Mean confidence of its rows"))
    return join(parts, " · ")


def rule(found: dict[str, Any] | None, fraction: Any) -> Markup | None:
    """The rule, and how far it holds; one that is met as often outside the cluster tells nothing of it."""
    if not found or not found.get("sentence"):
        return None
    if is_number(fraction) and is_number(found.get("precision")) and not tells(found["precision"], fraction):
        return None
    finds, right = percent(found.get("recall")), percent(found.get("precision"))
    held = f"Holds for {finds} of the cluster; {right} of the rows it holds for are in it."
    return element(
        "p",
        element("strong", true_minus(found["sentence"])),
        " ",
        element("span", held, class_="quiet"),
        class_="rule-of",
    )


def traits(distinct: list[dict[str, Any]], summaries: dict[str, Any], colour: str) -> Markup:
    return element("ul", [difference(item, summaries, colour) for item in distinct], class_="distinct")


def difference(item: dict[str, Any], summaries: dict[str, Any], colour: str) -> Markup:
    """What differs in words and, where the numbers are known, its small figure with the numbers beside it."""
    inside, overall, column = item.get("inside"), item.get("overall"), item["column"]
    sentence = item.get("sentence") or column
    if not is_number(inside) or not is_number(overall):
        return element("li", element("p", sentence), data_column=column)
    if item.get("level") is None:
        drawn = mean_strip(inside, overall, summaries.get(column, {}), colour)
    else:
        drawn = share_strip(inside, overall, colour)
    # "body_mass higher: 5,076 vs 4,202 overall": the numbers end the sentence, and stand by the figure.
    words, colon, numbers = sentence.rpartition(": ")
    beside = element("span", true_minus(numbers), class_="quiet") if colon else None
    against = element("div", drawn, beside, class_="against")
    return element("li", element("p", words or sentence), against, data_column=column)


def more(
    cluster: dict[str, Any], distinct: list[dict[str, Any]], at_once: int, summaries: dict[str, Any], alone: bool
) -> Markup | None:
    """What opens: further differences, and rows that are typical, between two clusters, or odd."""
    rest = traits(distinct[at_once:], summaries, colour_class(cluster["label"])) if distinct[at_once:] else None
    parts = [rest, typical(cluster, [item["column"] for item in distinct])]
    parts += [rows_with_reason("Between two clusters", cluster.get("borderline_rows"))]
    parts += [rows_with_reason("Odd rows", cluster.get("odd_rows"))]
    if not any(parts):
        return None
    if alone:
        return join(parts)
    title = "More differences and rows" if rest else "Its rows"
    return element("details", element("summary", title), parts, class_="opens")


def rows_with_reason(title: str, rows: list[dict[str, Any]] | None) -> Markup | None:
    """Rows and why they are named."""
    if not rows:
        return None
    items = [element("li", row_link(row.get("row")), " ", row.get("reason") or "") for row in rows[:MOST_ROWS]]
    return element("div", element("h4", title), element("ul", items), class_="reasons")


def buttons(label: int) -> Markup:
    """Ways to the rest of the page, where there is a script."""
    return element(
        "p",
        element("a", "Show on the map", href="#map", data_isolate=label),
        element("a", "List its rows", href="#drawer", data_rows=label, hidden=True),
        class_="jump",
    )


def typical(cluster: dict[str, Any], leading: list[str]) -> Markup | None:
    """Typical rows side by side, one line a column."""
    rows = (cluster.get("typical_rows") or [])[:MOST_ROWS]
    if not rows:
        return None
    every = list(dict.fromkeys(name for row in rows for name in row.get("values") or {}))
    first = [name for name in dict.fromkeys(leading) if name in every]
    chosen = set((first + [name for name in every if name not in first])[:MOST_COLUMNS])
    shown = [name for name in every if name in chosen]
    head = ["Typical rows", *(f"row {number(row.get('row'))}" for row in rows)]
    body = [[breakable(name), *(cell(row["values"].get(name)) for row in rows)] for name in shown]
    left = len(every) - len(shown)
    grid = table(f"Typical rows of cluster {cluster['label']}", head, body, class_="typical")
    note = f"{count(left, 'more column')} in the embedded numbers." if left else None
    return join([grid, element("p", note, class_="quiet more") if note else None])
