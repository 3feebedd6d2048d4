"""Text tables from files: any encoding, delimiter and decimal mark, with or without a header, also packed with gzip.

A file of plain numbers is parsed as a stream, in parallel and in bounded memory, into a temporary npy file: when its
first lines say how it is written, and every byte after them agrees. Any other is read whole, which takes more memory
and gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.core.sources import block_dtype
from unmix.io.base.errors import TableError
from unmix.io.base.registry import ending_of
from unmix.io.base.room import all_bytes, fits, refuse_beyond_memory
from unmix.io.in_memory.table import Table
from unmix.io.sources.npy_source import NpySource
from unmix.io.sources.spool import spool
from unmix.io.text.cells import table_decimal_comma
from unmix.io.text.dialect import is_missing, missing_words
from unmix.io.text.encoding import decode
from unmix.io.text.text_table import ROW_NAME, cut, parse

DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
CHUNK, TAIL_BYTES = 2**20, 2**12  # bytes counted at a time, and looked at for blank lines
HEAD_BYTES, HEAD_LINES = 2**18, 700  # more lines than `dialect.sniff` looks at
BATCH_ROWS = 2**14
GZIP = b"\x1f\x8b"
NULL_VALUES = {form for word in missing_words if word for form in (word, word.upper(), word.title())}


def read_text(path: Path) -> Table:
    return read_text_bytes(all_bytes(path), path.name, ending_of(path))


def read_text_bytes(data: bytes, name: str, ending: str = "") -> Table:
    """The table in the bytes of a text file."""
    if not data.strip():
        raise TableError(f"{name} is empty; a table with a header line and at least two rows was expected.")
    text, size = decode(data, name), len(data)
    del data  # as long as the text, which is cut into as much again
    table = parse(text.text, name, DELIMITERS.get(ending))
    warnings = ([text.warning] if text.warning else []) + table.warnings
    return Table(table.frame, name, size, f"{table.how}, {text.encoding}", warnings, table.row_names)


def read_records(path: Path) -> list[tuple[int, list[str]]]:
    """Line number and fields, as they stand, of every record of a text file; the first may hold names."""
    refuse_beyond_memory(path, "text")
    records = cut(decode(all_bytes(path), path.name).text, path.name, DELIMITERS.get(ending_of(path)), words=True)
    return [(line, records.fields(i)) for i, line in enumerate(records.lines)]


def scan_by_head(path: Path) -> pl.LazyFrame | None:
    """The cells as they stand, for a file that memory cannot hold whole; None for one that it can.

    Such a file is read by what its first lines say. A line that does not go on so is refused when it is met.
    """
    if fits(path, "text") or (layout := _layout(path)) is None:
        return None
    return pl.scan_csv(
        path, has_header=False, skip_lines=layout.n_above, separator=layout.delimiter, glob=False,
        schema=dict.fromkeys(layout.names, pl.String), n_rows=_n_rows(path, layout),
    )  # fmt: skip


class Layout(NamedTuple):
    """How a file of plain numbers is written, as far as its first lines say."""

    names: list[str]
    row_names: str | None
    delimiter: str
    decimal_comma: bool
    missing: set[str]  # the words for it that occur
    n_above: int  # lines above the first row
    n_below: int  # blank lines after the last


class Counts(NamedTuple):
    """Lines from the first row on, delimiters in them, and dots."""

    lines: int
    delimiters: int
    dots: int

    def agree(self, rows: int, width: int) -> bool:
        """Whether every line is a row of this width, when none is wider."""
        return self.lines == rows and self.delimiters == (width - 1) * rows and width > 1


class NotPlainError(Exception):
    """A file that does not go on as its first lines begin."""


def open_text(path: Path, dtype: Any = None) -> NpySource | None:
    """Plain numbers as a stream; None for what has to be looked at as a whole."""
    layout = _layout(path)
    if layout is None or (layout.decimal_comma and _count(path, layout).dots):
        return None
    for missing in (layout.missing, layout.missing | NULL_VALUES):  # asking for all words takes longer
        try:
            source = _stream(path, layout._replace(missing=missing), dtype)
        except (pl.exceptions.PolarsError, NotPlainError):
            continue
        if layout.row_names is not None and (layout.names[0] == ROW_NAME or _counts_rows(source)):
            source.leave_out_first()
        return source
    return None


class FirstLines(NamedTuple):
    """The beginning of a file in UTF-8: its table, delimiter, and lines above the first row."""

    table: Table
    delimiter: str
    n_above: int
    any_blank: bool


def first_lines(path: Path) -> FirstLines | None:
    """None for a file in another encoding, and for one whose beginning is no table."""
    start = head_of(path)
    if start is None:
        return None
    try:
        text, prefer = decode(start, path.name), DELIMITERS.get(ending_of(path))
        records, found = cut(text.text, path.name, prefer), parse(text.text, path.name, prefer)
    except TableError:  # told again, with the right line, when the file is read whole
        return None
    if not text.encoding.startswith("UTF-8"):
        return None
    how = f"{found.how}, {text.encoding}"
    table = Table(found.frame, path.name, path.stat().st_size, how, found.warnings, found.row_names)
    return FirstLines(table, records.delimiter, records.lines[int(records.header)] - 1, bool(records.blank))


def _layout(path: Path) -> Layout | None:
    first = first_lines(path)
    if first is None:
        return None
    frame = first.table.frame
    missing = {word for series in frame for word in series.unique().drop_nulls() if is_missing(word)}
    delimiter = first.delimiter or "\x1f"  # stands in no line
    comma, below = table_decimal_comma(frame), blank_below(path)
    return Layout(frame.columns, first.table.row_names, delimiter, comma, missing, first.n_above, below)


def blank_below(path: Path) -> int:
    with path.open("rb") as file:
        file.seek(-min(TAIL_BYTES, path.stat().st_size), 2)
        end = file.read()
    return max(end[len(end.rstrip()) :].count(b"\n") - 1, 0)


def _n_rows(path: Path, layout: Layout) -> int | None:
    """All, unless blank lines follow, which would be rows of missing values."""
    return _count(path, layout).lines if layout.n_below else None


def head_of(path: Path) -> bytes | None:
    """As many whole lines as the dialect is told from, comments aside; None for pipes, packed files, lines of CR."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        data = file.read(HEAD_BYTES)
        while data.count(b"\n") < HEAD_LINES and (more := file.read(HEAD_BYTES)):
            data += more
        whole = not file.read(1)
    if data.startswith(GZIP) or data.count(b"\r") not in (0, data.count(b"\r\n")):
        return None
    return data if whole else data[: data.rfind(b"\n") + 1]


