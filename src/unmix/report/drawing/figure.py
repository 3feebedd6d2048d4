"""The frame every chart shares: an SVG of fixed units with axes, a caption in words, and the numbers as a table.

Charts are 320 units wide and never stretched far, so their letters stay readable on a phone without any script.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import number
from unmix.report.drawing.scale import Scale

WIDTH, HEIGHT = 320, 212
LEFT, RIGHT, TOP, BOTTOM = 44, 312, 24, 178
LETTER = 8.0  # units that a letter of a tick needs, in a wide font
TICK_ROOM = LEFT - 7
LONGEST_TICK = 5  # letters that fit to the left of a chart


def label(x: float, y: float, content: Any, anchor: str = "middle", kind: str = "tick") -> Markup:
    """Text inside a chart."""
    return element("text", content, x=x, y=y, text_anchor=anchor, class_=kind)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """A straight line inside a chart."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def axes(
    x: Scale, y: Scale, x_ticks: Iterable[tuple[float, str]], y_ticks: list[float], x_title: str, share: bool = False
) -> Markup:
    """Horizontal rules with their values, as shares in percent, and those values along the bottom that have room."""
    parts: list[Markup] = []
    for value, shown in tick_labels(y_ticks, share):
        parts.append(line(LEFT, y(value), RIGHT, y(value), "rule"))
        # Longer words are drawn narrower, as beyond the edge nothing of them would be seen.
        fit = {"textLength": TICK_ROOM, "lengthAdjust": "spacingAndGlyphs"} if len(shown) > LONGEST_TICK else {}
        place = {"x": TICK_ROOM, "y": y(value) + 4, "text_anchor": "end", "class_": "tick"}
        parts.append(element("text", shown, **place, **fit))
    parts += [label(place, BOTTOM + 16, shown) for place, shown in with_room(x, x_ticks)]
    parts.append(label((LEFT + RIGHT) / 2, HEIGHT - 3, x_title, kind="axis"))
    return element("g", parts)


def tick_labels(ticks: list[float], share: bool = False) -> list[tuple[float, str]]:
    """Values along the left; thousands or millions where whole numbers would not fit, percent for shares."""
    if share:
        return [(tick, f"{number(100 * tick)}\N{NO-BREAK SPACE}%") for tick in ticks]
    said = [
        [number(tick / unit) + (name if tick else "") for tick in ticks]
        for unit, name in ((1, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"))
    ]
    fits = (words for words in said if max(map(len, words), default=0) <= LONGEST_TICK)
    return list(zip(ticks, next(fits, min(said, key=lambda words: max(map(len, words))))))


def with_room(x: Scale, ticks: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Middles of labels, moved inside the chart; from the last down, those that do not touch the one after."""
    kept: list[tuple[float, str]] = []
    end = float(WIDTH)
    for value, shown in reversed(list(ticks)):
        half = LETTER * len(shown) / 2
        middle = min(max(x(value), half), WIDTH - half)
        if middle + half <= end:
            kept.append((middle, shown))
            end = middle - half
    return kept[::-1]


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
