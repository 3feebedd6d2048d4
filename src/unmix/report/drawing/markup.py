"""HTML and SVG built as values: whatever is not already markup is escaped, so no cell or name can become a tag.

    element("p", "a < b", class_="note")   ->   <p class="note">a &lt; b</p>

No element ever gets a `style` attribute: the page's security policy refuses them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

# Characters an HTML parser refuses or replaces: controls other than tab and newline, and lone surrogates.
CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
VOID_ELEMENTS = frozenset({"br", "input", "wbr"})


class Markup(str):
    """Text that is HTML already; everything else is escaped on its way into an element."""


def text(value: Any) -> Markup:
    """Any value as escaped text."""
    if isinstance(value, Markup):
        return value
    return Markup(escape(CONTROL_CHARACTERS.sub("�", str(value)), quote=True))


def join(children: Iterable[Any], separator: str = "") -> Markup:
    """Children one after the other: None is skipped, a list or generator is flattened, plain text is escaped."""
    parts = []
    for child in children:
        if child is None:
            continue
        nested = isinstance(child, Iterable) and not isinstance(child, str)
        parts.append(join(child) if nested else text(child))
    return Markup(separator.join(parts))


def attribute(name: str, value: Any) -> str:
    """`class_` writes class, `aria_label` aria-label; True writes the bare name, None and False write nothing."""
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    if isinstance(value, float):
        value = f"{value:.5g}"
    return f' {name}="{text(value)}"'


def element(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """One element with its children and attributes."""
    opening = f"<{name}{''.join(attribute(key, value) for key, value in attributes.items())}>"
    return Markup(opening if name in VOID_ELEMENTS else f"{opening}{join(children)}</{name}>")


def table(caption: str, head: Iterable[Any], rows: Iterable[Iterable[Any]], **attributes: Any) -> Markup:
    """A captioned table that scrolls inside itself; the first cell of a row is its header."""
    header = element("tr", [element("th", cell, scope="col") for cell in head])
    body = []
    for first, *cells in rows:
        body.append(element("tr", element("th", first, scope="row"), [element("td", cell) for cell in cells]))
    inner = element(
        "table", element("caption", caption), element("thead", header), element("tbody", body), **attributes
    )
    return element("div", inner, class_="scroll", tabindex=0, role="region", aria_label=caption)
