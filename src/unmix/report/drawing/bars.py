"""Horizontal bars with their error, one below the other: what it is above each bar, how much behind it."""

from __future__ import annotations

from itertools import accumulate
from textwrap import wrap
from typing import NamedTuple

from unmix.report.drawing.figure import WIDTH, chart, label, line
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.scale import Scale

STEP, BAR = 40, 12  # units from bar to bar, and of one
LINE = 14  # units that a second line of a name needs
END = WIDTH - 4
ROOM = 104  # units for the value in words, at the end of each bar
LONGEST_NAME = 44  # letters that fit on a line above a bar


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
    names = [wrap(bar.name, LONGEST_NAME, max_lines=2, placeholder="…") for bar in every]
    *tops, end = accumulate((STEP + LINE * (len(lines) - 1) for lines in names), initial=0)
    height = end + 6
    drawn = [one(bar, lines, x, top) for bar, lines, top in zip(every, names, tops)]
    return chart(description, line(x(0.0), 0, x(0.0), height, "rule"), drawn, height=height)


def one(bar: Bar, name: list[str], x: Scale, top: float) -> Markup:
    start, end = sorted((x(0.0), x(bar.value)))
    below = top + 6 + LINE * max(1, len(name))
    middle = below + BAR / 2
    parts = [
        [label(4, top + LINE * (i + 1), words, "start", "bar-name") for i, words in enumerate(name)],
        label(END, middle + 4, bar.shown, "end"),
        element("rect", x=start, y=below, width=end - start, height=BAR, class_="bar" if bar.leads else "bar other"),
    ]
    if bar.error > 0:
        low, high = x(bar.value - bar.error), x(bar.value + bar.error)
        ends = [line(place, middle - 4, place, middle + 4, "chance thin") for place in (low, high)]
        parts += [line(low, middle, high, middle, "chance thin"), *ends]
    return element("g", parts)
