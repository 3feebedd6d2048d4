"""Findings as the JSON inside the page: the same numbers, safe inside a script element, small enough for any table.

The embedded JSON equals `findings.to_dict()`, except that a map of more than 20,000 points is thinned (every cluster
keeps its share and at least 50 points) and rounded, so a page stays under 2 MB whatever the number of rows.
"""

from __future__ import annotations

import json
from typing import Any

from unmix.exploration.findings.json_values import json_value
from unmix.report.markup import Markup

MOST_POINTS = 20_000
FEWEST_POINTS = 50  # of a cluster, where it has them: a rare group must stay visible
PER_POINT = ("x", "y", "label", "row", "confidence")


def json_findings(findings: Any) -> dict[str, Any]:
    """The findings, given as `Findings` or as their dict, as JSON values with a map that fits the page."""
    tree = findings if isinstance(findings, dict) else findings.to_dict()
    tree = json_value(tree)
    if tree.get("map"):
        tree["map"] = thinned_map(tree["map"])
    return tree


def thinned_map(points: dict[str, Any]) -> dict[str, Any]:
    """The map itself where it is small, else evenly chosen points of each cluster."""
    labels = points.get("label") or []
    if len(labels) <= MOST_POINTS:
        return points
    members: dict[int, list[int]] = {}
    for i, label in enumerate(labels):
        members.setdefault(label, []).append(i)
    kept: list[int] = []
    for of_cluster in members.values():
        n = min(len(of_cluster), max(FEWEST_POINTS, int(MOST_POINTS * len(of_cluster) / len(labels))))
        kept.extend(of_cluster[j * len(of_cluster) // n] for j in range(n))
    kept.sort()
    thinned = {name: [rounded(points[name][i]) for i in kept] for name in PER_POINT if points.get(name)}
    return {**points, **thinned, "n_shown": len(kept)}


def rounded(value: Any) -> Any:
    """Five significant digits: finer than a pixel of any screen."""
    return float(f"{value:.5g}") if isinstance(value, float) else value


def script_json(tree: Any) -> Markup:
    """JSON that no text inside can end: `<`, `>` and `&` are written as their escapes, everything is ASCII."""
    dumped = json.dumps(tree, allow_nan=False, separators=(",", ":"))
    return Markup(dumped.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
