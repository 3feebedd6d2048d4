"""Bytes of a text table as text: byte-order mark, then UTF-8, then UTF-16 by its zero bytes, then Windows-1252."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import NamedTuple

from unmix.io.base.errors import TableError
from unmix.io.base.room import read_bounded

# The first bytes of files people give by mistake, and what to do with each.
_foreign = {
    b"PK\x03\x04": "is a zip archive or an Excel workbook; name it .xlsx, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "is an old Excel or Office document; save the sheet as CSV first",
    b"%PDF": "is a PDF document; unmix reads CSV, TSV, Parquet and npy",
    b"\x89PNG": "is a picture; unmix reads CSV, TSV, Parquet and npy",
    b"\xff\xd8\xff": "is a picture; unmix reads CSV, TSV, Parquet and npy",
    b"SQLite format 3": "is an SQLite database; export the table as CSV first",
    b"ARROW1": "is an Arrow file; name it .arrow",
    b"\x89HDF": "is an HDF5 file; save the table as Parquet or CSV first",
}


class Text(NamedTuple):
    """The decoded text, the name of its encoding, and a warning where the encoding was a guess."""

    text: str
    encoding: str
    warning: str | None


def decode(data: bytes, name: str) -> Text:
    """Decode a text table; refuse what is no text in one sentence."""
    if data[:2] == b"\x1f\x8b":
        data = _gunzip(data, name)
    for magic, advice in _foreign.items():
        if data.startswith(magic):
            raise TableError(f"{name} {advice}.")
    if data.startswith(b"\xef\xbb\xbf"):
        return Text(_strict(data[3:], "utf-8", name), "UTF-8 with byte-order mark", None)
    if data[:4] in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        return Text(_strict(data, "utf-32", name), "UTF-32", None)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Text(_strict(data, "utf-16", name), "UTF-16", None)
    if b"\x00" in data[:65536]:
        return _by_zero_bytes(data, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _single_byte(data, error.start, name)
    _refuse_binary(data, name)
    return Text(text, "UTF-8", None)


def _gunzip(data: bytes, name: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            return read_bounded(packed, name)
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(f"{name} starts like a gzip file but cannot be unpacked ({error}).") from None


def _strict(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise TableError(
            f"{name} says by its byte-order mark that it is {encoding.upper()}, but byte {error.start + 1} is not; "
            "save the file again as UTF-8."
        ) from None


def _by_zero_bytes(data: bytes, name: str) -> Text:
    """UTF-16 without its mark: in a table of mostly Latin letters every second byte is zero."""
    head = data[: min(len(data), 4096) // 2 * 2]
    even, odd = (head[start::2].count(0) / max(len(head) // 2, 1) for start in (0, 1))
    guess = "utf-16-le" if odd > 0.7 and even < 0.2 else "utf-16-be" if even > 0.7 and odd < 0.2 else ""
    if guess and len(data) % 2 == 0:
        try:
            return Text(data.decode(guess), "UTF-16", f"{name} has no byte-order mark; it was read as UTF-16.")
        except UnicodeDecodeError:
            pass
    raise TableError(f"{name} is a binary file, not a text table; unmix reads CSV, TSV, Parquet and npy.")


def _single_byte(data: bytes, start: int, name: str) -> Text:
    _refuse_binary(data, name)
    line = data.count(b"\n", 0, start) + 1
    try:
        text, encoding = data.decode("cp1252"), "Windows-1252 (Latin-1)"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "Latin-1"
    warning = f"{name} is not valid UTF-8 (first in line {line}); it was read as {encoding}: check accented letters."
    return Text(text, encoding, warning)


def _refuse_binary(data: bytes, name: str) -> None:
    """Control characters other than tab, line ends and form feed do not occur in text tables."""
    head = data[:65536]
    control = sum(head.count(bytes([code])) for code in range(32) if code not in (9, 10, 12, 13))
    if control > 0.002 * len(head):
        raise TableError(f"{name} is a binary file, not a text table; unmix reads CSV, TSV, Parquet and npy.")
