"""A delimited text as a frame of strings: names from the header, one record a row, uneven records refused by line."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import polars as pl

from unmix.io.base.errors import NoRowsError, TableError
from unmix.io.in_memory.column_names import unique_names
from unmix.io.text.dialect import NONE, WHITE, csv_reader, delimiters, head, is_missing, is_number, sniff, split_white

ROW_NAME = "row name"
SPREADSHEET = re.compile(r'^\ufeff?"?sep=.?"?$')  # a first line that tells a spreadsheet the delimiter
# What begins texts that are no tables, and what to do with each.
NO_TABLES = {
    r"<(!doctype\s+html|html|head|body)\b": "is a web page (HTML), perhaps a login or an error in place of a download; "
    "get the table itself and save it as CSV",
    r"<\?xml\b": "is an XML document; export its table as CSV first",
    r'\{\s*("(?:[^"\\]|\\.)*"\s*:.*\}|\})[ \t]*\r?\n\s*\{': "holds JSON, a record a line; name it .jsonl",
    r'\{\s*("(?:[^"\\]|\\.)*"\s*:|\}\s*$)': "is a JSON document; save its table as CSV, or a record a line as .jsonl",
    r'\[\s*(\{\s*["}]|\[\s*[-\d"\[\]]|\]\s*$)': "is a JSON list; save its table as CSV, or a record a line as .jsonl",
}
COMMENTS = 2**16  # characters at the top in which comments are looked for


class TextTable(NamedTuple):
    """Strings as they stand in the file (None where empty), how they were read, and what the reader should know.

    ``row_names`` is the column that only names or counts the rows, if there is one.
    """

    frame: pl.DataFrame
    how: str
    warnings: list[str]
    row_names: str | None


class Records(NamedTuple):
    """A text cut up: the line each record starts in, its fields (or the line that still holds them), and how."""

    lines: list[int]
    rows: list[Any]
    delimiter: str
    header: bool
    n_comments: int
    blank: list[int]  # numbers of the lines without anything

    def fields(self, i: int) -> list[str]:
        row = self.rows[i]
        if not isinstance(row, str):
            return list(row)
        return row.split(self.delimiter) if self.delimiter else [row]


def parse(text: str, name: str, prefer: str | None = None) -> TextTable:
    """Cut a text into records and fields, and these into columns."""
    cut_up = cut(text, name, prefer)
    names = cut_up.fields(0) if cut_up.header else []
    names[:1] = [name.removeprefix("# ") for name in names[:1]]  # as numpy.savetxt writes it
    body = cut_up._replace(rows=cut_up.rows[1:], lines=cut_up.lines[1:]) if cut_up.header else cut_up
    if not body.rows:
        said = f"{name} holds a header line but no rows; at least one row was expected."
        raise NoRowsError(said, unique_names(names, []))
    named = len(names)
    width = _width(names, body, name)
    comments = f"{cut_up.n_comments} comment line{'s' * (cut_up.n_comments > 1)} skipped."
    warnings = [comments] if cut_up.n_comments else []
    if len(names) > named:
        warnings.append("The header names one column less than the rows have; the first was taken as row name.")
    frame = _with_blank(_frame(body, width), body.lines, _blank_rows(cut_up, body, warnings))
    frame.columns = unique_names(names or [""] * width, warnings)
    header = "names in the first line" if cut_up.header else "no header line, so columns are numbered"
    row_names = row_names_of(names, frame.columns, frame.to_series(0))
    return TextTable(frame, f"{delimiters[cut_up.delimiter]}-separated, {header}", warnings, row_names)


def cut(text: str, name: str, prefer: str | None = None, *, words: bool = False) -> Records:
    """The records of a text, comments left out, blank lines told; ``words`` may be parted by white space alone."""
    n_comments = _comments_on_top(re.sub("\r\n?", "\n", text[:COMMENTS]))
    for _ in range(n_comments):
        text = re.split("\r\n|\r|\n", text, maxsplit=1)[1]
    if not text.strip():
        raise TableError(f"{name} is empty; a table with a header line and at least two rows was expected.")
    refuse_documents(text[:COMMENTS], name)
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    dialect = sniff(plain, prefer, words=words)
    if '"' in text and dialect.delimiter != WHITE:  # line ends within quotation marks stay as they are
        lines, rows, blank = _quoted_records(text, dialect.delimiter, name, n_comments + 1)
    else:
        lines, rows, blank = _plain_records(plain, dialect.delimiter, n_comments + 1)
    if not rows:
        raise TableError(f"{name} holds nothing but empty fields; a table with names and rows was expected.")
    return _without_trailing(_without_comments(Records(lines, rows, *dialect, n_comments, blank)))


def refuse_documents(start: str, name: str) -> None:
    """Pages and JSON are text too, and would be cut into odd columns."""
    start = start.lstrip("\ufeff \t\r\n")
    for pattern, words in NO_TABLES.items():
        if re.match(pattern, start, re.IGNORECASE):
            raise TableError(f"{name} {words}.")


def _comments_on_top(text: str) -> int:
    """Lines that start with # above the table, unless the last is how its header starts."""
    lines, n = text.split("\n", 200), 0
    while n < len(lines) - 1 and (lines[n].startswith("#") or (n == 0 and SPREADSHEET.match(lines[0]))):
        n += 1
    cuts = [max(line.count(mark) for mark in delimiters if mark not in (WHITE, NONE)) for line in lines[: n + 1]]
    is_header = (
        n > 0
        and lines[n - 1].startswith("#")
        and cuts[n - 1] == cuts[n] > 0
        and not _names_itself("\n".join(lines[n:]), lines[n - 1])
    )
    return n - is_header


