"""The frame of every page: one style, two scripts, all inline; sections in reading order with links to them.

Nothing is fetched and nothing is built: the assets are plain files of this package, put into the page as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from unmix.core.archive import replacing
from unmix.report.drawing.marks import symbols
from unmix.report.drawing.markup import Markup, element, join, text
from unmix.report.embed import script_json
from unmix.report.policy import policy

# Anchor of a section, its name in the navigation, and what it shows; None where there is nothing to show.
Section = tuple[str, str, Markup | None]


def frame(
    sections: Sequence[Section],
    *,
    headline: Markup,
    title: str,
    source: str,
    numbers: Any,
    styles: Sequence[str],
    scripts: Sequence[str],
    version: str | None = None,
    created: str | None = None,
    sound: bool = False,
    foot: Markup | None = None,
) -> str:
    """The whole page. `styles` and `scripts` name the assets it needs beside those of every page."""
    style = "".join(map(asset, ("report.css", *styles)))
    early, late = asset("theme.js"), "".join(map(asset, scripts))
    return Template(asset("report.html")).substitute(
        policy=text(policy([style], [early, late], sound=sound)),
        title=text(f"{title} · {source}"),
        style=style,
        early=early,
        late=late,
        version=text(version or ""),
        source=text(source),
        created=text(created or ""),
        symbols=symbols(),
        headline=headline,
        navigation=navigation([(anchor, name) for anchor, name, content in sections if content is not None]),
        sections=join((content for _, _, content in sections), "\n"),
        foot=foot or "",
        numbers=script_json(numbers),
    )


def write_page(page: str, path: str | Path) -> Path:
    """Write the page to `path`: under a temporary name first, so a half-written report never exists."""
    path = Path(path)
    with replacing(path) as file:
        file.write(page.encode("utf-8"))
    return path


def navigation(present: list[tuple[str, str]]) -> Markup:
    """Links to the sections that exist."""
    links = [element("li", element("a", name, href=f"#{anchor}")) for anchor, name in present]
    return element("nav", element("ul", links), aria_label="Sections")


def asset(name: str) -> str:
    """A file of this package."""
    return files("unmix.report").joinpath("assets", name).read_text(encoding="utf-8")
