"""From a path to a table, whole or in blocks: the one way files are read."""

from __future__ import annotations

import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from unmix.core.sources import Source, block_dtype
from unmix.io.base.registry import format_of, formats, reading
from unmix.io.base.room import read_bounded, refuse_beyond_memory, refuse_rows_beyond_memory
from unmix.io.given import as_data_set, is_many
from unmix.io.in_memory.table import Table, as_table
from unmix.io.matrix import as_matrix
from unmix.io.sources.spool import spool
from unmix.io.text.text_file import read_text_bytes

ROWS_TRIED = 1000  # in which text that is no number shows


def read_table(source: Any) -> Table:
    """Read a table from wherever it is: a path, a folder, ``"-"``, a frame, an array, a dict of columns."""
    if is_many(source):
        return read_files(source)
    if not isinstance(source, str | Path):
        return as_table(source)
    if str(source) == "-":
        return read_bytes(read_bounded(sys.stdin.buffer, "Standard input"), "standard input")
    return read_path(Path(source))


def read_path(path: Path) -> Table:
    """All of a file, as its format says."""
    found = format_of(path)
    with reading(path, found.name):
        refuse_beyond_memory(path, found.name, found.scan)
        content = found.read(path)
        table = as_table(content)
    how = table.how if isinstance(content, Table) and table.how else found.name
    size = path.stat().st_size if path.is_file() else None
    return table._replace(name=path.name, bytes=size if table.bytes is None else table.bytes, how=how)


def read_files(source: Any) -> Table:
    """All rows of a folder, a pattern or a list of paths, one below the other."""
    import polars as pl

    data = as_data_set(source)
    refuse_rows_beyond_memory(data)
    frame = pl.concat(data.batches(), how="vertical_relaxed")
    return Table(frame, data.name, data.bytes, data.how(), list(data.listing.warnings), data.row_names)


def read_bytes(data: bytes, name: str) -> Table:
    """What came without a name that says what it is: known by its first bytes, else text."""
    for found in formats():
        if found.signature and data.startswith(found.signature):
            with tempfile.TemporaryDirectory(prefix="unmix-") as folder:
                path = Path(folder) / f"data{found.endings[0]}"
                path.write_bytes(data)
                return read_path(path)._replace(name=name)
    return read_text_bytes(data, name)


def open_source(path: Any, dtype: Any = None) -> Source:
    """The rows of a file, or of a folder, a pattern or a list of files, as a matrix of numbers; float32 where all are.

    They are read in blocks where the format can.
    """
    if is_many(path):
        return _open_files(path, dtype)
    path = Path(path)
    found = format_of(path)
    if found.open is not None:
        with reading(path, found.name):
            source = found.open(path, dtype)
        if source is not None:
            return source  # type: ignore[no-any-return]
    return in_whole(read_path(path), dtype)


def _open_files(source: Any, dtype: Any) -> Source:
    data = as_data_set(source)
    opened = data.open(dtype)
    if opened is not None:
        return opened
    as_matrix(Table(next(data.batches())[:ROWS_TRIED], data.name))  # refuses words before all rows are read for nothing
    return in_whole(read_files(data), dtype)


def in_whole(table: Table, dtype: Any = None) -> Source:
    """A table that had to be read as a whole, written out in turn so that workers can read it too."""
    found = as_matrix(table)
    for note in found.notes:
        if "count as missing" in note:
            warnings.warn(f"{table.name}: {note}", UserWarning, stacklevel=2)
    kind = block_dtype(found.values.dtype, dtype)
    return spool([found.values], found.values.shape[1], kind, found.names)
