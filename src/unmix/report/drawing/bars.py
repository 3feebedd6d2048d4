"""Horizontal bars with their error, one below the other: what it is above each bar, how much behind it."""

from __future__ import annotations

from typing import NamedTuple

from unmix.report.drawing.figure import WIDTH, chart, label, line
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import clip
from unmix.report.drawing.scale import Scale

STEP, BAR = 40, 12  # units from bar to bar, and of one
END = WIDTH - 4
ROOM = 84  # units for the value in words, at the end of each bar
LONGEST_NAME = 44  # letters that fit above a bar


class Bar(NamedTuple):
    """A name, a value with its standard error, the value in words, and whether it is the one to look at."""

    name: str
    value: float
    error: float
    shown: str
    leads: bool = False


def bars(description: str, every: list[Bar]) -> Markup:
    """The chart; zero is a line from top to bottom."""
    low = min([0.0, *(bar.value - bar.error for bar in every)])
    high = max([*(bar.value + bar.error for bar in every), low + 1e-9])
    x = Scale(low, high, 4, END - ROOM)
    height = STEP * len(every) + 6
    drawn = [one(bar, x, STEP * i) for i, bar in enumerate(every)]
    return chart(description, line(x(0.0), 0, x(0.0), height, "rule"), drawn, height=height)


def one(bar: Bar, x: Scale, top: float) -> Markup:
    start, end = sorted((x(0.0), x(bar.value)))
    middle = top + 20 + BAR / 2
    parts = [
        label(4, top + 14, clip(bar.name, LONGEST_NAME), "start", "bar-name"),
        label(END, middle + 4, bar.shown, "end"),
        element("rect", x=start, y=top + 20, width=end - start, height=BAR, class_="bar" if bar.leads else "bar other"),
    ]
    if bar.error > 0:
        low, high = x(bar.value - bar.error), x(bar.value + bar.error)
        ends = [line(place, middle - 4, place, middle + 4, "chance thin") for place in (low, high)]
        parts += [line(low, middle, high, middle, "chance thin"), *ends]
    return element("g", parts)
