"""From a path to a table, whole or in blocks: the one way files are read."""

from __future__ import annotations

import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from unmix.core.sources import Source, block_dtype
from unmix.io.matrix import as_matrix
from unmix.io.registry import format_of, formats, reading
from unmix.io.room import read_bounded, refuse_beyond_memory
from unmix.io.sources.spool import spool
from unmix.io.table import Table, as_table
from unmix.io.text_file import read_text_bytes


def read_table(source: Any) -> Table:
    """Read a table from wherever it is: a path, ``"-"`` for standard input, a frame, an array, a dict of columns."""
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


def read_bytes(data: bytes, name: str) -> Table:
    """What came without a name that says what it is: known by its first bytes, else text."""
    for found in formats():
        if found.signature and data.startswith(found.signature):
            with tempfile.TemporaryDirectory(prefix="unmix-") as folder:
                path = Path(folder) / f"data{found.endings[0]}"
                path.write_bytes(data)
                return read_path(path)._replace(name=name)
    return read_text_bytes(data, name)


def open_source(path: str | Path, dtype: Any = None) -> Source:
    """The rows of a file as a matrix of numbers, in blocks where the format can; float32 where all its columns are."""
    path = Path(path)
    found = format_of(path)
    if found.open is not None:
        with reading(path, found.name):
            source = found.open(path, dtype)
        if source is not None:
            return source  # type: ignore[no-any-return]
    return _in_whole(read_path(path), dtype)


def _in_whole(table: Table, dtype: Any) -> Source:
    """A table that had to be read as a whole, written out in turn so that workers can read it too."""
    found = as_matrix(table)
    for note in found.notes:
        if "count as missing" in note:
            warnings.warn(f"{table.name}: {note}", UserWarning, stacklevel=2)
    kind = block_dtype(found.values.dtype, dtype)
    return spool([found.values], found.values.shape[1], kind, found.names)
