"""Files of signals as channels: wav by its channels, tables and arrays by their columns, several files side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from unmix.io.base.errors import TableError
from unmix.io.in_memory.table import Table
from unmix.io.read import read_path
from unmix.io.text.cells import number_column, table_decimal_comma
from unmix.separation.recording.signals import Signals, distinct_names, join_signals
from unmix.separation.recording.time_column import CLOCK, read_clock, unit


def read_signals(paths: list[str], rate: float | None = None) -> Signals:
    """The channels of all files; ``rate`` is that of tables that do not say it themselves."""
    parts = [read_one(Path(path)) for path in paths]
    found = join_signals(parts, [Path(path).stem for path in paths]) if len(parts) > 1 else parts[0]
    if rate is None:
        return found
    if found.rate is not None and abs(found.rate - rate) > 1e-3 * rate:
        where = "The wav header" if found.audio else "The time column"
        raise TableError(f"{where} says {found.rate:,.6g} Hz, but --rate says {rate:,.6g}; leave --rate out.")
    return found._replace(rate=float(rate))


def read_one(path: Path) -> Signals:
    """One file: sound by its channels, a table by its columns."""
    table = read_path(path)
    if table.rate is None:
        return from_table(table)
    frame = table.frame
    return Signals(frame.to_numpy(), frame.columns, table.rate, None, tuple(table.warnings), audio=True)


def from_table(table: Table) -> Signals:
    """Columns as channels, the time column left out."""
    comma = table_decimal_comma(table.frame)
    notes, names, columns = list(table.warnings), [], []
    time, rate = None, None
    for j, series in enumerate(table.frame):
        name, values = series.name, number_column(series, comma, notes)
        if values is None and name == table.row_names:
            continue
        if values is None:
            if not CLOCK.fullmatch(unit(name)[0]):
                raise TableError(text_column(name, series))
            notes.append(
                f"Column {name!r} holds times as text and was left out; give --rate to have frequencies in Hz."
            )
            continue
        clock = read_clock(name, values, leading=j == 0) if time is None else None
        if clock is None:
            names.append(name)
            columns.append(values)
        else:
            time, rate = (name, values), clock.rate
            notes.append(clock.note)
    stacked = np.column_stack(columns) if columns else np.empty((len(table.frame), 0))
    return Signals(stacked, distinct_names(names), rate, time, tuple(notes))


def text_column(name: str, series: pl.Series) -> str:
    """What to tell somebody whose column is text."""
    example = str(series.drop_nulls()[0])
    example = example if len(example) < 30 else example[:29] + "…"
    return f"Column {name!r} holds text ({example!r}); every column must be a channel of numbers: remove it."
