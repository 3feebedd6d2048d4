"""Encoded numbers as a frame again, of the library and in the order of columns of another frame.

Where the type of a column cannot hold what is to be said (half a child, no value among plain integers), the nearest
type that can is given instead: numbers with a point, nullable truth values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from unmix.io.mixed.column import Column
from unmix.io.mixed.polars_values import polars_series, polars_type
from unmix.io.mixed.source import is_pandas, polars_frame


def restored_frame(columns: tuple[Column, ...], values: np.ndarray, library: str, like: Any, rounded: bool) -> Any:
    """A frame like another one, or of the library and types that the columns had at first."""
    if rounded:
        values = np.column_stack([np.rint(x) if column.whole else x for column, x in zip(columns, values.T)])
    given = {column.name: (column, x) for column, x in zip(columns, values.T)}
    if is_pandas(like) or (like is None and library == "pandas"):
        from unmix.io.mixed.pandas_values import pandas_frame  # pandas is there if a frame of it was given

        return pandas_frame(given, like)
    types = {c.name: polars_type(c) for c in columns} if like is None else dict(polars_frame(like).schema)
    return pl.DataFrame([polars_series(*given[name], dtype) for name, dtype in types.items()])


def filled_frame(frame: Any, said: Any) -> Any:
    """Cells of the frame where it has one, else what is said of them."""
    if not is_pandas(frame):
        return pl.DataFrame([_filled_series(series, said[series.name]) for series in polars_frame(frame)])
    filled = frame.copy()
    for j in range(frame.shape[1]):
        own, other = frame.iloc[:, j], said.iloc[:, j]
        if own.isna().any():
            own = own if own.dtype == other.dtype else own.astype(other.dtype)
            filled.isetitem(j, own.where(own.notna(), other))
    return filled


def _filled_series(own: pl.Series, said: pl.Series) -> pl.Series:
    own = own.fill_nan(None) if own.dtype.is_float() else own
    return own.cast(said.dtype).zip_with(own.is_not_null(), said) if own.null_count() else own
