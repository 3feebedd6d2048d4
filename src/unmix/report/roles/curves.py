"""Curves about the number of roles: deviations with fewer, grants explained by the first, errors on users left out."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from unmix.report.drawing.figure import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    axes,
    chart,
    figure,
    label,
    line,
    numbers_behind,
    thinned,
)
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import count, number, percent
from unmix.report.drawing.scale import Scale

EXPLAINED_SHARE = 0.9


def role_curves(tree: dict[str, Any]) -> Markup | None:
    """The panels for which there are numbers."""
    panels = [panel for panel in (deviation_curve(tree), explained(tree), left_out(tree)) if panel is not None]
    caption = new_users(tree)
    if not panels and caption is None:
        return None
    drawn = element("div", panels, class_="panels") if panels else None
    return element("section", element("h2", "How many roles"), caption, drawn, id="number")


def new_users(tree: dict[str, Any]) -> Markup | None:
    """What the roles would do for somebody who starts tomorrow."""
    part = tree.get("held_out")
    if not part:
        return None
    caption = (
        f"Users left out of the mining, half of their permissions shown: {percent(part['error'])} of the hidden "
        f"entries are predicted wrongly, {percent(part['over'])} too much (over-entitlement) and "
        f"{percent(part['under'])} too little."
    )
    return element("p", element("strong", "New users. "), caption, class_="intro held-out")


def deviation_curve(tree: dict[str, Any]) -> Markup | None:
    """Numbers of roles that were mined anew, against the entries that would change with them."""
    points = [(point["n_roles"], point["deviations"]) for point in tree.get("front") or []]
    if len(points) < 2:
        return None
    drawing = curve(
        "Entries that would change",
        points,
        max(v for _, v in points),
        [("line", points)],
        "roles, mined anew",
        dots=True,
    )
    caption = "For each number the roles were searched anew. Points that another beats in both numbers are left out."
    rows = [[k, number(v)] for k, v in points]
    behind = numbers_behind("The numbers", table("Roles and deviations", ("Roles", "Entries that change"), rows))
    return figure("Fewer roles, if some access may change", drawing, caption, behind)


def explained(tree: dict[str, Any]) -> Markup | None:
    """Roles against grants that remain, from all of them down."""
    steps, grants = tree.get("first_roles") or [], tree["counts"]["grants"]
    if len(steps) < 2:
        return None
    points = [(0, grants), *((k, step["left"]) for k, step in enumerate(steps, 1))]
    enough = next((k for k, left in points if left <= (1 - EXPLAINED_SHARE) * grants), None)
    caption = "Each role in the order of what it adds; the end of the curve is the answer above."
    if enough is not None:
        caption = f"{count(enough, 'role')} would explain {percent(EXPLAINED_SHARE)} of the grants. {caption}"
    drawing = curve("Grants not explained", points, grants, [("line", points)], "first so many roles")
    rows = [[k, step["role"], number(step["left"])] for k, step in enumerate(steps, 1)]
    behind = numbers_behind("The numbers", table("Roles by what they add", ("Roles", "Added", "Left"), rows))
    return figure("Few roles explain most", drawing, caption, behind)


def left_out(tree: dict[str, Any]) -> Markup | None:
    """Errors on users who were not learnt from, too much and too little apart."""
    tried = tree.get("tried") or []
    if len(tried) < 2:
        return None
    most = max(entry["error"] for entry in tried) or 1.0
    both = [(entry["n_roles"], entry["error"]) for entry in tried]
    over = [(entry["n_roles"], entry["over"]) for entry in tried]
    drawing = curve("Error on new users", both, most, [("line", both), ("chance", over)], "number of roles", share=True)
    caption = (
        "New users show half of their permissions; the roles predict the rest. Upper line: all errors. Lower line: the "
        f"part of them that gives too much. Chosen: {count(tree['counts']['roles'], 'role')}."
    )
    return figure("New users", drawing, caption)


def curve(
    title: str,
    points: list[tuple[int, float]],
    most: float,
    lines: list[tuple[str, list[tuple[int, float]]]],
    below: str,
    share: bool = False,
    dots: bool = False,
) -> Markup:
    """Lines over the number of roles."""
    numbers = [k for k, _ in points]
    x, y = Scale(min(numbers) - 0.5, max(numbers) + 0.5, LEFT, RIGHT), Scale(0, 1.05 * max(most, 1e-9), BOTTOM, TOP)
    shown = percent if share else number
    drawn = [
        axes(x, y, [(k, number(k)) for k in sorted({*thinned(numbers), numbers[-1]})], y.ticks(), below, share),
        [line(x(a), y(v), x(b), y(w), kind) for kind, values in lines for (a, v), (b, w) in pairwise(values)],
        [element("circle", cx=x(k), cy=y(v), r=3, class_="point") for k, v in points if dots],
        label(LEFT, TOP - 10, title, "start", "axis"),
    ]
    first, last = points[0], points[-1]
    words = f"{title}: {shown(first[1])} at {first[0]}, {shown(last[1])} at {last[0]}."
    return chart(words, *drawn)
