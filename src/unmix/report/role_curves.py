"""Two curves about the number of roles: grants not explained by the first so many, and errors on users left out."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from unmix.report.figure import BOTTOM, LEFT, RIGHT, TOP, axes, chart, figure, label, line, numbers_behind, some
from unmix.report.markup import Markup, element, table
from unmix.report.numbers import count, number, percent
from unmix.report.scale import Scale

ENOUGH = 0.9


def role_curves(tree: dict[str, Any]) -> Markup | None:
    """The panels for which there are numbers."""
    panels = [panel for panel in (explained(tree), left_out(tree)) if panel is not None]
    if not panels:
        return None
    return element("section", element("h2", "How many roles"), element("div", panels, class_="panels"), id="number")


def explained(tree: dict[str, Any]) -> Markup | None:
    """Roles against grants that remain, from all of them down."""
    steps, grants = tree.get("first_roles") or [], tree["counts"]["grants"]
    if len(steps) < 2:
        return None
    points = [(0, grants), *((k, step["left"]) for k, step in enumerate(steps, 1))]
    enough = next((k for k, left in points if left <= (1 - ENOUGH) * grants), None)
    told = "Each role in the order of what it adds; the end of the curve is the answer above."
    if enough is not None:
        told = f"{count(enough, 'role')} would explain {percent(ENOUGH)} of the grants. {told}"
    drawing = curve("Grants not explained", points, grants, [("line", points)], "first so many roles")
    rows = [[k, step["role"], number(step["left"])] for k, step in enumerate(steps, 1)]
    behind = numbers_behind("The numbers", table("Roles by what they add", ("Roles", "Added", "Left"), rows))
    return figure("Few roles explain most", drawing, told, behind)


def left_out(tree: dict[str, Any]) -> Markup | None:
    """Errors on users who were not learnt from, too much and too little apart."""
    tried = tree.get("tried") or []
    if len(tried) < 2:
        return None
    most = max(entry["error"] for entry in tried) or 1.0
    both = [(entry["n_roles"], entry["error"]) for entry in tried]
    over = [(entry["n_roles"], entry["over"]) for entry in tried]
    drawing = curve("Error on new users", both, most, [("line", both), ("chance", over)], "number of roles", share=True)
    told = (
        "New users show half of their permissions; the roles predict the rest. Upper line: all errors. Lower line: the "
        f"part of them that gives too much. Chosen: {count(tree['counts']['roles'], 'role')}."
    )
    return figure("New users", drawing, told)


def curve(
    title: str,
    points: list[tuple[int, float]],
    most: float,
    lines: list[tuple[str, list[tuple[int, float]]]],
    below: str,
    share: bool = False,
) -> Markup:
    """Lines over the number of roles."""
    numbers = [k for k, _ in points]
    x, y = Scale(min(numbers) - 0.5, max(numbers) + 0.5, LEFT, RIGHT), Scale(0, 1.05 * max(most, 1e-9), BOTTOM, TOP)
    shown = percent if share else number
    drawn = [
        axes(x, y, [(k, str(k)) for k in some(numbers)], [(t, shown(t)) for t in y.ticks()], below),
        [line(x(a), y(v), x(b), y(w), kind) for kind, values in lines for (a, v), (b, w) in pairwise(values)],
        label(LEFT, TOP - 10, title, "start", "axis"),
    ]
    first, last = points[0], points[-1]
    words = f"{title}: {shown(first[1])} at {first[0]}, {shown(last[1])} at {last[0]}."
    return chart(words, *drawn)
