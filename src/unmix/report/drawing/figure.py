"""The frame every chart shares: an SVG of fixed units with axes, a caption in words, and the numbers as a table.

Charts are 320 units wide and never stretched far, so their letters stay readable on a phone without any script.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.scale import Scale

WIDTH, HEIGHT = 320, 212
LEFT, RIGHT, TOP, BOTTOM = 44, 312, 24, 178


def label(x: float, y: float, content: Any, anchor: str = "middle", kind: str = "tick") -> Markup:
    """Text inside a chart."""
    return element("text", content, x=x, y=y, text_anchor=anchor, class_=kind)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """A straight line inside a chart."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def axes(
    x: Scale, y: Scale, x_ticks: Iterable[tuple[float, str]], y_ticks: Iterable[tuple[float, str]], x_title: str
) -> Markup:
    """Horizontal rules with their values, and the values along the bottom."""
    parts: list[Markup] = []
    for value, shown in y_ticks:
        parts.append(line(LEFT, y(value), RIGHT, y(value), "rule"))
        parts.append(label(LEFT - 7, y(value) + 4, shown, "end"))
    for value, shown in x_ticks:
        parts.append(label(x(value), BOTTOM + 16, shown))
    parts.append(label((LEFT + RIGHT) / 2, HEIGHT - 3, x_title, kind="axis"))
    return element("g", parts)


def chart(description: str, *parts: Any, width: float = WIDTH, height: float = HEIGHT) -> Markup:
    """An SVG that says in words what it shows."""
    view = f"0 0 {width:g} {height:g}"
    return element("svg", *parts, viewBox=view, class_="chart", role="img", aria_label=description)


def figure(title: str, drawing: Markup, *caption: Any, name: str | None = None, kind: str = "") -> Markup:
    """A chart with its title above and its explanation below; by its name the page's script saves it."""
    parts = (element("h3", title), drawing, element("figcaption", *caption) if caption else None)
    return element("figure", *parts, class_=f"panel {kind}".strip(), data_figure=name)


def numbers_behind(title: str, content: Markup) -> Markup:
    """A table a reader can open instead of the drawing."""
    return element("details", element("summary", title), content, class_="behind")


def thinned(values: list[int], about: int = 10) -> list[int]:
    """Every so many of a list of whole numbers, so that their labels do not touch."""
    return values[:: max(1, -(-len(values) // about))]
