"""What is known of one column of a mixed table: its kind, its levels in order and the type to give back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.io.base.errors import TableError

Level = str | int | float | bool
KINDS = ("number", "count", "boolean", "category", "ordered", "date")
LEVELLED = ("boolean", "category", "ordered")


class Column(NamedTuple):
    """Plain values alone, so that a model that holds columns can be saved.

    ``levels`` are those that occurred, level l standing for the number l; ``declared`` all that the type of the column
    allows, in its order.  ``whole`` says that every number was a whole one.
    """

    name: str
    kind: str
    dtype: str
    levels: tuple[Level, ...] = ()
    declared: tuple[Level, ...] = ()
    whole: bool = False

    @property
    def has_levels(self) -> bool:
        return self.kind in LEVELLED


def plain_levels(levels: Iterable[Any]) -> tuple[Level, ...]:
    """Numbers and truth values as they are; where one is none, such as an interval or a day, all by their names."""
    plain = tuple(level.item() if isinstance(level, np.generic) else level for level in levels)
    return plain if all(isinstance(level, int | float) for level in plain) else tuple(str(level) for level in plain)


def are_numbers(levels: tuple[Level, ...]) -> bool:
    return not any(isinstance(level, str) for level in levels)


def in_terms_of(levels: tuple[Level, ...], series: pl.Series) -> pl.Series:
    """The cells as levels are written: all as numbers, or all as text."""
    if are_numbers(levels) and not series.dtype.is_temporal():
        return series.cast(pl.String).cast(pl.Float64, strict=False) if _is_text(series) else series.cast(pl.Float64)
    return series.cast(pl.String)


def level_numbers(column: Column, series: pl.Series) -> tuple[np.ndarray, list[Any]]:
    """The number of each cell's level, NaN for none, and the levels that the column does not know."""
    cells = in_terms_of(column.levels, series)
    if cells.dtype == pl.Float64:
        cells = cells.fill_nan(None)
    levels = [float(level) for level in column.levels] if cells.dtype == pl.Float64 else list(column.levels)
    codes = cells.replace_strict(levels, list(range(len(levels))), default=None, return_dtype=pl.Float64)
    lost = series.filter(codes.is_null() & ~missing(series))
    return codes.to_numpy(), lost.unique(maintain_order=True).to_list()


def plain_numbers(column: Column, series: pl.Series) -> np.ndarray:
    """The cells of a column of numbers, or of days since the first of 1970, as float64 with NaN for missing."""
    if _is_text(series) or (column.kind == "date") != (series.dtype in (pl.Date, pl.Datetime, pl.Null)):
        _refuse_type(column, series)
    if series.dtype.is_temporal():
        return _days(series)
    values = series.cast(pl.Float64).to_numpy()
    infinite = int(np.isinf(values).sum())
    if infinite:
        raise TableError(
            f"Column {column.name!r} holds {infinite} infinite value{'s' * (infinite > 1)}; finite numbers were "
            "expected: make them missing, or take them out."
        )
    return values


def missing(series: pl.Series) -> pl.Series:
    """Where nothing was observed: null, and NaN among numbers."""
    gone = series.is_null()
    return gone | series.is_nan().fill_null(True) if series.dtype.is_float() else gone


def _is_text(series: pl.Series) -> bool:
    return series.dtype in (pl.String, pl.Categorical, pl.Enum) and series.null_count() < len(series)


def _refuse_type(column: Column, series: pl.Series) -> None:
    given = series.drop_nulls()
    if len(given):
        expected = "dates" if column.kind == "date" else "numbers"
        raise TableError(
            f"Column {column.name!r} holds {str(given[0])!r} (of type {series.dtype}) where {expected} were expected; "
            "give the column that type, or call it another kind."
        )


def _days(series: pl.Series) -> np.ndarray:
    """Dates, times and durations in days; dates since the first of 1970, whatever the zone of their clock."""
    per_day = units_per_day(series.dtype)
    return series.to_physical().cast(pl.Float64).to_numpy() / per_day


def units_per_day(dtype: Any) -> float:
    """How many steps of the type's clock make a day."""
    if dtype == pl.Date:
        return 1.0
    unit = "ns" if dtype == pl.Time else dtype.time_unit
    return 86_400.0 * {"ms": 1e3, "us": 1e6, "ns": 1e9}[unit]
