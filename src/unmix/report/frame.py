"""The frame of every page: one style, two scripts, all inline; sections in reading order with links to them.

Nothing is fetched and nothing is built: the assets are plain files of this package, put into the page as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from unmix.core.storage.archive import replacing
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
    allowed = text(policy([style], [early, late], sound=sound))
    return fill(
        sections,
        headline=headline,
        title=title,
        source=source,
        version=version,
        created=created,
        foot=foot,
        policy=Markup(f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'),
        early=Markup(f"<style>{style}</style>\n<script>{early}</script>"),
        late=join([embedded(numbers), Markup(f"<script>{late}</script>")], "\n"),
        footer=f"Made by unmix {version or ''}. This file is complete: it loads nothing and sends nothing.",
    )


def fill(
    sections: Sequence[Section],
    *,
    headline: Markup,
    title: str,
    source: str,
    early: Markup,
    late: Markup,
    footer: str,
    policy: Markup | None = None,
    version: str | None = None,
    created: str | None = None,
    foot: Markup | None = None,
    tools: Markup | None = None,
    home: str | None = None,
    skip: str = "Skip to the answer",
) -> str:
    """The page around its sections; `early` stands in the head, `late` at the end, and the mark links to `home`."""
    return Template(asset("report.html")).substitute(
        policy=policy or "",
        title=text(f"{title} · {source}"),
        early=early,
        late=late,
        version=text(version or ""),
        source=text(source),
        created=text(created or ""),
        symbols=symbols(),
        skip=text(skip),
        open=f'<a class="home" href="{text(home)}">' if home else "",
        close="</a>" if home else "",
        tools=tools or "",
        headline=headline,
        navigation=navigation([(anchor, name) for anchor, name, content in sections if content is not None]),
        sections=join((content for _, _, content in sections), "\n"),
        footer=text(footer),
        foot=foot or "",
    )


def embedded(numbers: Any) -> Markup:
    """Everything the page shows, for its scripts and for whoever saves it."""
    return Markup(f'<script type="application/json" id="findings">{script_json(numbers)}</script>')


def write_page(page: str, path: str | Path) -> Path:
    """Write the page to `path`: under a temporary name first, so a half-written report never exists."""
    path = Path(path)
    with replacing(path) as file:
        file.write(page.encode("utf-8"))
    return path


def navigation(present: list[tuple[str, str]]) -> Markup:
    """Links to the sections that exist; one alone needs no way to it."""
    if len(present) < 2:
        return Markup()
    links = [element("li", element("a", name, href=f"#{anchor}")) for anchor, name in present]
    return element("nav", element("ul", links), aria_label="Sections")


def asset(name: str) -> str:
    """A file of this package."""
    return files("unmix.report").joinpath("assets", name).read_text(encoding="utf-8")
