"""A column of a pandas frame as a column of polars, by NumPy alone: polars itself would ask for pyarrow.

Numbers, truth values and times go over as arrays, categories as their names and codes, everything else value by value.
"""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import polars as pl

MISSING = -1  # the code of no category


def pandas_column(name: str, values: Any) -> pl.Series:
    """Raises what polars raises where the objects of a column do not agree on a type."""
    dtype = values.dtype
    if hasattr(values, "cat"):
        return _categories(name, values)
    zone = getattr(getattr(dtype, "pyarrow_dtype", dtype), "tz", None)
    if zone is not None:
        local = pandas_column(name, values.dt.tz_convert("UTC").dt.tz_localize(None))
        return local.dt.replace_time_zone("UTC").dt.convert_time_zone(str(zone))
    plain = dtype if isinstance(dtype, np.dtype) else getattr(dtype, "numpy_dtype", None)
    if plain is None or plain.kind not in "biufmM" or getattr(dtype, "type", None) is datetime.date:
        return _objects(name, values)  # also the dates of Arrow, which pandas gives as objects
    return _numbers(name, values, plain)


def _numbers(name: str, values: Any, dtype: np.dtype) -> pl.Series:
    """Missing ones are null: NaN, and what pandas keeps in a mask beside integers and truth values."""
    missing = values.isna().to_numpy()
    if dtype.kind in "biuf":
        array = values.to_numpy(dtype=dtype, na_value=dtype.type(0)) if missing.any() else values.to_numpy(dtype=dtype)
    else:
        array = values.to_numpy()
        if np.datetime_data(array.dtype)[0] == "s":  # a unit that polars does not have
            array = array.astype(f"{array.dtype.kind}8[ms]")
    column = pl.Series(name, np.ascontiguousarray(known_precision(array)))
    return column.zip_with(pl.Series(~missing), column.clear(len(column))) if missing.any() else column


def known_precision(array: np.ndarray) -> np.ndarray:
    """float16 and long double, which polars does not know, in double precision."""
    is_known = array.dtype.kind != "f" or array.dtype.itemsize in (4, 8)
    return array if is_known else array.astype(np.float64)


def _categories(name: str, values: Any) -> pl.Series:
    """Names are categories to polars too; numbers as categories are numbers."""
    names = pandas_column(name, values.cat.categories.to_series())
    codes = values.cat.codes.to_numpy().astype(np.int64)
    chosen = names.gather(pl.Series(codes).set(pl.Series(codes == MISSING), None))
    return chosen.cast(pl.Categorical) if chosen.dtype == pl.String else chosen


def _objects(name: str, values: Any) -> pl.Series:
    missing = values.isna().to_numpy()
    cells = [None if gone else value for value, gone in zip(values.tolist(), missing)]
    numbers = values[~missing].infer_objects().dtype == np.float64  # whole ones among them
    column = pl.Series(name, cells, dtype=pl.Float64 if numbers else None)
    if column.dtype == pl.Object:
        raise TypeError(f"column {name!r} holds values of type {values.dtype}, which polars does not know")
    return column.cast(pl.String) if column.dtype == pl.Null else column
