"""Pictures of one signal: envelope over time, spectrum, histogram beside a Gaussian, and the channels it is in."""

from __future__ import annotations

import math
from typing import Any

from unmix.report.drawing.figure import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, axes, chart, label, line
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import clip, number
from unmix.report.drawing.scale import Scale

TALL = 64  # units an envelope is high
MOST_CHANNELS = 12  # bars of a source


def trace(entry: dict[str, Any], kind: str) -> Markup:
    """The envelope, as wide as the page; the least and largest value behind each pixel are joined to one shape."""
    low, high = entry["trace"]["low"], entry["trace"]["high"]
    top = max([abs(v) for v in (*low, *high) if v is not None] + [1e-9])
    y = Scale(-top, top, TALL - 1, 1)
    shapes = [shape(part, low, high, y) for part in runs(low)]
    length = max(1, len(low) - 1)
    return element(
        "svg",
        element("line", x1=0, y1=TALL / 2, x2=length, y2=TALL / 2, class_="rule"),
        element("path", d="".join(shapes), class_=f"wave {kind}"),
        element("line", x1=0, y1=0, x2=0, y2=TALL, class_="playhead", visibility="hidden"),
        viewBox=f"0 0 {length} {TALL}",
        preserveAspectRatio="none",
        class_="trace",
        role="img",
        aria_label=f"{clip(entry['name'])} over time",
    )


def runs(values: list[Any]) -> list[range]:
    """Stretches without a gap."""
    found, start = [], None
    for i, value in enumerate([*values, None]):
        if value is not None and start is None:
            start = i
        elif value is None and start is not None:
            found.append(range(start, i))
            start = None
    return found


def shape(part: range, low: list[float], high: list[float], y: Scale) -> str:
    """There along the top, back along the bottom."""
    there = [f"{i} {y(high[i]):.4g}" for i in part]
    back = [f"{i} {y(low[i]):.4g}" for i in reversed(part)]
    return f"M{'L'.join([*there, *back])}Z"


def spectrum(entry: dict[str, Any], unit: str, kind: str) -> Markup | None:
    """Decibels below the peak over frequency."""
    found = entry["spectrum"]
    if not found:
        return None
    frequency, decibels = found["frequency"], found["decibels"]
    x = Scale(0.0, max(frequency[-1], 1e-12), LEFT, RIGHT)
    y = Scale(min(-20.0, min(decibels)), 0.0, BOTTOM, TOP)
    points = "L".join(f"{x(f):.5g} {y(v):.5g}" for f, v in zip(frequency, decibels))
    peak = found["strongest"]
    title = "frequency, Hz" if unit == "Hz" else "frequency, cycles per row"
    frame = axes(x, y, [(t, number(t, 3)) for t in x.ticks(4)], y.ticks(4), title)
    words = f"Spectrum of {clip(entry['name'])}, strongest at {number(peak, 4)} {unit}."
    mark = [line(x(peak), TOP, x(peak), BOTTOM, "peak"), peak_label(x(peak), f"{number(peak, 4)} {unit}")]
    return titled("Spectrum, dB", chart(words, frame, mark, element("path", d=f"M{points}", class_=f"drawn {kind}")))


def peak_label(x: float, words: str) -> Markup:
    """Beside the peak, on the side where there is room."""
    right = x < (LEFT + RIGHT) / 2
    return label(x + (5 if right else -5), TOP - 8, words, "start" if right else "end", "note")


def histogram(entry: dict[str, Any], kind: str) -> Markup:
    """Bars of the density, and the Gaussian of the same mean and deviation as a line."""
    found = entry["histogram"]
    density, low, high = found["density"], found["low"], found["high"]
    width = (high - low) / len(density)
    x = Scale(low, high, LEFT, RIGHT)
    y = Scale(0.0, 1.08 * max(0.4, *density), BOTTOM, TOP)
    wide = x(low + width) - x(low) - 1
    bars = [
        element("rect", x=x(low + i * width) + 0.5, y=y(v), width=wide, height=BOTTOM - y(v), class_=f"block {kind}")
        for i, v in enumerate(density)
        if v > 0
    ]
    places = [low + (high - low) * i / 80 for i in range(81)]
    bell = "L".join(f"{x(z):.5g} {y(math.exp(-z * z / 2) / math.sqrt(2 * math.pi)):.5g}" for z in places)
    ticks = [(float(z), number(z)) for z in (-4, -2, 0, 2, 4)]
    frame = axes(x, y, ticks, y.ticks(4), "standard deviations")
    words = f"Histogram of {clip(entry['name'])} beside a Gaussian; kurtosis {number(entry['kurtosis'], 3)}."
    return titled("Histogram, and a Gaussian", chart(words, frame, bars, element("path", d=f"M{bell}", class_="bell")))


def loadings(name: str, weights: list[float], channels: list[str], kind: str) -> Markup:
    """How strongly a source is in each channel, in the channel's own deviations, the strongest channels first."""
    order = sorted(range(len(weights)), key=lambda i: -abs(weights[i]))[:MOST_CHANNELS]
    order = sorted(order)
    step = (BOTTOM - TOP + 20) / max(4, len(order))
    middle, reach = 206.0, 92.0
    parts: list[Any] = [line(middle, TOP - 16, middle, TOP - 16 + step * len(order), "rule")]
    for row, i in enumerate(order):
        y = TOP - 16 + step * row
        length = reach * min(1.0, abs(weights[i]))
        start = middle if weights[i] >= 0 else middle - length
        bar = element(
            "rect", x=start, y=y + 0.15 * step, width=max(0.5, length), height=0.7 * step, class_=f"block {kind}"
        )
        parts += [bar, label(106, y + 0.5 * step + 4, clip(channels[i], 13), "end")]
    parts += [label(middle + reach * t, HEIGHT - 18, number(float(t), 2)) for t in (-1, 0, 1)]
    parts.append(label(middle, HEIGHT - 3, "share of the channel's deviation", kind="axis"))
    top = order[max(range(len(order)), key=lambda r: abs(weights[order[r]]))]
    words = f"Weights of {clip(name)} in the channels, largest in {clip(channels[top])}."
    more = f", {len(order)} strongest of {len(weights)}" if len(order) < len(weights) else ""
    return titled(f"In the channels{more}", chart(words, parts))


def titled(title: str, drawing: Markup) -> Markup:
    return element("figure", element("h4", title), drawing)
