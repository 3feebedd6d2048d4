"""Files of signals as channels: wav by its channels, tables and arrays by their columns, several files side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from unmix.io.cells import as_numbers, blank_missing, uses_decimal_comma
from unmix.io.errors import TableError
from unmix.io.table import Table, read_path
from unmix.separation.signals import Signals, apart, beside
from unmix.separation.time_column import CLOCK, read_clock, unit
from unmix.separation.wave import read_wave

WAVES = {".wav", ".wave"}
TABLES = {".csv", ".tsv", ".tab", ".txt", ".dat", ".gz", ".parquet", ".pq", ".npy"}


def read_signals(paths: list[str], rate: float | None = None) -> Signals:
    """The channels of all files; ``rate`` is that of tables that do not say it themselves."""
    parts = [read_one(Path(path)) for path in paths]
    found = beside(parts, [Path(path).stem for path in paths]) if len(parts) > 1 else parts[0]
    if rate is None:
        return found
    if found.rate is not None and abs(found.rate - rate) > 1e-3 * rate:
        where = "The wav header" if found.audio else "The time column"
        raise TableError(f"{where} says {found.rate:,.6g} Hz, but --rate says {rate:,.6g}; leave --rate out.")
    return found._replace(rate=float(rate))


def read_one(path: Path) -> Signals:
    """One file, by its extension."""
    suffix = path.suffix.lower()
    if suffix in WAVES:
        return read_wave(path)
    if path.is_file() and suffix not in TABLES:
        given = f"the extension {suffix!r}" if suffix else "no extension"
        raise TableError(f"{path} has {given}; unmix separate reads .wav, .csv, .tsv, .txt, .parquet and .npy.")
    return from_table(read_path(path))


def from_table(table: Table) -> Signals:
    """Columns as channels, the time column left out."""
    cells = {name: blank(table.frame[name]) for name in table.frame.columns}
    comma = uses_decimal_comma([series for series in cells.values() if series.dtype == pl.String])
    notes, names, columns = list(table.warnings), [], []
    time, rate = None, None
    for j, (name, series) in enumerate(cells.items()):
        values = numbers(series, comma, notes)
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
    return Signals(stacked, apart(names), rate, time, tuple(notes))


def blank(series: pl.Series) -> pl.Series:
    return blank_missing(series) if series.dtype == pl.String else series


def numbers(series: pl.Series, decimal_comma: bool, notes: list[str]) -> np.ndarray | None:
    """A column as float64 with NaN for missing, or None for text; what was not plain is noted."""
    if series.dtype == pl.String and series.null_count() < len(series):
        found = as_numbers(series, decimal_comma)
        if found is None:
            return None
        notes.extend(f"In column {series.name!r} {note}." for note in [*found.notes, *found.doubts])
        return found.values.to_numpy()
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null, pl.String):
        return series.cast(pl.Float64).to_numpy()
    return None


def text_column(name: str, series: pl.Series) -> str:
    """What to tell somebody whose column is text."""
    example = str(series.drop_nulls()[0])
    example = example if len(example) < 30 else example[:29] + "…"
    return f"Column {name!r} holds text ({example!r}); every column must be a channel of numbers: remove it."
