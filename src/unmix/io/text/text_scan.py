"""Large text tables in place: their rows are taken in batches, as strings, where the file goes on as it begins.

One pass over the bytes tells whether every line has as many fields as the first lines, in UTF-8 and with the same line
ends; and the first lines must come out as they do when a file is read whole. Any other file is read whole; if memory
cannot hold it so, by what its first lines say.
"""

from __future__ import annotations

import codecs
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

from unmix.io.in_memory.table import Table
from unmix.io.text.dialect import WHITE
from unmix.io.text.text_file import CHUNK, FirstLines, blank_below, first_lines, scan_by_head

LEAST_BYTES = 2**25  # a smaller file is read whole: that takes half a second
IN_BATCHES = (
    "The file is too large to be read whole in the memory that is free: it was read in batches, by what its first "
    "lines say of its separator and names."
)


def scan_text(path: Path) -> pl.LazyFrame | None:
    """The cells of a file as they stand; None for one that has to be, and can be, read as a whole."""
    found = scan_in_place(path)
    return scan_by_head(path) if found is None else found


def head_of_text(path: Path) -> Table:
    """What is known of a file that `scan_text` takes, without its rows."""
    head = _head(path)
    if head is not None and scan_in_place(path) is not None:
        return head.table._replace(frame=pl.DataFrame())
    return Table(pl.DataFrame(), path.name, path.stat().st_size, "text", [IN_BATCHES])


def scan_in_place(path: Path) -> pl.LazyFrame | None:
    """The cells of a large file that goes on as it begins."""
    if not path.is_file() or path.stat().st_size < LEAST_BYTES:
        return None
    head = _head(path)
    n_rows = None if head is None else _even_rows(path, head.delimiter, head.n_above, head.table.frame.width)
    if head is None or n_rows is None:
        return None
    names = head.table.frame.columns
    lazy = pl.scan_csv(
        path, has_header=False, skip_lines=head.n_above, separator=head.delimiter, glob=False,
        schema=dict.fromkeys(names, pl.String), n_rows=n_rows,
    )  # fmt: skip
    lazy = lazy.with_columns(pl.when(pl.col(name) != "").then(pl.col(name)).alias(name) for name in names)
    try:
        same = lazy.head(head.table.frame.height).collect().equals(head.table.frame)
    except pl.exceptions.PolarsError:
        return None
    return lazy if same else None


def _head(path: Path) -> FirstLines | None:
    first = first_lines(path)
    if first is None or first.delimiter == WHITE or first.table.frame.width < 2 or first.any_blank:
        return None
    return first


def _even_rows(path: Path, delimiter: str, n_above: int, width: int) -> int | None:
    """How many rows there are, where each has as many fields as there are names, if none has more; else None."""
    written = path.stat()
    return _counted(path, delimiter, n_above, width, (written.st_size, written.st_mtime_ns))


@lru_cache(maxsize=1)
def _counted(path: Path, delimiter: str, n_above: int, width: int, written: tuple[int, int]) -> int | None:
    lines = delimiters = quotes = 0
    text = codecs.getincrementaldecoder("utf-8")()
    last = b"\n"
    with path.open("rb") as file:
        for _ in range(n_above):
            file.readline()
        while data := file.read(CHUNK):
            data += file.read(1) if data.endswith(b"\r") else b""
            try:
                text.decode(data)
            except UnicodeDecodeError:
                return None
            if data.count(b"\r") != data.count(b"\r\n"):
                return None
            outside, quotes = _outside(data, quotes)
            lines += int(np.count_nonzero(outside == ord("\n")))
            delimiters += int(np.count_nonzero(outside == ord(delimiter)))
            last = data[-1:]
    rows = lines + (last != b"\n") - blank_below(path)
    return rows if delimiters == (width - 1) * rows and quotes == 0 else None


def _outside(data: bytes, quotes: int) -> tuple[np.ndarray, int]:
    """The bytes outside quotation marks, of which `quotes` (0 or 1) are open before and the second answer after."""
    codes = np.frombuffer(data, np.uint8)
    if ord('"') not in data:
        return (codes[:0] if quotes else codes), quotes
    inside = np.cumsum(codes == ord('"'), dtype=np.uint8) + np.uint8(quotes)  # only whether it is odd counts
    return codes[inside & 1 == 0], int(inside[-1] & 1)
