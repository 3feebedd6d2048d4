"""Anything in memory that holds a table, as a frame of polars: arrays, pandas and polars frames, dicts of columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.io.errors import TableError
from unmix.io.masked import unmasked
from unmix.io.pandas_column import pandas_column
from unmix.io.text_table import unique_names


class Table(NamedTuple):
    """The frame, its name, the size of the file it came from, how it was read, and what the reader should know.

    ``row_names`` is the column that only names or counts the rows, ``rate`` the rows a second of a sound.
    """

    frame: pl.DataFrame
    name: str = "table"
    bytes: int | None = None
    how: str = ""
    warnings: list[str] = []
    row_names: str | None = None
    rate: float | None = None


def as_table(source: Any) -> Table:
    """What is in memory already."""
    if isinstance(source, Table):
        return source
    if isinstance(source, pl.LazyFrame):
        source = source.collect()
    if isinstance(source, pl.DataFrame):
        return Table(source, how="a polars frame in memory")
    if type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns"):
        return _from_pandas(source)
    if hasattr(source, "toarray"):
        source = source.toarray()
    try:
        if isinstance(source, dict):
            return as_table(pl.DataFrame(source, strict=False))
        array = np.asarray(unmasked(source))
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise TableError(f"A {type(source).__name__} cannot be read as a table ({reason}).") from None
    if array.ndim == 0:
        raise TableError(f"A {type(source).__name__} is no table; give a path, a data frame or an array.")
    return from_array(array, "table", "an array in memory")


def from_array(array: np.ndarray, name: str, how: str) -> Table:
    """An array of one or two dimensions as a frame with numbered columns."""
    if array.dtype.names:
        return Table(pl.DataFrame({field: array[field] for field in array.dtype.names}), name, how=how)
    if array.ndim not in (1, 2):
        raise TableError(
            f"{name} is an array of {array.ndim} dimensions {array.shape}; two were expected: rows, columns."
        )
    if array.dtype.kind == "c":
        raise TableError(
            f"{name} holds complex numbers; real ones were expected: give real and imaginary parts as columns."
        )
    if array.dtype.kind not in "biufUSO":
        raise TableError(f"{name} holds values of type {array.dtype}; numbers or strings were expected.")
    array = array[:, None] if array.ndim == 1 else array
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(np.float64)  # float16 and long double, which polars does not know
    names = [f"column {j + 1}" for j in range(array.shape[1])]
    columns = {given: _series(given, array[:, j]) for j, given in enumerate(names)}
    return Table(pl.DataFrame(columns), name, how=how)


def _from_pandas(source: Any) -> Table:
    warnings: list[str] = []
    names = unique_names([str(given) for given in source.columns], warnings)
    columns = {given: _series(given, source.iloc[:, j]) for j, given in enumerate(names)}
    return Table(pl.DataFrame(columns), how="a pandas frame in memory", warnings=warnings)


def _series(name: str, values: Any) -> pl.Series:
    """A column of an array or a pandas frame; objects that do not agree on a type become their text."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OS":
        return pl.Series(name, np.ascontiguousarray(values))
    try:
        if not isinstance(values, np.ndarray):
            return pandas_column(name, values)
    except Exception:  # mixed objects, which polars refuses
        pass
    return pl.Series(name, [None if _is_missing(value) else _as_text(value) for value in values], strict=False)


def _is_missing(value: Any) -> bool:
    """None, NaN, a masked value and pandas' NA; NaN does not equal itself, and NA does not say whether it does."""
    try:
        return value is None or value is np.ma.masked or bool(value != value)
    except TypeError:
        return True


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
