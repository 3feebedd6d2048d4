"""The rows of many files as they are, of any kind, in batches of frames: what `explore` and `assign` go through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl

from unmix.io.base.registry import format_of, reading
from unmix.io.data_set.facts import Facts, check_unchanged, scanned_columns
from unmix.io.data_set.partition import PartitionColumn


def frame_of(
    file: Facts,
    place: int,
    names: list[str],
    partitions: list[PartitionColumn],
    start: int = 0,
    stop: int | None = None,
) -> pl.DataFrame:
    """Rows of one file with the columns that its folders give; ``place`` is its number among all files."""
    from unmix.io.read import read_path

    check_unchanged(file.path, file.stamp)
    stop = file.n_rows if stop is None else stop
    own = [name for name in names if name in file.names]
    frame = scanned_columns(file.path)
    if frame is None and not file.n_rows:  # a header and nothing below
        rows = pl.DataFrame(schema=dict.fromkeys(own, pl.String))
    elif frame is None:
        rows = read_path(file.path).frame.select(own)[start:stop]
    else:
        with reading(file.path, format_of(file.path).name):
            rows = _as_in_all(frame.select(own).slice(start, stop - start).collect(), file)
    if not own:  # a selection of no columns has no rows
        rows = pl.DataFrame({names[0]: pl.Series([None] * (stop - start))}) if names else rows
    given = [column for column in partitions if column.name in names]
    return rows.with_columns(_constant(column, place) for column in given).select(names)


def _as_in_all(rows: pl.DataFrame, file: Facts) -> pl.DataFrame:
    """Numbers of the type that they have in all files together: 2 and 2.0 are one level."""
    kinds = dict(zip(file.names, file.kinds))
    other = [name for name, kind in rows.schema.items() if kind.is_numeric() and str(kind) != kinds[name]]
    return rows.cast({name: getattr(pl, kinds[name]) for name in other}) if other else rows


def _constant(column: PartitionColumn, place: int) -> pl.Expr:
    return pl.lit(column.values[place], dtype=getattr(pl, column.kind)).alias(column.name)


def rebatched(frames: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """The same rows in batches of ``size``, the last one shorter, however they came."""
    held: list[pl.DataFrame] = []
    count = 0
    for frame in frames:
        held.append(frame)
        count += frame.height
        while count >= size:
            joined = pl.concat(held, how="vertical_relaxed")
            yield joined[:size]
            held, count = [joined[size:]], count - size
    if count:
        yield pl.concat(held, how="vertical_relaxed")


def taken_of(file: Facts, place: int, names: list[str], partitions: list[Any], wanted: np.ndarray) -> pl.DataFrame:
    """Some rows of one file, by their number in it."""
    return frame_of(file, place, names, partitions)[wanted]
