"""A command or code as text to copy, in which no line ends between the dashes of an option and its name."""

from __future__ import annotations

import re

from unmix.report.drawing.markup import Markup, element, join

OPTION = re.compile(r"(?<!\S)(--[\w-]{1,24})(?!\S)")  # a longer one may be broken, or it would widen the page


def code(line: str) -> Markup:
    """A `code` element.

    >>> print(code("unmix explore a.csv --drop b"))
    <code>unmix explore a.csv <span class="option">--drop</span> b</code>
    """
    parts = OPTION.split(line)  # every second one is an option
    return element("code", join(element("span", one, class_="option") if i % 2 else one for i, one in enumerate(parts)))
