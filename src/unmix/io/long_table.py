"""A table of very many rows: some of them, drawn at random, to look at, and all of them in batches, to go through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.io.base.registry import format_of, reading
from unmix.io.given import as_data_set, is_many
from unmix.io.in_memory.table import Table, from_array
from unmix.io.read import read_files, read_table

BATCH_ROWS = 2**16


class LongTable(NamedTuple):
    """`sample` holds the rows of these numbers, from 0 and in order; `batches` goes through the frame from its top."""

    sample: Table
    rows: np.ndarray
    height: int
    batches: Callable[[], Iterator[pl.DataFrame]]
    files: Any = None  # the `DataSet`, where the rows are in many files, or read by the workers of a cluster

    @property
    def is_whole(self) -> bool:
        return len(self.rows) == self.height


def read_rows(source: Any, most: int, rng: np.random.Generator) -> LongTable:
    """All rows of a table, or `most` of them drawn at random where it has more; those of a file are not loaded then."""
    if is_many(source):
        return _rows_of_files(as_data_set(source), most, rng)
    with _told(source):  # what is scanned is opened when its rows are counted
        content = _scanned(source)
        in_place = content is not None and _height(content) > most
    table = _described(source) if in_place else read_table(source)
    content = content if in_place else table.frame
    height = _height(content)
    if height <= most:
        return LongTable(table, np.arange(height), height, partial(_batches, content, source))
    rows = np.sort(rng.choice(height, most, replace=False))
    sample = table._replace(frame=_taken(partial(_batches, content, source), rows))
    return LongTable(sample, rows, height, partial(_batches, content, source))


def _rows_of_files(data: Any, most: int, rng: np.random.Generator) -> LongTable:
    """Of files in a cluster's reach, the rows to look at are taken by its workers."""
    height = data.shape[0]
    if height <= most:
        table = read_files(data)
        return LongTable(table, np.arange(height), height, partial(_batches, table.frame, table), data)
    rows = np.sort(rng.choice(height, most, replace=False))
    sample = Table(data.take(rows), data.name, data.bytes, data.how(), list(data.listing.warnings), data.row_names)
    return LongTable(sample, rows, height, partial(_batches, data, data), data)


def _scanned(source: Any) -> Any:
    """What rows can be taken from without a copy of the whole; None for what has to be read first."""
    if isinstance(source, str | Path) and str(source) != "-":
        scan = format_of(Path(source)).scan
        return None if scan is None else scan(Path(source))
    plain = isinstance(source, np.ndarray) and source.dtype.kind in "fiub" and source.ndim in (1, 2)
    return source if plain or isinstance(source, pl.LazyFrame) else None


def _told(source: Any) -> AbstractContextManager[None]:
    """What fails while a file is read, in one sentence."""
    if not isinstance(source, str | Path) or str(source) == "-":
        return nullcontext()
    return reading(Path(source), format_of(Path(source)).name)


def _described(source: Any) -> Table:
    """A table without its frame: what it is called and where it comes from."""
    if isinstance(source, str | Path):
        path, found = Path(source), format_of(Path(source))
        if found.head is not None:
            return found.head(path)  # type: ignore[no-any-return]
        return Table(pl.DataFrame(), path.name, path.stat().st_size if path.is_file() else None, found.name)
    kind = "a polars frame" if isinstance(source, pl.LazyFrame) else "an array"
    return Table(pl.DataFrame(), how=f"{kind} in memory")


def _height(content: Any) -> int:
    return int(content.select(pl.len()).collect().item()) if isinstance(content, pl.LazyFrame) else len(content)


def _batches(content: Any, source: Any) -> Iterator[pl.DataFrame]:
    with _told(source):
        if isinstance(content, pl.LazyFrame):
            yield from content.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True)
        elif is_many(content):
            yield from content.batches(BATCH_ROWS)
        elif isinstance(content, pl.DataFrame):
            yield from content.iter_slices(BATCH_ROWS)
        else:
            for start in range(0, len(content), BATCH_ROWS):
                yield from_array(np.asarray(content[start : start + BATCH_ROWS]), "table", "").frame


def _taken(batches: Callable[[], Iterator[pl.DataFrame]], rows: np.ndarray) -> pl.DataFrame:
    """The rows of these numbers, in order."""
    parts, start = [], 0
    for batch in batches():
        inside = rows[np.searchsorted(rows, start) : np.searchsorted(rows, start + batch.height)] - start
        parts.append(batch[inside])
        start += batch.height
    return pl.concat(parts)
