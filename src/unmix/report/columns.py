"""What was done with each column, and with missing values."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.figure import numbers_behind
from unmix.report.drawing.markup import Markup, element, join, table
from unmix.report.drawing.numbers import NO_VALUE, breakable, cell, clip, count, is_number, number, percent
from unmix.report.drawing.strip import histogram_strip
from unmix.report.embed import MOST_SHOWN

MOST_AT_ONCE = 12


def columns(findings: dict[str, Any]) -> Markup:
    """The section: a sentence on missing values, then a line a column."""
    every = findings.get("columns") or []
    n_rows = findings["source"].get("n_rows")
    head = ["Column", "Kind", "Distribution", "Values", "Missing", "Different", "What was done"]
    lines = [row(column, n_rows) for column in every[:MOST_SHOWN]]
    at_once = len(lines) if len(lines) <= MOST_AT_ONCE + 3 else MOST_AT_ONCE
    rest = table("Further columns", head, lines[at_once:], class_="columns") if lines[at_once:] else None
    left = max(len(every), findings["source"].get("n_columns") or 0) - len(lines)
    more = f"{count(left, 'more column')} in findings.json." if left > 0 else None
    return element(
        "section",
        element("h2", "What went in"),
        element("p", missing(findings.get("missing") or {}), class_="intro"),
        by_cluster(findings),
        table("Each column and what was done with it", head, lines[:at_once], class_="columns")
        if lines
        else element("p", "The table has no columns."),
        numbers_behind(f"{count(len(lines) - at_once, 'further column')}", rest) if rest else None,
        element("p", more, class_="quiet") if more else None,
        id="columns",
    )


def by_cluster(findings: dict[str, Any]) -> Markup | None:
    """One column cluster by cluster: a place that the page's script draws in, from the rows behind the map."""
    names = (findings.get("rows") or {}).get("columns") or []
    if not names or not (findings.get("map") or {}).get("x"):
        return None
    options = [element("option", clip(name, 48), value=j) for j, name in enumerate(names)]
    chooser = element("label", "Column ", element("select", options, class_="column-of"))
    return element(
        "figure",
        element("h3", "One column at a time"),
        element("p", chooser),
        element("div", class_="by-cluster"),
        element("figcaption", by_cluster_caption(len(findings.get("clusters") or []))),
        class_="panel column-figure",
        data_figure="column",
        hidden=True,
    )


def by_cluster_caption(n_clusters: int) -> str:
    if n_clusters < 2:
        return "The rows on the map; of several clusters, chosen below, a line for each."
    return "A line for each cluster: its rows on the map, and in grey all of them."


def missing(found: dict[str, Any]) -> Markup:
    """Missing values in words."""
    n_cells = found.get("n_cells") or 0
    amount = f"{count(n_cells, 'missing cell')} ({percent(found.get('fraction'))})." if n_cells else "No missing cells."
    dropped = found.get("n_rows_dropped")
    lost = f"{count(dropped, 'row')} left out." if dropped else ""
    return join([element("strong", "Missing values. "), f"{amount} {(n_cells and found.get('treatment')) or lost}"])


def row(column: dict[str, Any], n_rows: Any) -> list[Any]:
    """One line of the table."""
    n_missing = column.get("n_missing")
    rate = f" ({percent(n_missing / n_rows)})" if n_missing and is_number(n_rows) and n_rows else ""
    summary = column.get("summary") or {}
    return [
        element("span", breakable(column["name"]), data_column=column["name"]),
        element(
            "span",
            column.get("kind") or NO_VALUE,
            class_="kind" if column.get("used") else "kind unused",
            title=column.get("reason") or None,
        ),
        histogram_strip(summary) or levels_strip(summary) or element("span", NO_VALUE, class_="nothing"),
        values(summary),
        f"{number(n_missing)}{rate}" if n_missing else element("span", "0", class_="nothing"),
        number(column.get("n_unique")),
        element("span", said(column), class_="what"),
    ]


def said(column: dict[str, Any]) -> str:
    """What was done with a column, and why it is of its kind where that is not said by then."""
    what, reason = column.get("what") or NO_VALUE, column.get("reason") or ""
    return what if not reason or reason in what else f"{what} ({reason})"


def values(summary: dict[str, Any]) -> Any:
    """The column in a few values: range, levels, or an example."""
    if summary.get("levels"):
        return clip(", ".join(clip(level["value"], 24) for level in summary["levels"][:3]), 60) + (
            " …" if len(summary["levels"]) > 3 else ""
        )
    if summary.get("median") is not None:
        return join(
            [
                f"{number(summary.get('min'))} … {number(summary.get('max'))}",
                element("br"),
                element("span", f"median {number(summary['median'])}", class_="quiet"),
            ]
        )
    if summary.get("min") is not None:
        return f"{cell(summary['min'])} … {cell(summary.get('max'))}"
    example = summary.get("value", summary.get("example"))
    return NO_VALUE if example is None else (cell(example) if not isinstance(example, str) else clip(example, 48))


def levels_strip(summary: dict[str, Any]) -> Markup | None:
    """A category's levels as one cut bar, most frequent first."""
    counts = [level.get("count") or 0 for level in summary.get("levels") or []] + [summary.get("n_other") or 0]
    total = sum(counts)
    if not total:
        return None
    pieces, start = [], 2.0
    for n in counts:
        width = 116 * n / total
        pieces.append(element("rect", x=start, y=6, width=max(0.0, width - 1), height=14, class_="level"))
        start += width
    return element("svg", pieces, viewBox="0 0 120 26", width=120, height=26, class_="strip", aria_hidden="true")
