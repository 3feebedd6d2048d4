"""Two runs side by side: whether the verdict survived, what changed, and where the rows went."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from unmix.core.percent import whole_percent
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import clip, number, percent, unbroken
from unmix.report.frame import Section
from unmix.report.headline import sizes, tiles
from unmix.studio.pages.frame import opening, page
from unmix.studio.pages.home import settings_line, verdict_line
from unmix.studio.pages.table import copied
from unmix.studio.store.settings import read_settings
from unmix.studio.store.workspace import Record

Side = tuple[Record, Record, dict[str, Any]]  # run, table, findings


def compare_page(old: Side, new: Side, found: dict[str, Any], folders: Sequence[str]) -> str:
    title, words = survived(old, new, found)
    then, now = (read_settings(one[0]["query"]) for one in (old, new))
    sections: list[Section] = [
        ("sides", "Side by side", side_by_side(side("Before", old), side("Now", new))),
        ("settings", "Settings", settings_section(then, now)),
        ("changes", "What changed", changes_section(found)),
        ("flow", "Where the rows went", flow_section(old, new, found.get("agreement"))),
        ("reproduce", "As a command", command_section(["unmix", "compare", *folders])),
    ]
    return comparison(title, words, sections)


def comparison(title: str, words: str, sections: list[Section]) -> str:
    """The frame of every comparison."""
    top = opening(title, element("p", words, class_="lede"))
    return page("Comparison", headline=top, sections=sections, source="compare", scripts=("actions.js",))


def side_by_side(before: Markup, now: Markup) -> Markup:
    return element("section", element("h2", "Side by side"), element("div", before, now, class_="sides"), id="sides")


def command_section(words: Sequence[str], intro: str = "The same comparison in a terminal of this machine.") -> Markup:
    inner = copied(shlex.join(words))
    return element("section", element("h2", "As a command"), element("p", intro, class_="intro"), inner, id="reproduce")


def survived(old: Side, new: Side, found: dict[str, Any]) -> tuple[str, str]:
    """Whether the same number of clusters was found, and whether they are the same."""
    then, now = (side[2]["selection"]["chosen_k"] for side in (old, new))
    rand = (found.get("agreement") or {}).get("rand")
    agree = (
        f" Row by row the two agree to {rand:.2f} (adjusted Rand index: 1 if equal, 0 as by chance)."
        if rand is not None
        else ""
    )
    sentence = unbroken(found.get("sentence") or found.get("refused") or "")
    sure = [probable(side[2]["selection"]) for side in (old, new)]
    statement = f"{sentence}{agree}"
    if then != now:
        return "The verdict changed", f"{clusters(then)} before{sure[0]}, {clusters(now)} now{sure[1]}. {statement}"
    words = f"{clusters(then)} before{sure[0]} and now{sure[1]}. {statement}"
    if found.get("changed"):
        return "The number survived, the groups did not", words
    if found.get("refused") or (rand is not None and then > 1 and rand < 0.8):
        return "The number survived", words
    return "The verdict survived", words


def probable(selection: dict[str, Any]) -> str:
    """How probable the number is, which may have changed where the number has not."""
    share = dict(zip(selection.get("k") or [], selection.get("probabilities") or [])).get(selection["chosen_k"])
    return "" if share is None else f" ({whole_percent(share)} probable)"


def clusters(k: int) -> str:
    return "No clusters" if k == 1 else f"{k} clusters"


def side(name: str, of: Side) -> Markup:
    run, source, findings = of
    bar = sizes(findings)
    return element(
        "article",
        element("p", name, class_="quiet"),
        element("h3", element("a", verdict_line(run), href=f"/runs/{run['id']}")),
        element("p", clip(source["file"], 60), " · ", settings_line(run), class_="quiet"),
        element("figure", bar, class_="sizes-figure") if bar else None,
        element("dl", tiles(findings)[:5], class_="tiles"),
        element(
            "ol",
            [element("li", f"{c['name']}, {number(c['size'])} rows") for c in findings["clusters"]],
            class_="named",
            start=0,
        ),
        class_="card",
    )


def settings_section(then: dict[str, Any], now: dict[str, Any]) -> Markup | None:
    """Only what differs."""
    lines = [
        [name, in_cell(then.get(name)), in_cell(now.get(name))]
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]
    if not lines:
        return None
    head = ["Setting", "Before", "Now"]
    listed = table("Settings that differ", head, lines)
    return element("section", element("h2", "Settings that differ"), listed, id="settings")


def in_cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{column} is {kind}" for column, kind in value.items())
    return "–" if value in (None, []) else ", ".join(value) if isinstance(value, list) else str(value)


def changes_section(found: dict[str, Any]) -> Markup | None:
    if found.get("refused"):
        words = element("p", found["refused"], class_="intro")
        return element("section", element("h2", "What changed"), words, id="changes")
    groups, head = found["groups"], ["Group", "State", "Share", "Where it moved"]
    lines = [[clip(one["name"], 60), one["state"], one["sentence"], moves(one["moved"])] for one in groups]
    if not any(one["moved"] for one in groups):
        head, lines = head[:3], [line[:3] for line in lines]
    notes = [element("li", note) for note in found["notes"]]
    return element(
        "section",
        element("h2", "What changed"),
        element("p", unbroken(found["sentence"]), class_="intro"),
        table("Groups of the run before, in the run now", head, lines),
        element("div", element("ul", notes), class_="caveats") if notes else None,
        id="changes",
    )


def moves(moved: list[dict[str, Any]]) -> Markup:
    return element("ul", [element("li", one["sentence"]) for one in moved])


def flow_section(old: Side, new: Side, agreement: dict[str, Any] | None) -> Markup | None:
    """Rows of each cluster before in each cluster now; of the same table only, as rows are then the same."""
    if not agreement:
        return None
    counts = {(then, now): n for then, now, n in agreement["counts"]}
    rows, columns = (
        [*range(len(side[2]["clusters"])), *([-1] if any(pair[i] == -1 for pair in counts) else [])]
        for i, side in enumerate((old, new))
    )
    lines = []
    for then in rows:
        of = [counts.get((then, now), 0) for now in columns]
        lines.append([called(old, then), *(shared(n, sum(of)) for n in of)])
    listed = table(
        "Rows of each cluster before, in each cluster now",
        ["Before \\ now", *(called(new, now) for now in columns)],
        lines,
        class_="numbers",
    )
    intro = "Each line is a cluster before; its rows are counted in the clusters of now."
    return element(
        "section", element("h2", "Where the rows went"), element("p", intro, class_="intro"), listed, id="flow"
    )


def called(side: Side, label: int) -> str:
    return "left out" if label < 0 else clip(f"{label} {side[2]['clusters'][label]['name']}", 40)


def shared(n: int, of: int) -> str:
    return "–" if n == 0 else f"{number(n)} ({percent(n / of)})"
