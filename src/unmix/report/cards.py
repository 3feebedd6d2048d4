"""A card per cluster: how large, what sets it apart (inside against overall), and rows that are typical of it."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.marks import colour_class, mark
from unmix.report.drawing.markup import Markup, element, join, table, text
from unmix.report.drawing.numbers import breakable, cell, clip, count, is_number, number, percent
from unmix.report.drawing.strip import mean_strip, share_bar, share_strip

MOST_DISTINCT = 6
MOST_COLUMNS = 8  # of a typical row; those that set the cluster apart come first
MOST_ROWS = 4


def cards(findings: dict[str, Any]) -> Markup | None:
    """All cards, or the one card of a table without clusters."""
    clusters = findings.get("clusters") or []
    if not clusters:
        return None
    summaries = {column["name"]: column.get("summary") or {} for column in findings.get("columns") or []}
    alone = len(clusters) == 1
    return element(
        "section",
        element("h2", "What a typical row looks like" if alone else "The clusters"),
        element("p", introduction(alone), class_="intro"),
        element(
            "div", [card(cluster, summaries, alone, bool(findings.get("map"))) for cluster in clusters], class_="cards"
        ),
        id="clusters",
    )


def introduction(alone: bool) -> str:
    """How to read a card."""
    if alone:
        return "With no clusters to tell apart, these are the rows closest to the middle of the whole table."
    reading = "Dot and coloured bar: this cluster. Grey tick and bar: all rows."
    return f"What sets each cluster apart from the table as a whole, strongest first. {reading}"


def card(cluster: dict[str, Any], summaries: dict[str, Any], alone: bool, on_map: bool) -> Markup:
    """One cluster."""
    label, distinct = cluster["label"], cluster.get("distinct") or []
    title = "All rows" if alone else clip(cluster.get("name") or f"Cluster {label}", 90)
    number_of = None if alone else element("span", label, class_="number")
    return element(
        "article",
        element(
            "header", element("h3", mark(label), number_of, title), element("p", facts(cluster, alone), class_="quiet")
        ),
        None if alone else share_bar(cluster.get("fraction"), colour_class(label)),
        element(
            "ul",
            [difference(item, summaries, colour_class(label)) for item in distinct[:MOST_DISTINCT]],
            class_="distinct",
        )
        if distinct
        else no_distinction(alone),
        typical(cluster, [item["column"] for item in distinct]),
        element("p", element("a", "Show on the map", href="#map", data_isolate=label), class_="jump")
        if on_map and not alone
        else None,
        class_="card",
        id=f"cluster-{label}",
    )


def no_distinction(alone: bool) -> Markup | None:
    """A cluster without any distinction says so."""
    return None if alone else element("p", "No single column sets this cluster apart.", class_="quiet")


def facts(cluster: dict[str, Any], alone: bool) -> Markup:
    """Size, how often it is found again, and how sure its rows are."""
    if alone:
        return text(count(cluster.get("size"), "row"))
    parts: list[Any] = [f"{count(cluster.get('size'), 'row')} ({percent(cluster.get('fraction'))})"]
    if is_number(cluster.get("stability")):
        parts.append(
            element(
                "span",
                f"stability {cluster['stability']:.2f}",
                title="Mean overlap with its counterpart on resampled rows; 1 = always found again",
            )
        )
    if is_number(cluster.get("confidence")):
        parts.append(
            element("span", f"confidence {percent(cluster['confidence'])}", title="Mean confidence of its rows")
        )
    return join(parts, " · ")


def difference(item: dict[str, Any], summaries: dict[str, Any], colour: str) -> Markup:
    """What differs in words and, where the numbers are known, its small figure with the numbers beside it."""
    inside, overall = item.get("inside"), item.get("overall")
    sentence = item.get("sentence") or item["column"]
    if not is_number(inside) or not is_number(overall):
        return element("li", element("p", sentence))
    if item.get("level") is None:
        drawn = mean_strip(inside, overall, summaries.get(item["column"], {}), colour)
    else:
        drawn = share_strip(inside, overall, colour)
    # "body_mass higher: 5,076 vs 4,202 overall": the numbers end the sentence, and stand by the figure.
    words, colon, numbers = sentence.rpartition(": ")
    beside = element("span", numbers, class_="quiet") if colon else None
    return element("li", element("p", words or sentence), element("div", drawn, beside, class_="against"))


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
    more = (
        f"{count(len(every) - len(shown), 'more column')} in the embedded numbers." if len(every) > len(shown) else None
    )
    grid = table(f"Typical rows of cluster {cluster['label']}", head, body, class_="typical")
    return join([grid, element("p", more, class_="quiet more") if more else None])
