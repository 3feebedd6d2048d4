"""Encoded numbers as columns of a pandas frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from unmix.io.mixed.column import Column, plain_levels
from unmix.io.mixed.polars_values import levels_of, times

ORDERED = "category, ordered"  # how such a type is written down; pandas itself does not say it


def pandas_frame(given: dict[str, tuple[Column, np.ndarray]], like: Any) -> Any:
    """Named, typed, ordered and indexed as another frame, or typed as the columns were at first."""
    if like is None:
        return pd.DataFrame({name: _series(*given[name], pandas_type(given[name][0]), None) for name in given})
    columns = [_series(*given[str(name)], like.dtypes.iloc[j], like.index) for j, name in enumerate(like.columns)]
    return pd.concat(columns, axis=1).set_axis(like.columns, axis=1)


def pandas_name(dtype: Any) -> str:
    """A type of pandas as text that `pandas_type` reads."""
    return ORDERED if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered else str(dtype)


def pandas_type(column: Column) -> Any:
    """The type that a column had."""
    if column.dtype in ("category", ORDERED):
        return pd.CategoricalDtype(list(column.declared), ordered=column.dtype == ORDERED)
    return pd.api.types.pandas_dtype(column.dtype)


def _series(column: Column, values: np.ndarray, dtype: Any, index: Any) -> Any:
    cells = _cells(column, values, dtype)
    return pd.Series(cells, index=index, dtype=getattr(cells, "dtype", object))  # objects stay objects


def _cells(column: Column, values: np.ndarray, dtype: Any) -> Any:
    dtype = dtype.subtype if isinstance(dtype, pd.SparseDtype) else dtype  # filled, it is sparse no more
    if column.has_levels:
        return _categories(column, values, dtype) if hasattr(dtype, "categories") else _levels(column, values, dtype)
    kind = getattr(dtype, "kind", "O")
    if column.kind == "date" or kind in "mM":
        return _times(values, dtype)
    return _numbers(values, dtype) if kind in "biuf" else values


def _categories(column: Column, codes: np.ndarray, dtype: Any) -> Any:
    """By the categories of the type, and after them the levels that it lacks."""
    known: Any = list(dtype.categories)
    place: Any = {level: j for j, level in enumerate(plain_levels(known))}
    lost = [level for level in column.levels if level not in place]
    place |= {level: len(known) + j for j, level in enumerate(lost)}
    chosen = [-1 if level is None else place[level] for level in levels_of(column, codes)]
    return pd.Categorical.from_codes(chosen, categories=pd.Index(known + lost), ordered=dtype.ordered)


def _levels(column: Column, codes: np.ndarray, dtype: Any) -> Any:
    levels = pd.array(levels_of(column, codes), dtype=object)
    if not pd.isna(levels).any():
        return levels.astype(dtype)
    plain = isinstance(dtype, np.dtype)
    return levels.astype(
        "boolean" if plain and dtype.kind == "b" else "float64" if plain and dtype.kind in "iu" else dtype
    )


def _times(values: np.ndarray, dtype: Any) -> Any:
    """Dates as Python's own where objects were given; else by the clock and the zone of the type."""
    days = pl.Series(values).fill_nan(None)
    kind = getattr(dtype, "kind", "O")
    if kind not in "mM":
        return times(days, pl.Date()).to_list()
    if isinstance(dtype, pd.ArrowDtype):
        return _arrow_times(days, dtype)
    unit = np.datetime_data(dtype.base if isinstance(dtype, np.dtype) else f"M8[{dtype.unit}]")[0]
    clock: Any = "ms" if unit == "s" else unit
    stamps = times(days, pl.Duration(clock) if kind == "m" else pl.Datetime(clock)).to_numpy()
    if isinstance(dtype, np.dtype):
        return stamps.astype(dtype)
    return pd.Series(stamps).dt.tz_localize("UTC").dt.tz_convert(dtype.tz).astype(dtype).array


def _arrow_times(days: pl.Series, dtype: Any) -> Any:
    if dtype.kind == "m":
        return pd.array(times(days, pl.Duration("us")).to_list(), dtype=dtype)
    zone = "UTC" if getattr(dtype.pyarrow_dtype, "tz", None) else None
    clock = pl.Date() if str(dtype).startswith("date") else pl.Datetime("us", zone)
    return pd.array(times(days, clock).to_list(), dtype=dtype)


def _numbers(values: np.ndarray, dtype: Any) -> Any:
    """In the type given where it can hold them, else with a point: nullable types stay nullable."""
    plain = isinstance(dtype, np.dtype)
    if dtype.kind == "f":
        return values.astype(dtype) if plain else pd.array(values, dtype=dtype)
    given = values[~np.isnan(values)]
    fits = bool(((given == np.rint(given)) & (given >= _low(dtype)) & (given <= _high(dtype))).all())
    if not fits or (plain and len(given) < len(values)):
        return values if plain else pd.array(values, dtype="Float64")
    return values.astype(dtype) if plain else pd.array(values, dtype="Float64").astype(dtype)


def _low(dtype: Any) -> float:
    return 0.0 if dtype.kind == "b" else float(np.iinfo(getattr(dtype, "numpy_dtype", dtype)).min)


def _high(dtype: Any) -> float:
    """The largest of 64 bits is rounded up by float64, and so left out."""
    top = 1 if dtype.kind == "b" else int(np.iinfo(getattr(dtype, "numpy_dtype", dtype)).max)
    return float(top) if float(top) == top else float(np.nextafter(float(top), 0.0))
