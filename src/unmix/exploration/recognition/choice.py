"""Which form a table is explored in, and the sentence that points to the command for another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unmix.exploration.recognition.form import Form, recognise
from unmix.io.long_table import LongTable

MADE_POINTS = ("counts", "dissimilarities")  # forms that have points, and a clustering, of their own
_commands = {
    "binary": ("who has what", "unmix roles {} finds the roles behind such a table"),
    "signals": ("signals", "unmix separate {} takes them apart into sources"),
}


def recognise_form(data: LongTable, asked: str, options: dict[str, Any]) -> Form:
    """A long table of which some rows were drawn, or one of whose columns the user said something, is a plain table."""
    free = data.is_whole and not any(value for name, value in options.items() if name != "id")
    if asked == "auto" and not free:
        return Form("table")
    return recognise(data.sample.frame, data.sample.row_names or options.get("id"), asked)


def pointer(form: Form, table: Any) -> list[str]:
    """What to run for a table that is explored as rows of measurements, but looks like more."""
    if form.name not in _commands:
        return []
    looks, command = _commands[form.name]
    name = str(table) if isinstance(table, str | Path) and str(table) != "-" else "TABLE"
    return [f"The table looks like {looks} ({form.reason}): {command.format(name)}."]
