"""The 2-D map: a canvas the page's script draws, a legend that isolates a cluster, and the same in a table."""

from __future__ import annotations

from collections import Counter
from statistics import mean, median
from typing import Any

from unmix.report.drawing.figure import numbers_behind
from unmix.report.drawing.marks import LEFT_OUT, mark
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import clip, count, is_number, number, percent, true_minus

MOST_COMPARED = 200  # points of which neighbours are looked at
LEAST_ALIKE = 0.5  # of neighbours beyond chance, below which the map hides the clusters
HIDDEN = " The clusters part along directions that these two axes do not show, and so overlap here."


def atlas(findings: dict[str, Any]) -> Markup | None:
    """The section with the map, or nothing where there is none."""
    points = findings.get("map") or {}
    if not points.get("x") or not points.get("y"):
        return None
    clusters = findings.get("clusters") or []
    return element(
        "section",
        element("h2", "The map"),
        element("p", explanation(points, clusters), class_="intro"),
        tools(findings),
        element(
            "div",
            canvas(points, clusters),
            legend(points, clusters, bool(findings.get("alternatives"))),
            class_="atlas",
        ),
        numbers_behind("The map as a table", summary(points, clusters)),
        id="map",
    )


def tools(findings: dict[str, Any]) -> Markup | None:
    """What points are coloured by, and what a pointer draws to choose rows; a script brings them to life."""
    names = (findings.get("rows") or {}).get("columns") or []
    options = [element("option", "clusters" if len(findings.get("clusters") or []) > 1 else "one colour", value="")]
    options += [element("option", clip(name, 48), value=j) for j, name in enumerate(names)]
    colour = element("label", "Colour by ", element("select", options, class_="colour-by"))
    brush = element("button", "Draw a rectangle", type="button", class_="brush", aria_pressed="false")
    lasso = element("button", "Draw a lasso", type="button", class_="lasso", aria_pressed="false")
    return element(
        "div",
        colour if names else None,
        brush,
        lasso,
        element("p", class_="scale-of", hidden=True),
        class_="map-tools",
        hidden=True,
    )


def explanation(points: dict[str, Any], clusters: list[dict[str, Any]]) -> str:
    """What a point is and how to read it."""
    shown, total = points.get("n_shown"), points.get("n_total")
    sample = f" {number(shown)} of {number(total)} rows are drawn." if is_number(shown) and shown != total else ""
    reading = " The fainter a point, the less certain its cluster." if len(clusters) > 1 else ""
    hidden = HIDDEN if len(clusters) > 1 and neighbours_alike(points) < LEAST_ALIKE else ""
    pointing = " Point at one to see which row it is; drag a rectangle or a lasso to choose rows."
    return f"Each point is a row; rows that are alike lie close together.{sample}{reading}{hidden}{pointing}"


def neighbours_alike(points: dict[str, Any]) -> float:
    """How often the nearest point is of the same cluster, from 0 as by chance to 1, over some of the points."""
    n = len(points["label"])
    every = [(points["x"][i], points["y"][i], points["label"][i]) for i in range(0, n, -(-n // MOST_COMPARED))]
    every = [point for point in every if is_number(point[0]) and is_number(point[1])]
    if len(every) < 2:
        return 1.0
    alike = [nearest(i, every)[2] == every[i][2] for i in range(len(every))]
    chance = sum((size / len(every)) ** 2 for size in Counter(label for *_, label in every).values())
    return (mean(alike) - chance) / (1 - chance) if chance < 1 else 1.0


def nearest(i: int, every: list[Any]) -> Any:
    x, y, _ = every[i]
    return min((p for j, p in enumerate(every) if j != i), key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)


def canvas(points: dict[str, Any], clusters: list[dict[str, Any]]) -> Markup:
    """The drawing surface, reachable by keyboard, with the axes named around it."""
    shown = f"Scatter plot of {count(len(points['x']), 'row')} in {count(len(clusters), 'cluster')}."
    description = f"{shown} Arrow keys move from row to row, Space chooses rows, Enter lists them, Escape leaves."
    surface = element(
        "canvas",
        "The map as a table is below.",
        tabindex=0,
        role="application",
        aria_roledescription="map",
        aria_label=description,
    )
    return element(
        "figure",
        element("div", points.get("y_label") or "", class_="y-label"),
        element("div", surface, element("div", class_="tip", hidden=True), class_="surface"),
        element("div", points.get("x_label") or "", class_="x-label"),
        element("p", class_="spoken", aria_live="polite"),
        element("p", "The map is drawn by a script; its table is below.", class_="quiet unscripted"),
        class_="map",
        data_figure="map",
    )


def legend(points: dict[str, Any], clusters: list[dict[str, Any]], others: bool = False) -> Markup | None:
    """One switch a cluster: pressed, the map shows this cluster alone; where all rows are one, only for `others`."""
    known = {cluster["label"] for cluster in clusters}
    keys = [key(c["label"], c.get("name"), percent(c.get("fraction"))) for c in clusters]
    if LEFT_OUT in points["label"] and LEFT_OUT not in known:
        keys.append(key(LEFT_OUT, "left out", number(points["label"].count(LEFT_OUT))))
    if len(keys) < 2 and not others:
        return None
    hint = element("p", "Choose one to see it alone, here and below.", class_="quiet hint")
    everything = element("button", "Show all", type="button", class_="all", hidden=True)
    return element(
        "div",
        hint,
        element("ul", [element("li", k) for k in keys]),
        everything,
        class_="legend",
        role="group",
        aria_label="Clusters",
        hidden=len(keys) < 2,
    )


def key(label: int, name: Any, share: str) -> Markup:
    """An entry of the legend."""
    number_of = element("span", label, class_="number") if label != LEFT_OUT else None
    title = element("span", clip(true_minus(str(name or f"Cluster {label}")), 60), class_="name")
    share_of = element("span", share, class_="quiet")
    return element(
        "button",
        mark(label),
        number_of,
        title,
        share_of,
        type="button",
        class_="key",
        data_label=label,
        aria_pressed="false",
    )


def summary(points: dict[str, Any], clusters: list[dict[str, Any]]) -> Markup:
    """Where each cluster lies on the map."""
    names = {cluster["label"]: cluster.get("name") for cluster in clusters}
    rows = []
    for label in sorted(set(points["label"])):
        members = [i for i, other in enumerate(points["label"]) if other == label]
        x, y, sure = (
            [v for i in members if is_number(v := (points.get(axis) or {i: None})[i])]
            for axis in ("x", "y", "confidence")
        )
        title = "left out" if label == LEFT_OUT else clip(f"{label}: {names.get(label) or ''}".rstrip(": "), 60)
        rows.append(
            [
                title,
                number(len(members)),
                number(median(x), 3) if x else "–",
                number(median(y), 3) if y else "–",
                percent(mean(sure)) if sure else "–",
            ]
        )
    head = [
        "Cluster",
        "Points",
        f"Middle, {points.get('x_label') or 'x'}",
        f"Middle, {points.get('y_label') or 'y'}",
        "Mean confidence",
    ]
    return table("Where each cluster lies on the map (medians)", head, rows, class_="numbers")
