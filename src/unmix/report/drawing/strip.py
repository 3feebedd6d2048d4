"""Small figures of one line: a share as a bar, a histogram, and a cluster's mean against everybody's."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import is_number
from unmix.report.drawing.scale import Scale, spanning

WIDTH, HEIGHT = 160, 30
BASE = 21  # where the histogram stands and the marker sits


def share_bar(fraction: Any, colour: str) -> Markup:
    """How much of the whole: a bar on a track as wide as its place."""
    width = f"{100 * min(1.0, max(0.0, fraction)):.2f}%" if is_number(fraction) else "0%"
    track = element("rect", width="100%", height="100%", rx=3, class_="track")
    bar = element("rect", width=width, height="100%", rx=3, class_="fill")
    return element("svg", track, bar, class_=f"share {colour}", height=6, aria_hidden="true")


def frame(*parts: Any, colour: str = "") -> Markup:
    """A small figure; the sentence beside it says the same in words."""
    size = {"width": WIDTH, "height": HEIGHT}
    return element(
        "svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_=f"strip {colour}".strip(), aria_hidden="true", **size
    )


def silhouette(histogram: dict[str, Any], x: Scale, base: float, height: float) -> Markup | None:
    """The outline of a histogram standing on `base`."""
    edges, counts = histogram.get("edges") or [], histogram.get("counts") or []
    if len(edges) != len(counts) + 1 or not any(counts) or not all(map(is_number, edges)):
        return None
    top = max(counts)
    steps = [f"M{x(edges[0])} {base}"]
    for left, right, n in zip(edges, edges[1:], counts, strict=False):
        y = round(base - height * n / top, 2)
        steps.append(f"L{x(left)} {y}L{x(right)} {y}")
    return element("path", d=f"{''.join(steps)}L{x(edges[-1])} {base}Z", class_="silhouette")


def mean_strip(inside: float, overall: float, summary: dict[str, Any], colour: str) -> Markup:
    """The column's histogram, a tick at everybody's mean and a dot at the cluster's."""
    histogram = summary.get("histogram") or {}
    ends = histogram.get("edges") or [summary.get("min"), summary.get("max")]
    x = spanning([ends[0], ends[-1], inside, overall], 0, WIDTH, pad=0.0)
    left, right = sorted((x(inside), x(overall)))
    return frame(
        silhouette(histogram, x, BASE, BASE - 2),
        element("rect", x=0, y=BASE, width=WIDTH, height=1.5, class_="track"),
        element("rect", x=left, y=BASE - 1, width=right - left, height=3.5, class_="fill"),
        element("rect", x=x(overall) - 1, y=BASE - 7, width=2, height=15, class_="everybody"),
        element("circle", cx=x(inside), cy=BASE + 0.75, r=5, class_="fill dot"),
        colour=colour,
    )


def share_strip(inside: float, overall: float, colour: str) -> Markup:
    """Two bars from nothing to everybody: the share inside the cluster, and overall."""
    x = Scale(0.0, 1.0, 0, WIDTH)
    return frame(
        element("rect", x=0, y=4, width=WIDTH, height=11, rx=2, class_="track"),
        element("rect", x=0, y=4, width=x(inside), height=11, rx=2, class_="fill"),
        element("rect", x=0, y=18, width=WIDTH, height=6, rx=2, class_="track"),
        element("rect", x=0, y=18, width=x(overall), height=6, rx=2, class_="everybody"),
        colour=colour,
    )


def histogram_strip(summary: dict[str, Any]) -> Markup | None:
    """A column's distribution for the table of columns."""
    histogram = summary.get("histogram") or {}
    edges = histogram.get("edges") or []
    if not edges:
        return None
    drawn = silhouette(histogram, spanning([edges[0], edges[-1]], 2, 118, pad=0.0), 24, 21)
    rule = element("rect", x=2, y=24, width=116, height=1, class_="track")
    return (
        None
        if drawn is None
        else element("svg", drawn, rule, viewBox="0 0 120 26", width=120, height=26, class_="strip", aria_hidden="true")
    )
