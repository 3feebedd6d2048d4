"""Clusters inside clusters: a tree with the evidence at every split."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.figure import WIDTH, chart, figure, label
from unmix.report.drawing.marks import colour_class, mark
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import clip, count, is_number, percent

MOST_CHILDREN = 12
DEEPEST = 6
WORTH_SAYING = 0.1  # probability of further clusters from which on the list is shown
TALL, GAP = 200, 6  # units of the picture, and between its columns


def levels(findings: dict[str, Any]) -> Markup | None:
    """The section, or nothing where no cluster was looked into."""
    found = findings.get("levels") or []
    if not found:
        return None
    return element(
        "section",
        element("h2", "Clusters inside clusters"),
        element("p", summary(found), class_="intro"),
        drawn(found) if is_deep(found) else None,
        id="levels",
    )


def is_deep(found: list[dict[str, Any]]) -> bool:
    """Whether some cluster splits, or is said to do so perhaps: else the tree is the list of clusters once more."""
    unsure = any(is_number(level.get("probability")) and level["probability"] >= WORTH_SAYING for level in found)
    return unsure or any(level.get("children") for level in found)


def drawn(found: list[dict[str, Any]]) -> Markup:
    listed = element("div", tree(found, 0), class_="panel beside")
    return element("div", picture(found) if depth_of(found) > 1 else None, listed, class_="panels")


def summary(found: list[dict[str, Any]]) -> str:
    """How many split again."""
    split = [level for level in found if level.get("children")]
    if not split:
        return "Each cluster was looked into as if it were a table of its own; none splits again beyond chance."
    return (
        f"{count(len(split), 'cluster splits', 'clusters split')} again. Each was looked into as if it were a table of "
        "its own; the percentage is the probability that it holds further clusters."
    )


def picture(found: list[dict[str, Any]]) -> Markup:
    """The tree as columns of blocks: a cluster stands right of the one it is part of, as tall as its share."""
    deep = depth_of(found)
    wide = (WIDTH - GAP * (deep - 1)) / deep
    drawn = blocks(found, 0.0, float(TALL), 0, wide)
    words = f"{count(len(found), 'cluster')} in {count(deep, 'level')}: each block is a cluster, as tall as its share."
    caption = "From left to right: clusters, and those inside them, as tall as their share of the rows."
    return figure("The tree", chart(words, drawn, height=TALL), caption, name="levels")


def depth_of(found: list[dict[str, Any]]) -> int:
    inner = [depth_of(level["children"]) for level in found if level.get("children")]
    return min(DEEPEST, 1 + max(inner, default=0))


def blocks(found: list[dict[str, Any]], top: float, height: float, depth: int, wide: float) -> list[Markup]:
    """Blocks of one level between top and top + height, with all that is inside them."""
    total = sum(share_of(level) for level in found) or 1.0
    drawn: list[Markup] = []
    for level in found[:MOST_CHILDREN]:
        tall = height * share_of(level) / total
        drawn.append(block(level, depth * (wide + GAP), top, wide, tall, depth))
        if level.get("children") and depth + 1 < DEEPEST:
            drawn += blocks(level["children"], top, tall, depth + 1, wide)
        top += tall
    return drawn


def block(level: dict[str, Any], x: float, top: float, wide: float, tall: float, depth: int) -> Markup:
    path = str(level.get("path", ""))
    colour = colour_class(top_of(path)) if top_of(path) is not None else "cx"
    name = label(x + wide / 2, top + tall / 2 + 4, clip(path, 10), kind="on-block") if tall >= 16 else None
    kind = "fill block" if depth == 0 else "fill block inner"
    return element(
        "g", element("rect", x=x, y=top, width=wide, height=max(tall - 2, 0.5), rx=3, class_=kind), name, class_=colour
    )


def share_of(level: dict[str, Any]) -> float:
    return level["fraction"] if is_number(level.get("fraction")) else 0.0


def top_of(path: str) -> int | None:
    """The cluster a path starts with."""
    top = path.split(".")[0]
    return int(top) if top.isdigit() and len(top) < 6 else None


def tree(found: list[dict[str, Any]], depth: int) -> Markup:
    """A list of groups, each with the list of those inside it."""
    items = [element("li", line(level, i), inside(level, depth)) for i, level in enumerate(found[:MOST_CHILDREN])]
    return element("ul", items, class_="tree")


def inside(level: dict[str, Any], depth: int) -> Markup | None:
    children = level.get("children") or []
    return tree(children, depth + 1) if children and depth < DEEPEST else None


def line(level: dict[str, Any], place: int) -> Markup:
    """A group: its mark at the top, its name and size, and what was found inside."""
    path = str(level.get("path", place))
    top = top_of(path)
    sign = mark(top) if top is not None else None
    chance = level.get("probability")
    sure = (
        element("span", percent(chance), class_="chip", title="probability of further clusters")
        if is_number(chance) and chance >= WORTH_SAYING
        else None
    )
    size = f"{count(level.get('size'), 'row')} ({percent(level.get('fraction'))})"
    return element(
        "p",
        sign,
        element("span", clip(path, 12), class_="number"),
        element("span", clip(level.get("name") or "", 90), class_="name"),
        element("span", size, class_="quiet"),
        element("span", sure, " ", level.get("sentence") or "", class_="found"),
        class_="branch",
    )
