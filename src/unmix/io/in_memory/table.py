"""Anything in memory that holds a table, as a frame of polars: arrays, pandas and polars frames, dicts of columns."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.io.base.errors import TableError
from unmix.io.in_memory.column_names import unique_names
from unmix.io.in_memory.masked import unmasked
from unmix.io.in_memory.pandas_column import known_precision, pandas_column


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
            return as_table(pl.DataFrame({_as_text(name): _given(name, source[name]) for name in source}, strict=False))
        if _has_fields(source):
            return _from_fields(source, "table", "an array in memory")
        array = np.asarray(unmasked(source))
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise TableError(f"A {type(source).__name__} cannot be read as a table ({reason}).") from None
    if array.ndim == 0:
        raise TableError(f"A {type(source).__name__} is no table; give a path, a data frame or an array.")
    return from_array(array, "table", "an array in memory")


def from_array(array: np.ndarray, name: str, how: str) -> Table:
    """An array of one or two dimensions as a frame with numbered columns."""
    if _has_fields(array):
        return _from_fields(array, name, how)
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
    names = [f"column {j + 1}" for j in range(array.shape[1])]
    columns = {given: _series(given, array[:, j]) for j, given in enumerate(names)}
    return Table(pl.DataFrame(columns), name, how=how)


def _has_fields(source: Any) -> bool:
    return isinstance(source, np.ndarray) and source.dtype.names is not None


def _from_fields(array: np.ndarray, name: str, how: str) -> Table:
    """An array of records, also a masked one."""
    columns = {_as_text(field): _series(_as_text(field), unmasked(array[field])) for field in array.dtype.names or ()}
    return Table(pl.DataFrame(columns), name, how=how)


def _given(name: Any, values: Any) -> Any:
    """A column of a dict: arrays and columns of pandas as everywhere, lists and the rest as polars takes them."""
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return _series(_as_text(name), unmasked(values))
    if type(values).__module__.split(".")[0] == "pandas" and hasattr(values, "dtype"):
        return _series(_as_text(name), sys.modules["pandas"].Series(values))
    return values


def _from_pandas(source: Any) -> Table:
    warnings: list[str] = []
    names = unique_names([_as_text(given) for given in source.columns], warnings)
    columns = {given: _series(given, source.iloc[:, j]) for j, given in enumerate(names)}
    return Table(pl.DataFrame(columns), how="a pandas frame in memory", warnings=warnings)


def _series(name: str, values: Any) -> pl.Series:
    """A column of an array or a pandas frame; objects that do not agree on a type become their text."""
    try:
        if not isinstance(values, np.ndarray):
            return pandas_column(name, values)
        if values.dtype.kind not in "OS":
            return pl.Series(name, np.ascontiguousarray(known_precision(values)))
    except Exception:  # mixed objects, and halves of characters, which polars refuses
        pass
    return pl.Series(name, [None if _is_missing(value) else _as_text(value) for value in values], strict=False)


def _is_missing(value: Any) -> bool:
    """None, NaN, a masked value and pandas' NA; NaN does not equal itself, and NA does not say whether it does."""
    try:
        return value is None or value is np.ma.masked or bool(value != value)
    except TypeError:
        return True


def _as_text(value: Any) -> str:
    """What is no text to polars (halves of characters, other bytes) is written by its number, to stay apart."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