def _names_itself(text: str, comment: str) -> bool:
    """Whether the table below a comment has a header of its own: words over numbers, or any where it reads "# …"."""
    found = sniff(text)
    below = head(text, found.delimiter)[1:]
    return found.header and (comment.startswith("# ") or any(is_number(cell) for record in below for cell in record))


def _blank_rows(cut_up: Records, body: Records, warnings: list[str]) -> list[int]:
    """Lines without anything between two rows: rows of missing values, unless they stand between all lines."""
    inside = [line for line in cut_up.blank if body.lines[0] < line < body.lines[-1]]
    if not inside:
        return []
    apart = min(_gaps(cut_up.lines)) > 1 or (len(body.lines) > 2 and set(_gaps(body.lines)) == {2})  # below a header
    lines = f"{len(inside)} empty line{'s' * (len(inside) > 1)}"
    if apart:
        warnings.append(f"{lines} skipped: every second line of the file is empty.")
        return []
    verb = "is a row" if len(inside) == 1 else "are rows"
    warnings.append(f"{lines} (first: line {inside[0]}) {verb} of missing values.")
    return inside


def _gaps(lines: list[int]) -> list[int]:
    return [below - above for above, below in pairwise(lines)]


def _with_blank(frame: pl.DataFrame, lines: list[int], blank: list[int]) -> pl.DataFrame:
    """The frame with a row of missing values for each blank line, in its place."""
    if not blank:
        return frame
    order = sorted([(line, i) for i, line in enumerate(lines)] + [(line, None) for line in blank], key=lambda at: at[0])
    return frame.select(pl.all().gather(pl.Series([i for _, i in order], dtype=pl.UInt32)))


def _plain_records(text: str, delimiter: str, first_line: int) -> tuple[list[int], list[Any], list[int]]:
    """Without quotation marks a record is left as a line, which is fast."""
    kept = [(i, line) for i, line in enumerate(text.split("\n"), first_line) if line.strip(" ")]
    rows = [split_white(line) if delimiter == WHITE else line for _, line in kept]
    lines = [i for i, _ in kept]
    blank = sorted(set(range(lines[0], lines[-1])).difference(lines)) if lines[-1] - lines[0] >= len(lines) else []
    return lines, rows, blank


def _quoted_records(text: str, delimiter: str, name: str, first_line: int) -> tuple[list[int], list[Any], list[int]]:
    try:
        pairs = list(_csv_records(text, delimiter or "\x00", first_line))
    except csv.Error as error:
        raise TableError(f'{name} has a broken quotation mark: {error}; quote fields as "…" and close each.') from None
    kept = [(i, record) for i, record in pairs if len(record) > 1 or (record and record[0].strip())]
    blank = [i for i, record in pairs if not (len(record) > 1 or (record and record[0].strip()))]
    return [i for i, _ in kept], [record for _, record in kept], blank


def _csv_records(text: str, delimiter: str, first_line: int) -> Iterator[tuple[int, list[str]]]:
    reader = csv_reader(io.StringIO(text, newline=""), delimiter, strict=True)
    start = first_line
    try:
        for record in reader:
            yield start, record
            start = first_line + reader.line_num
    except csv.Error as error:
        raise csv.Error(f"record starting in line {start}, {error}") from None


