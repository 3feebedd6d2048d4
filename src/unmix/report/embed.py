"""Findings as the JSON inside the page: the same numbers, safe inside a script element, small enough for any table.

The embedded JSON equals `findings.to_dict()`, except where the page would grow beyond 2 MB: a map of more than 10,000
points is thinned (every cluster keeps its share and at least 50 points) and rounded, and with it the rows behind it and
their labels for other numbers of clusters; columns beyond the 200 that are drawn lose their histograms, rows that stand
for a cluster all but 40 cells, and the rows behind the map as many columns as it takes; and in the end columns that are
not drawn are left out.
"""

from __future__ import annotations

import json
from itertools import accumulate, islice, takewhile
from typing import Any

from unmix.exploration.findings.json_values import json_value
from unmix.report.drawing.markup import Markup
from unmix.report.drawing.numbers import number

MOST_POINTS = 10_000
FEWEST_POINTS = 50  # of a cluster, where it has them: a rare group must stay visible
MOST_BYTES = 1_250_000  # of the JSON; the rest of a page, with a line for each of 200 columns, stays below 750 kB
MOST_SHOWN = 200  # columns that a page draws
MOST_CELLS = 40  # of a row that stands for a cluster
ROWS_OF_A_CLUSTER = ("typical_rows", "borderline_rows", "odd_rows")
PER_POINT = ("x", "y", "label", "row", "confidence")


def json_findings(findings: Any) -> dict[str, Any]:
    """The findings, given as `Findings` or as their dict, as JSON values that fit the page."""
    tree = json_value(findings) if isinstance(findings, dict) else findings.to_dict()
    if tree.get("map"):
        tree = thinned(tree)
    return fitted(tree)


def thinned(tree: dict[str, Any]) -> dict[str, Any]:
    """The tree itself where its map is small, else with evenly chosen points of each cluster."""
    points = tree["map"]
    if len(points.get("label") or []) <= MOST_POINTS:
        return tree
    kept = chosen_points(points["label"])
    fewer = {name: [rounded(points[name][i]) for i in kept] for name in PER_POINT if points.get(name)}
    tree = {**tree, "map": {**points, **fewer, "n_shown": len(kept)}}
    if tree.get("alternatives"):
        tree["alternatives"] = [{**one, "labels": [one["labels"][i] for i in kept]} for one in tree["alternatives"]]
    if tree.get("rows"):
        tree["rows"] = thinned_rows(tree["rows"], kept)
    return tree


def chosen_points(labels: list[int]) -> list[int]:
    """Evenly over the rows of each cluster."""
    members: dict[int, list[int]] = {}
    for i, label in enumerate(labels):
        members.setdefault(label, []).append(i)
    kept: list[int] = []
    for of_cluster in members.values():
        n = min(len(of_cluster), max(FEWEST_POINTS, int(MOST_POINTS * len(of_cluster) / len(labels))))
        kept.extend(of_cluster[j * len(of_cluster) // n] for j in range(n))
    return sorted(kept)


def thinned_rows(rows: dict[str, Any], kept: list[int]) -> dict[str, Any]:
    values = [[column[i] for i in kept] for column in rows["values"]]
    ids = [rows["ids"][i] for i in kept] if rows.get("ids") else None
    return {**rows, "values": values, "ids": ids, "sentence": f"{rows['sentence']} {number(len(kept))} are listed."}


def fitted(tree: dict[str, Any]) -> dict[str, Any]:
    """The tree without what a page has no room for; what the page shows goes last."""
    for smaller in (with_bare_columns, with_short_rows, with_fewer_values, with_shown_columns):
        if size(tree) <= MOST_BYTES:
            break
        tree = smaller(tree)
    return tree


def with_bare_columns(tree: dict[str, Any]) -> dict[str, Any]:
    """Columns that the page does not draw, without what it would draw."""
    columns = tree.get("columns") or []
    return {**tree, "columns": columns[:MOST_SHOWN] + [bare(column) for column in columns[MOST_SHOWN:]]}


def bare(column: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in (column.get("summary") or {}).items() if name not in ("histogram", "levels")}
    return {**column, "summary": kept}


def with_short_rows(tree: dict[str, Any]) -> dict[str, Any]:
    """Rows that stand for a cluster with their first cells."""
    clusters = []
    for cluster in tree.get("clusters") or []:
        short = {kind: [short_row(row) for row in cluster.get(kind) or []] for kind in ROWS_OF_A_CLUSTER}
        clusters.append({**cluster, **short})
    return {**tree, "clusters": clusters}


def short_row(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "values": dict(islice((row.get("values") or {}).items(), MOST_CELLS))}


def with_fewer_values(tree: dict[str, Any]) -> dict[str, Any]:
    """The rows behind the map with as many columns as fit, and a word on it."""
    rows = tree.get("rows")
    if not rows:
        return tree
    room = MOST_BYTES - size({**tree, "rows": None}) - size(rows.get("ids")) - 500
    kept = list(takewhile(lambda used: used <= room, accumulate(size(column) for column in rows["values"])))
    n = len(kept)
    said = f"{rows['sentence']} {n} of these columns fit into it." if n < len(rows["values"]) else rows["sentence"]
    return {**tree, "rows": {**rows, "columns": rows["columns"][:n], "values": rows["values"][:n], "sentence": said}}


def with_shown_columns(tree: dict[str, Any]) -> dict[str, Any]:
    """Only the columns and components that the page draws."""
    spectrum = {**(tree.get("spectrum") or {})}
    for name in ("explained_variance_ratio", "reference"):
        spectrum[name] = (spectrum.get(name) or [])[:MOST_SHOWN]
    spectrum["loadings"] = [loading[:MOST_CELLS] for loading in spectrum.get("loadings") or []]
    return {**tree, "columns": (tree.get("columns") or [])[:MOST_SHOWN], "spectrum": spectrum}


def size(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def rounded(value: Any) -> Any:
    """Five significant digits: finer than a pixel of any screen."""
    return float(f"{value:.5g}") if isinstance(value, float) else value


def script_json(tree: Any) -> Markup:
    """JSON that no text inside can end: `<`, `>` and `&` are written as their escapes, everything is ASCII."""
    dumped = json.dumps(tree, allow_nan=False, separators=(",", ":"))
    return Markup(dumped.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
