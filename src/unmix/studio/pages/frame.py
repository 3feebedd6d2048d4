"""The report's frame with its styles and scripts by address instead of in the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unmix import __version__
from unmix.report.drawing.markup import Markup, element, join, text
from unmix.report.frame import Section, embedded, fill
from unmix.studio.store.kinds import KINDS
from unmix.studio.store.workspace import Record

FOOTER = f"unmix {__version__} studio. It runs on this machine, loads nothing from elsewhere and sends nothing."
_theme = Markup('<script src="/assets/theme.js"></script>')


def page(
    title: str,
    *,
    headline: Markup,
    sections: Sequence[Section] = (),
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    modules: Sequence[str] = (),
    source: str = "studio",
    created: str | None = None,
    numbers: Any = None,
    foot: Markup | None = None,
    tools: Markup | None = None,
) -> str:
    """A whole page; `styles` and `scripts` are the report's, in their order, `modules` the studio's own."""
    sheets = [Markup(f'<link rel="stylesheet" href="/assets/{text(name)}">') for name in ("report.css", *styles)]
    early = join([*sheets, Markup('<link rel="stylesheet" href="/assets/studio.css">'), _theme], "\n")
    late = [embedded(numbers)] if numbers is not None else []
    late += [Markup(f'<script src="/assets/{text(name)}"></script>') for name in scripts]
    late += [Markup(f'<script type="module" src="/assets/{text(name)}"></script>') for name in modules]
    return fill(
        sections,
        headline=headline,
        title=title,
        source=source,
        early=early,
        late=join(late, "\n"),
        footer=FOOTER,
        version=__version__,
        created=created,
        foot=foot,
        tools=tools,
        home="/",
        skip="Skip to the content",
    )


def opening(title: str, *rest: Any) -> Markup:
    """The top of a page: what it is, and what to do."""
    heading = element("h1", title, class_="long" if len(title) > 40 else None)
    return element("section", heading, rest, id="verdict", class_="verdict")


def chip(state: str) -> Markup:
    """The state of a run, in a word."""
    return element("span", state, class_=f"chip state-{state}")


def moment(created: str | None) -> Markup:
    """A time, to the minute, in UTC; the page's script writes it as the reader's clock shows it."""
    stamp = str(created or "")
    return element("time", stamp[:16].replace("T", " "), datetime=stamp)


def workspaces(table: Record, now: str) -> Markup:
    """The three things that can be asked of a file."""
    addresses = {"explore": "", "roles": "/roles", "separate": "/signals"}
    links = [
        element(
            "a",
            kind.title,
            href=f"/tables/{table['id']}{addresses[name]}",
            aria_current="page" if name == now else None,
        )
        for name, kind in KINDS.items()
    ]
    return element("nav", links, class_="asks", aria_label=f"What to ask of {table['file']}")