def _without_comments(records: Records) -> Records:
    """Drop later records that start with #, where a first column of numbers or their width says they are comments."""
    marked = [i for i in range(1, len(records.rows)) if _first(records.rows[i]) == "#"]
    marked = [i for i in marked if not is_missing(records.fields(i)[0])]  # as #N/A is
    if not marked or 2 * len(marked) > len(records.rows):
        return records
    width = _widths(records).most_common(1)[0][0]
    others = [i for i in range(int(records.header), len(records.rows)) if i not in set(marked)]
    numbered = all(is_number(records.fields(i)[0]) for i in others[:200])
    drop = {i for i in marked if numbered or len(records.fields(i)) != width}
    keep = [i for i in range(len(records.rows)) if i not in drop]
    lines, rows = [records.lines[i] for i in keep], [records.rows[i] for i in keep]
    return records._replace(lines=lines, rows=rows, n_comments=records.n_comments + len(drop))


def _first(row: Any) -> str:
    return row[:1] if isinstance(row, str) else row[0][:1]


def _widths(records: Records) -> Counter[int]:
    if records.rows and isinstance(records.rows[0], str):
        mark = records.delimiter
        return Counter(row.count(mark) + 1 if mark else 1 for row in records.rows)
    return Counter(map(len, records.rows))


def _without_trailing(records: Records) -> Records:
    """Take off the delimiter that ends every line, and that the header may leave out."""
    mark, body = records.delimiter, records.rows[1:] or records.rows
    if mark in (NONE, WHITE):
        return records
    if isinstance(body[0], str):
        ended = all(row.endswith(mark) for row in body)
    else:
        ended = all(len(row) > 1 and not row[-1] for row in body)
    first, usual = records.fields(0), len(records.fields(len(records.rows) - 1))
    if not ended or (first[-1].strip() and len(first) >= usual):
        return records
    rows = [row[:-1] for row in body]
    if len(records.rows) == 1:
        return records._replace(rows=rows)
    names = records.rows[0][:-1] if not first[-1].strip() else records.rows[0]
    return records._replace(rows=[names, *rows])


def _width(names: list[str], body: Records, name: str) -> int:
    """Fields a record must have; the first record that differs is named by its line."""
    widths = _widths(body)
    expected = len(names) or widths.most_common(1)[0][0]
    if names and set(widths) == {expected + 1}:
        names.insert(0, ROW_NAME)  # as R writes tables: the header leaves out the column of row names
        expected += 1
    if set(widths) <= {expected}:
        return expected
    for i, line in enumerate(body.lines):
        width = len(body.fields(i))
        if width != expected:
            raise TableError(
                f"{name}, line {line}, has {width} field{'s' * (width != 1)} where {expected} "
                f"{'are' if expected != 1 else 'is'} expected (separator: {delimiters[body.delimiter]}); "
                "repair that line, or quote the field that contains the separator."
            )
    return expected


def _frame(body: Records, width: int) -> pl.DataFrame:
    schema = {f"{j}": pl.String for j in range(width)}
    if body.delimiter and isinstance(body.rows[0], str):
        data = "\n".join(body.rows).encode()
        return pl.read_csv(io.BytesIO(data), separator=body.delimiter, has_header=False, schema=schema, quote_char=None)
    records = [[row] for row in body.rows] if isinstance(body.rows[0], str) else body.rows
    columns = ([record[j] or None for record in records] for j in range(width))
    return pl.DataFrame({f"{j}": column for j, column in enumerate(columns)}, schema=schema)


def row_names_of(given: list[str], names: list[str], first: pl.Series) -> str | None:
    """The first column if it only names the rows: R's row names, or one without a title that counts or labels them."""
    if len(given) < 2 or (given[0].strip() and given[0] != ROW_NAME):
        return None
    if given[0] == ROW_NAME:
        return names[0]
    counts = first.cast(pl.Float64, strict=False)
    if counts.null_count() == len(first) == first.n_unique():
        return names[0]
    start = counts[0]
    in_order = counts.null_count() == 0 and start in (0.0, 1.0)
    return names[0] if in_order and (counts - start).equals(pl.Series(range(len(first)), dtype=pl.Float64)) else None
