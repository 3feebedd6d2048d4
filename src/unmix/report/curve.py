"""The choice of K: one curve a criterion, with error bars of one standard error and the chosen K marked."""

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
from unmix.report.drawing.markup import Markup, element, join, table
from unmix.report.drawing.numbers import NO_VALUE, is_number, number, unbroken
from unmix.report.drawing.scale import Scale, spanning


def curves(selection: dict[str, Any], first: Markup | None = None) -> Markup | None:
    """All curves side by side, after a figure of another kind, and one table with their numbers."""
    grid, criteria = selection.get("k") or [], selection.get("criteria") or []
    if not grid or not criteria:
        return element("div", first, class_="panels") if first else None
    panels = [curve(criterion, grid, selection.get("chosen_k"), i) for i, criterion in enumerate(criteria)]
    head = ["K", *(criterion["name"] for criterion in criteria)]
    rows = [[k, *(with_error(criterion, i) for criterion in criteria)] for i, k in enumerate(grid)]
    caption = "Each criterion at each K, ± one standard error"
    behind = numbers_behind("The numbers behind these curves", table(caption, head, rows, class_="numbers"))
    return join([element("div", first, panels, class_="panels"), behind])


def curve(criterion: dict[str, Any], grid: list[int], chosen: int | None, place: int = 0) -> Markup:
    """One criterion over K, the `place`-th of the findings."""
    points = triples(criterion, grid)
    x = Scale(min(grid) - 0.5, max(grid) + 0.5, LEFT, RIGHT)
    y = spanning([v + s * e for _, v, e in points for s in (-1, 1)], BOTTOM, TOP)
    drawn = [
        axes(x, y, [(k, str(k)) for k in thinned(grid)], y.ticks(), "number of clusters, K"),
        chosen_band(x, chosen) if chosen in grid else None,
        joined(points, grid, x, y),
        [whisker(x(k), y(value - error), y(value + error)) for k, value, error in points if error],
        [
            element("circle", cx=x(k), cy=y(v), r=5 if k == criterion.get("best") else 3, class_="point")
            for k, v, _ in points
        ],
    ]
    best = criterion.get("best")
    preference = f"prefers {equals(best)}" if best is not None else "has no preference"
    description = (
        f"{criterion['name']} for K from {min(grid)} to {max(grid)}: {preference}; {equals(chosen)} was chosen."
    )
    title = criterion["name"][:1].upper() + criterion["name"][1:]
    words = reading(criterion, points, preference)
    return figure(title, chart(description, *drawn), words, name=f"criterion-{place}")


def reading(criterion: dict[str, Any], points: list[tuple[int, float, float]], preference: str) -> str:
    """What the criterion measures, which way is better where that is how it chooses, and what it prefers."""
    what, best = criterion.get("what") or "", criterion.get("best")
    higher = criterion.get("higher_is_better", True)
    extreme = (max if higher else min)(points, key=lambda point: point[1])[0] if points else None
    if best == 1 and points and 1 not in {k for k, *_ in points}:
        return f"{what} No number convinces it: it {preference}.".strip()
    way = f"{'Higher' if higher else 'Lower'} is better; it" if best == extreme and "better" not in what else "It"
    return f"{what} {way} {preference}.".strip()


def triples(criterion: dict[str, Any], grid: list[int]) -> list[tuple[int, float, float]]:
    """(K, value, error) wherever the criterion is defined; an undefined error counts as none."""
    values = criterion.get("values") or []
    errors = criterion.get("errors") or [None] * len(values)
    return [(k, v, e if is_number(e) else 0.0) for k, v, e in zip(grid, values, errors, strict=False) if is_number(v)]


def joined(points: list[tuple[int, float, float]], grid: list[int], x: Scale, y: Scale) -> list[Markup]:
    """Lines between neighbours of the grid; a gap stays a gap."""
    position = {k: i for i, k in enumerate(grid)}
    pairs = pairwise(points)
    return [line(x(a), y(v), x(b), y(w), "line") for (a, v, _), (b, w, _) in pairs if position[b] - position[a] == 1]


def whisker(x: float, low: float, high: float) -> Markup:
    """An error bar with its caps."""
    caps = [line(x - 3, end, x + 3, end, "error") for end in (low, high)]
    return element("g", line(x, low, x, high, "error"), caps)


def chosen_band(x: Scale, chosen: int) -> Markup:
    """The column of the chosen K, with its name on top."""
    half = min(14.0, (x(1) - x(0)) / 2 if x.low <= 0 else abs(x(chosen) - x(chosen - 0.5)))
    middle = min(RIGHT - 16, max(LEFT + 16, x(chosen)))
    band = element(
        "rect", x=x(chosen) - half, y=TOP - 6, width=2 * half, height=BOTTOM - TOP + 6, rx=4, class_="chosen"
    )
    return element("g", band, label(middle, TOP - 11, equals(chosen), kind="chosen-label"))


def equals(k: int | None) -> str:
    """`K = 3`, never broken over two lines."""
    return f"K\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{k}"


def with_error(criterion: dict[str, Any], i: int) -> str:
    """`0.93 ± 0.02` for the table."""
    values, errors = criterion.get("values") or [], criterion.get("errors") or []
    value = values[i] if i < len(values) else None
    error = errors[i] if i < len(errors) else None
    if not is_number(value):
        return NO_VALUE
    return unbroken(f"{number(value)} ± {number(error, 2)}") if is_number(error) else number(value)
