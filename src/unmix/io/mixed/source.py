"""The columns of a table as series of polars with the types their owner gave them, and what these types declare.

Cells of a frame in memory are taken as they are typed: text is text, and only null and NaN are missing.  A file of text
has no types: there, columns of digits become numbers, of yes and no truth values, of days dates, words like NA holes.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.io.base.errors import TableError
from unmix.io.given import names_files
from unmix.io.in_memory.pandas_column import MISSING
from unmix.io.in_memory.table import Table, as_table
from unmix.io.mixed.column import Level, are_numbers, plain_levels
from unmix.io.mixed.polars_values import polars_name
from unmix.io.read import read_table
from unmix.io.text.cells import as_dates, as_numbers, as_truth, blank_missing, table_decimal_comma

# Types whose cells are one value each, which a column of a mixed table can hold.
_temporal = (pl.Date, pl.Datetime, pl.Duration, pl.Time)
_plain = (pl.Boolean, pl.String, pl.Categorical, pl.Enum, pl.Null, *_temporal)


class Declared(NamedTuple):
    """A series, the name of its type in its own library, and the categories that the type declares, if it does."""

    series: pl.Series
    dtype: str
    categories: tuple[Level, ...] = ()
    ordered: bool = False


def is_pandas(source: Any) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


def typed_columns(source: Any) -> dict[str, Declared]:
    """Every column of a frame, a table, a dict of columns, an array or a file, by its name."""
    columns = _of_pandas(source) if is_pandas(source) else _of_polars(polars_frame(source))
    if not columns or not len(next(iter(columns.values())).series):
        raise TableError("The table has no rows or no columns; at least one of each was expected.")
    for name, column in columns.items():
        if not (column.series.dtype.is_numeric() or column.series.dtype in _plain):
            _refuse(name, column.dtype)
    return columns


def polars_frame(source: Any) -> pl.DataFrame:
    """What is no frame of pandas as one of polars; text of files is read for what it says."""
    if names_files(source) or isinstance(source, Table):
        return _typed(read_table(source))
    return as_table(source).frame


def _typed(table: Table) -> pl.DataFrame:
    comma = table_decimal_comma(table.frame)
    return table.frame.with_columns(
        [_typed_text(series, comma, table.name) for series in table.frame if series.dtype == pl.String]
    )


def _typed_text(series: pl.Series, decimal_comma: bool, name: str) -> pl.Series:
    cells = blank_missing(series)
    numbers = as_numbers(cells, decimal_comma)
    if numbers:
        for note in numbers.notes:
            if "count as missing" in note:
                warnings.warn(f"{name}: in column {series.name!r} {note}.", UserWarning, stacklevel=2)
        return numbers.values
    truth = as_truth(cells)
    if truth is not None:
        return truth.cast(pl.Boolean)
    dates = as_dates(cells)
    return cells if dates is None else dates


def _of_polars(frame: pl.DataFrame) -> dict[str, Declared]:
    return {series.name: _declared_by_polars(series) for series in frame}


def _declared_by_polars(series: pl.Series) -> Declared:
    if isinstance(series.dtype, pl.Enum):  # the only type of polars whose categories have an order
        return Declared(series, "Enum", tuple(series.dtype.categories.to_list()), ordered=True)
    return Declared(series, polars_name(series.dtype))


def _of_pandas(frame: Any) -> dict[str, Declared]:
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        twice = next(name for j, name in enumerate(names) if name in names[:j])
        raise TableError(f"Two columns are named {twice!r}; give every column a name of its own.")
    return {name: _declared_by_pandas(name, frame.iloc[:, j]) for j, name in enumerate(names)}


def _declared_by_pandas(name: str, values: Any) -> Declared:
    from unmix.io.mixed.pandas_values import pandas_name  # loads pandas, which is there as its frame is

    dtype = pandas_name(values.dtype)
    if hasattr(values, "cat"):
        levels = plain_levels(values.cat.categories)
        return Declared(_chosen(name, levels, values), dtype, levels, bool(values.cat.ordered))
    if getattr(values.dtype, "kind", "") == "c" or dtype.startswith(("period", "interval")):
        _refuse(name, dtype)
    table = as_table(values.to_frame(name))  # one column: a name of ours cannot meet another's
    return Declared(table.frame.to_series(), dtype)


def _chosen(name: str, levels: tuple[Level, ...], values: Any) -> pl.Series:
    """The category of each cell, as numbers where all categories are numbers, else as text."""
    numbers = are_numbers(levels)
    names = pl.Series(
        name, [float(v) if numbers else str(v) for v in levels], dtype=pl.Float64 if numbers else pl.String
    )
    codes = values.cat.codes.to_numpy().astype(np.int64)
    return names.gather(pl.Series(codes).set(pl.Series(codes == MISSING), None))


def _refuse(name: str, dtype: str) -> None:
    raise TableError(
        f"Column {name!r} holds values of type {dtype}; numbers, text, categories, truth values or dates were "
        "expected: convert it, or drop it."
    )
