"""Groups inside groups: a tree with the evidence at every split."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.marks import mark
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import clip, count, is_number, percent

MOST_CHILDREN = 12
DEEPEST = 6


def levels(findings: dict[str, Any]) -> Markup | None:
    """The section, or nothing where no group was looked into."""
    found = findings.get("levels") or []
    if not found:
        return None
    return element(
        "section",
        element("h2", "Groups inside groups"),
        element("p", summary(found), class_="intro"),
        element("figure", tree(found, 0), class_="panel tree-panel", data_figure="levels"),
        id="levels",
    )


def summary(found: list[dict[str, Any]]) -> str:
    """How many split again."""
    split = [level for level in found if level.get("children")]
    if not split:
        return "None of the groups splits again with evidence. Each was looked into as if it were a table of its own."
    return (
        f"{count(len(split), 'group splits', 'groups split')} again. Each group was looked into as if it were a table "
        "of its own; the percentage is the probability that it holds further groups."
    )


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
    top = path.split(".")[0]
    sign = mark(int(top)) if top.isdigit() and len(top) < 6 else None
    chance = level.get("probability")
    sure = (
        element("span", percent(chance), class_="chip", title="probability of further groups")
        if is_number(chance)
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
