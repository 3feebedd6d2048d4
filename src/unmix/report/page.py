"""One self-contained HTML page from findings: sections in reading order, one style, two scripts, all inline.

Nothing is fetched and nothing is built: the assets are plain files of this package, put into the page as they are.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from unmix.core.archive import replacing
from unmix.report.atlas import atlas
from unmix.report.cards import cards
from unmix.report.columns import columns
from unmix.report.embed import plain, script_json
from unmix.report.headline import headline, split
from unmix.report.marks import symbols
from unmix.report.markup import Markup, element, join, text
from unmix.report.policy import policy
from unmix.report.reproduce import reproduce, when
from unmix.report.sureness import choice, dimensions, sureness

# Section of the page, its name in the navigation, and what writes it; in reading order.
SECTIONS = (
    ("map", "Map", atlas),
    ("clusters", "Clusters", cards),
    ("choice", "How many", choice),
    ("dimensions", "Dimensions", dimensions),
    ("sure", "How sure", sureness),
    ("columns", "Columns", columns),
    ("reproduce", "Reproduce", reproduce),
)


def render(findings: Any) -> str:
    """The page as a string, from `Findings` or from their `to_dict()`.

    The same findings give the same bytes.
    """
    tree = plain(findings)
    written = [(anchor, name, section(tree)) for anchor, name, section in SECTIONS]
    present = [(anchor, name) for anchor, name, content in written if content is not None]
    if len(tree.get("clusters") or []) == 1:
        present = [(anchor, "Typical rows" if anchor == "clusters" else name) for anchor, name in present]
    style, early, late = asset("report.css"), asset("theme.js"), asset("map.js") + asset("actions.js")
    source = tree["source"].get("name") or "table"
    return Template(asset("report.html")).substitute(
        policy=text(policy([style], [early, late])),
        title=text(f"{split(tree['selection'].get('verdict') or 'unmix')[0]} · {source}"),
        style=style,
        early=early,
        late=late,
        version=text(tree.get("version") or ""),
        source=text(source),
        created=text(when(tree.get("created")) or ""),
        symbols=symbols(),
        headline=headline(tree),
        navigation=navigation(present),
        sections=join((content for _, _, content in written), "\n"),
        numbers=script_json(tree),
    )


def write(findings: Any, path: str | Path) -> Path:
    """Write the page to `path`: under a temporary name first, so a half-written report never exists."""
    path = Path(path)
    page = render(findings).encode("utf-8")
    with replacing(path) as file:
        file.write(page)
    return path


def navigation(present: list[tuple[str, str]]) -> Markup:
    """Links to the sections that exist."""
    links = [element("li", element("a", name, href=f"#{anchor}")) for anchor, name in present]
    return element("nav", element("ul", links), aria_label="Sections")


def asset(name: str) -> str:
    """A file of this package."""
    return files("unmix.report").joinpath("assets", name).read_text(encoding="utf-8")
