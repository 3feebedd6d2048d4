"""Cells and names of strangers in all that commands write: no markup, no script, no formula of a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from tests.faults.commands import invoke, unclear
from tests.faults.part import Case

PLAIN = "plain"
ADDRESSES = ("href", "src", "action", "formaction", "data")
# One of these stands where a plain name or cell would; a report must show it, and not become it.
HOSTILE = (
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "<!--", "-->", "]]>", "</title><b>", "</style><b>",
    "=cmd|' /C calc'!A0", "+1+cmd()", "@SUM(A1:A9)", "-2+3", "\t=1", "javascript:alert(1)", "${7*7}", "{{7*7}}",
    "&lt;b&gt;", "\u202e\u2066x", "a\u2028b", "<a href=javascript:alert(1)>x</a>",
)  # fmt: skip


class Outline(HTMLParser):
    """How many elements of each kind a page has, with the names of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[tuple[str, ...], int] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        risky = sorted(name for name, value in attributes if name.startswith("on") or is_code(name, value))
        if tag in ("script", "style", "iframe", "object", "embed", "link", "meta", "base", "form") or risky:
            key = (tag, *risky)
            self.found[key] = self.found.get(key, 0) + 1


def is_code(name: str, value: str | None) -> bool:
    return name.split(":")[-1] in ADDRESSES and (value or "").strip().lower().startswith("javascript:")


def outline(page: Path) -> dict[tuple[str, ...], int]:
    parser = Outline()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser.found


def write_inputs(folder: Path, word: str) -> None:
    """Tables for each command with this word as a name and as a cell."""
    with (folder / "x.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [[i % 2 * 9 + i % 5, i % 2 * 9 + i % 3, word if i % 2 else PLAIN, f"{word} {i}"] for i in range(24)]
        csv.writer(file).writerows([[f"a {word}", "b", "kind", "name"], *rows])
    with (folder / "access.csv").open("w", newline="", encoding="utf-8") as file:
        pairs = [(word, "read"), (word, f"{word}."), ("bob", f"{word}."), ("bob", "write"), ("cid", "read")]
        csv.writer(file).writerows([("user", "permission"), *pairs])
    with (folder / "signals.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [[(7 * i) % 11 - 5 + 0.1 * i, (5 * i) % 13 - 6 + 0.2 * ((7 * i) % 11)] for i in range(60)]
        csv.writer(file).writerows([[f"a {word}", word], *rows])


COMMANDS = {
    "explore": ["explore", "x.csv", "--max-k", "2", "--id", "name", "--with-columns", "--out", "out"],
    "roles": ["roles", "access.csv", "--out", "out"],
    "separate": ["separate", "signals.csv", "--out", "out"],
}


def cells(folder: Path, short: bool) -> Iterator[Case]:
    for command, words in COMMANDS.items():
        expected = None
        for word in (PLAIN, *(HOSTILE[::7] if short else HOSTILE)):
            here = folder / f"{command}-{abs(hash(word))}"
            here.mkdir()
            write_inputs(here, word)
            result = invoke(words, here)
            if result.exit_code == 0 and expected is None:
                expected = outline(here / "out" / "report.html")
            yield f"{command} of {word!r}", unclear(result) or _let_in(here / "out", expected, result.exit_code)


def _let_in(out: Path, expected: dict[tuple[str, ...], int] | None, code: int) -> str | None:
    """What became more than text; None where nothing did."""
    if code:
        return None if expected is not None else "the plain table was refused"
    found = outline(out / "report.html")
    other = {key for key in found.keys() | (expected or {}).keys() if found.get(key) != (expected or {}).get(key)}
    if other:
        return f"the report has other elements: {sorted(other)}"
    for path in out.glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                for cell in row:
                    if cell[:1] in ("=", "+", "@", "\t") or (cell[:1] == "-" and not _is_number(cell)):
                        return f"{path.name} holds the formula {cell!r}"
    return None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
