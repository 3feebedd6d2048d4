"""`unmix explore --replay REPORT TABLE`: the settings of an earlier report for a new table, and what changed since."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import click

from unmix.exploration.findings.records import Findings
from unmix.io.base.errors import TableError
from unmix.io.base.room import refuse_beyond_memory

_opening = re.compile(r'<script[^<>]{0,200}type="application/json"[^<>]{0,200}>')  # bounded: a stranger may write it
_no_settings = {"table", "command", "progress"}


def settings_of(report: str) -> dict[str, Any]:
    """What `explore` was given when it wrote this report; only settings it knows are taken from the file."""
    from unmix.exploration.explore import explore

    try:
        text = _page(Path(report))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is no page of text"
        raise TableError(f"{report} cannot be read ({why}); give a report.html that unmix explore wrote.") from None
    for found in _embedded(text):
        settings = _settings_in(found)
        if settings is not None:
            known = set(signature(explore).parameters) - _no_settings
            return {name: value for name, value in settings.items() if name in known}
    raise TableError(f"{report} holds no settings of unmix explore; give a report.html that it wrote.")


def _page(path: Path) -> str:
    """The text of a file; a pipe or a device may never end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise TableError(f"{path} is a pipe or a device; give a report.html that unmix explore wrote.")
    refuse_beyond_memory(path, "text")
    return path.read_text(encoding="utf-8")


def _embedded(text: str) -> Iterator[str]:
    """What scripts of JSON hold, in one pass: each part is looked at once, also where they are never closed."""
    start = 0
    while (opening := _opening.search(text, start)) and (end := text.find("</script>", opening.end())) >= 0:
        yield text[opening.end() : end]
        start = end


def _settings_in(text: str) -> dict[str, Any] | None:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    settings = tree.get("settings") if isinstance(tree, dict) else None
    return settings if isinstance(settings, dict) and "seed" in settings else None


def print_changes(report: str, findings: Findings) -> None:
    """The comparison with what stands beside the report."""
    from unmix.exploration.assignment.storage import FILE
    from unmix.exploration.comparison.compare import compare

    folder = Path(report).parent
    if not (folder / FILE).is_file():
        click.echo(f"\nNo comparison: {FILE}, which explore writes beside its report, is not in {folder}.")
        return
    click.echo(f"\nSince {report}:\n{compare(folder, findings)!r}")
