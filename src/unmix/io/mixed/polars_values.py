"""Encoded numbers as a column of polars."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from unmix.io.mixed.column import Column, Level, units_per_day

YEARS_1_TO_9999 = (-719_162.0, 2_932_896.0)  # in days since 1970; no calendar of Python goes further
CLOCK = 9.2e18  # steps that 64 bits hold


def polars_name(dtype: Any) -> str:
    """A type of polars as text that `polars_type` reads."""
    name = type(dtype).__name__
    if dtype == pl.Datetime:
        return f"{name} {dtype.time_unit} {dtype.time_zone or ''}".strip()
    if dtype == pl.Duration:
        return f"{name} {dtype.time_unit}"
    return f"{name} {dtype.scale}" if dtype == pl.Decimal else name


def polars_type(column: Column) -> Any:
    """The type that a column had."""
    name, *rest = column.dtype.split(" ")
    if name == "Enum":
        return pl.Enum([str(level) for level in column.declared])
    if name == "Datetime":
        return pl.Datetime(rest[0], rest[1] if len(rest) > 1 else None)  # type: ignore[arg-type]
    if name == "Duration":
        return pl.Duration(rest[0])  # type: ignore[arg-type]
    return pl.Decimal(38, int(rest[0])) if name == "Decimal" else getattr(pl, name)()


def polars_series(column: Column, values: np.ndarray, dtype: Any) -> pl.Series:
    if column.has_levels:
        return _of_levels(column, values, dtype)
    series = pl.Series(column.name, values).fill_nan(None)
    if dtype.is_temporal():
        return times(series, dtype)
    if dtype.is_integer() or dtype == pl.Boolean:
        return series.cast(dtype) if _fits(series, dtype) else series
    return series.cast(dtype) if dtype.is_numeric() else series


def levels_of(column: Column, codes: np.ndarray) -> list[Level | None]:
    """The level nearest to each number, None for NaN."""
    missing = np.isnan(codes)
    nearest = np.clip(np.rint(np.where(missing, 0.0, codes)), 0, len(column.levels) - 1).astype(np.int64)
    return [None if gone else column.levels[j] for gone, j in zip(missing, nearest)]


def times(series: pl.Series, dtype: Any) -> pl.Series:
    """Days as dates, times of the day or durations; what lies outside of the calendar goes to its edge."""
    per_day = units_per_day(dtype)
    low, high = -CLOCK / per_day, CLOCK / per_day
    if dtype == pl.Time:
        low, high = 0.0, 1.0 - 1.0 / per_day
    elif dtype != pl.Duration:
        low, high = max(low, YEARS_1_TO_9999[0]), min(high, YEARS_1_TO_9999[1])
    return (series.clip(low, high) * per_day).round().cast(pl.Int64).cast(dtype)


def _of_levels(column: Column, codes: np.ndarray, dtype: Any) -> pl.Series:
    levels = levels_of(column, codes)
    if isinstance(dtype, pl.Enum) and not {str(v) for v in column.levels} <= set(dtype.categories):
        dtype = pl.Enum(dtype.categories.to_list() + [str(v) for v in column.levels if v not in set(dtype.categories)])
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        return pl.Series(column.name, [None if v is None else str(v) for v in levels], dtype=dtype)
    if dtype.is_temporal():  # days that are categories
        return pl.Series(column.name, levels, dtype=pl.String).cast(dtype)
    return pl.Series(column.name, levels, dtype=pl.Float64, strict=False).cast(dtype)


def _fits(series: pl.Series, dtype: Any) -> bool:
    given = series.drop_nulls()
    low, high = (0.0, 1.0) if dtype == pl.Boolean else _limits(dtype)
    return bool(((given == given.round()) & (given >= low) & (given <= high)).all())


def _limits(dtype: Any) -> tuple[float, float]:
    """Of an integer type; the largest of 64 bits is rounded up by float64, and so left out."""
    low, high = (pl.select(bound).item() for bound in (dtype.min(), dtype.max()))
    return float(low), float(np.nextafter(float(high), 0.0)) if float(high) > high else float(high)
