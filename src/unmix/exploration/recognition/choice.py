"""Which form a table is explored in, and the sentence that points to the command for another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from unmix.exploration.columns.control import check_names, make_control
from unmix.exploration.recognition.form import Form, recognise
from unmix.io.base.errors import TableError
from unmix.io.long_table import LongTable

_aside = ("drop", "describe", "target", "group", "order")
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
    if not data.is_whole and asked in MADE_POINTS:
        raise TableError(
            f"The table has {data.height:,} rows; as {asked} at most {len(data.rows):,} are looked at. "
            f"Give sample={data.height} to look at all."
        )
    return recognise(_with_values(data.sample.frame, options), data.sample.row_names or options.get("id"), asked)


def _with_values(frame: pl.DataFrame, options: dict[str, Any]) -> pl.DataFrame:
    """The columns that may hold values: those to use, or all but those of which something else is said."""
    control = make_control(**{name: value for name, value in options.items() if name != "topics"})
    check_names(control, frame.columns)
    if control.use:
        return frame.select(control.use)
    named = control.named()
    return frame.drop({name for option in _aside for name in named.get(option, [])})


def pointer(form: Form, table: Any) -> list[str]:
    """What to run for a table that is explored as rows of measurements, but looks like more."""
    if form.name not in _commands:
        return []
    looks, command = _commands[form.name]
    name = str(table) if isinstance(table, str | Path) and str(table) != "-" else "TABLE"
    return [f"The table looks like {looks} ({form.reason}): {command.format(name)}."]