def _stream(path: Path, layout: Layout, dtype: Any) -> NpySource:
    frame = pl.scan_csv(
        path, has_header=False, skip_lines=layout.n_above, separator=layout.delimiter, glob=False,
        schema=dict.fromkeys(layout.names, pl.Float64), decimal_comma=layout.decimal_comma,
        null_values=sorted(layout.missing), n_rows=_n_rows(path, layout),
    )  # fmt: skip
    n_rows = gaps = 0

    def parts() -> Iterator[np.ndarray]:
        nonlocal n_rows, gaps
        for batch in frame.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
            n_rows, gaps = n_rows + batch.height, gaps + sum(series.null_count() for series in batch)
            yield batch.to_numpy(order="c")
        if not n_rows or (gaps and not _count(path, layout).agree(n_rows, len(layout.names))):
            raise NotPlainError  # a line too short, or blank, looks like missing values

    return spool(parts(), len(layout.names), block_dtype(np.float64, dtype), layout.names)


def _count(path: Path, layout: Layout) -> Counts:
    lines = delimiters = dots = 0
    last = b"\n"
    with path.open("rb") as file:
        for _ in range(layout.n_above):
            file.readline()
        while data := file.read(CHUNK):
            codes = np.frombuffer(data, np.uint8)  # where a byte is frequent, faster than bytes.count
            lines += int(np.count_nonzero(codes == ord("\n")))
            delimiters += int(np.count_nonzero(codes == ord(layout.delimiter)))
            dots, last = dots + data.count(b"."), data[-1:]
    return Counts(lines + (last != b"\n") - layout.n_below, delimiters, dots)


def _counts_rows(source: NpySource) -> bool:
    """Whether the first column is 0, 1, 2, … or 1, 2, 3, …"""
    first = source.X[:, 0]
    return bool(first[0] in (0, 1) and np.array_equal(first, first[0] + np.arange(len(first))))
