"""Reports of strangers to `explore --replay`: their settings are checked as options are."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.commands import invoke, prepare, unclear
from tests.faults.damage import HOSTILE
from tests.faults.part import Case
from unmix.cli.replay import _embedded, _settings_in

MORE: tuple[Any, ...] = ("a", ["a", 1], {"a": "nothing"}, {"a": 1}, ["<b>"], -(2**40), [None])

# Pages without settings that keep a careless reader busy for minutes, or end it.
PAGES = {
    "scripts that never open": "<script " * 200_000,
    "scripts that never close": '<script type="application/json">' * 50_000,
    "values nested without end": f'<script type="application/json">{"[" * 100_000}</script>',
    "nothing": "",
}


def replays(folder: Path, short: bool) -> Iterator[Case]:
    """Every setting of a real report replaced by what no option would be, then settings nobody knows."""
    prepare(folder)
    page = (folder / "first" / "report.html").read_text(encoding="utf-8")
    found = next(text for text in _embedded(page) if _settings_in(text) is not None)
    settings = _settings_in(found)
    names = [*settings, "progress", "command", "__class__", "no such setting"]
    for name in names[:: 3 if short else 1]:
        for value in (*HOSTILE, *MORE)[:: 5 if short else 1]:
            changed = json.loads(found) | {"settings": settings | {name: value}}
            (folder / "other.html").write_text(
                page.replace(found, json.dumps(changed).replace("<", "\\u003c")), "utf-8"
            )
            result = invoke(["explore", "--replay", "other.html", "x.csv", "--out", "out", "--quiet"], folder)
            yield f"replay with {name} = {str(value)[:20]!a}", unclear(result)
            shutil.rmtree(folder / "out", ignore_errors=True)
    for case, text in PAGES.items():
        (folder / "other.html").write_text(text, "utf-8")
        result = invoke(["explore", "--replay", "other.html", "x.csv", "--out", "out", "--quiet"], folder)
        yield f"replay of a page with {case}", unclear(result, (2,))
