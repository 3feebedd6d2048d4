"""A delimited text as a frame of strings: names from the header, one record a row, uneven records refused by line."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from unmix.io.dialect import delimiters, sniff
from unmix.io.errors import TableError


class TextTable(NamedTuple):
    """Strings as they stand in the file (None where empty), how they were read, and what the reader should know."""

    frame: pl.DataFrame
    how: str
    warnings: list[str]


def parse(text: str, name: str, prefer: str | None = None) -> TextTable:
    """Cut a text into records and fields."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, n_comments = _without_comments(text)
    if not text.strip():
        raise TableError(f"{name} is empty; a table with a header line and at least two rows was expected.")
    dialect = sniff(text, prefer)
    lines, records = _records(text, dialect.delimiter, name, first_line=n_comments + 1)
    names = records.pop(0) if dialect.header else []
    n_named = len(names)
    width = _width(names, records, lines[1:] if dialect.header else lines, name, dialect.delimiter)
    if not records:
        raise TableError(f"{name} holds a header line but no rows; at least two rows were expected.")
    warnings = [f"{n_comments} comment lines at the top were skipped."] if n_comments else []
    if len(names) > n_named:
        warnings.append("The header names one column less than the rows have; the first was taken as row name.")
    frame = _frame(records, width, dialect.delimiter)
    frame.columns = unique_names(names or [""] * width, warnings)
    header = "names in the first line" if dialect.header else "no header line, so columns are numbered"
    return TextTable(frame, f"{delimiters[dialect.delimiter]}-separated, {header}", warnings)


def _without_comments(text: str) -> tuple[str, int]:
    """Drop lines that start with # above the table, unless that is how its header starts."""
    lines, n = text.split("\n", 20), 0
    while n < len(lines) - 1 and lines[n].startswith("#"):
        n += 1
    cuts = [max(line.count(d) for d in delimiters) for line in lines[: n + 1]]
    if n == 0 or (cuts[n - 1] == cuts[n] > 0):
        return text, 0
    return text.split("\n", n)[n], n


def _records(text: str, delimiter: str, name: str, first_line: int) -> tuple[list[int], list]:
    """Line number and fields of each record; without quotation marks a record is left as a line, which is fast."""
    if '"' not in text:
        kept = [(i, line) for i, line in enumerate(text.split("\n"), first_line) if line.strip(" ")]
        records: list = [line for _, line in kept]
        return [i for i, _ in kept], [records[0].split(delimiter), *records[1:]]
    try:
        pairs = list(_quoted(text, delimiter, first_line))
    except csv.Error as error:
        raise TableError(f'{name} has a broken quotation mark: {error}; quote fields as "…" and close each.') from None
    return [i for i, _ in pairs], [record for _, record in pairs]


def _quoted(text: str, delimiter: str, first_line: int) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(1 << 30)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start = first_line
    try:
        for record in reader:
            if record and (len(record) > 1 or record[0].strip()):
                yield start, record
            start = first_line + reader.line_num
    except csv.Error as error:
        raise csv.Error(f"record starting in line {start}, {error}") from None


def _width(names: list[str], records: list, lines: list[int], name: str, delimiter: str) -> int:
    """Fields a record must have; the first record that differs is named by its line."""
    widths = [record.count(delimiter) + 1 if isinstance(record, str) else len(record) for record in records]
    expected = len(names) or Counter(widths).most_common(1)[0][0]
    if names and widths and set(widths) == {expected + 1}:
        names.insert(0, "row name")  # as R writes tables: the header leaves out the column of row names
        expected += 1
    for line, width in zip(lines, widths):
        if width != expected:
            raise TableError(
                f"{name}, line {line}, has {width} field{'s' * (width != 1)} where {expected} "
                f"{'are' if expected != 1 else 'is'} expected (separator: {delimiters[delimiter]}); "
                "repair that line, or quote the field that contains the separator."
            )
    return expected


def _frame(records: list, width: int, delimiter: str) -> pl.DataFrame:
    schema = {f"{j}": pl.String for j in range(width)}
    if isinstance(records[-1], str):
        lines = [delimiter.join(record) if isinstance(record, list) else record for record in records]
        return pl.read_csv(
            io.BytesIO("\n".join(lines).encode()), separator=delimiter, has_header=False, schema=schema, quote_char=None
        )
    columns = ([record[j] or None for record in records] for j in range(width))
    return pl.DataFrame({f"{j}": column for j, column in enumerate(columns)}, schema=schema)


def unique_names(names: list[str], warnings: list[str]) -> list[str]:
    """Every column gets a name of its own: empty ones are numbered, repeated ones get (2), (3) …, and that is said."""
    result: list[str] = []
    seen: Counter[str] = Counter()
    taken = set(names)
    for j, given in enumerate(names):
        base = given if given.strip() else f"column {j + 1}"
        unique = base
        while unique in seen or (unique != base and unique in taken):
            seen[base] += 1
            unique = f"{base} ({seen[base]})"
        seen[unique] += 1
        result.append(unique)
    repeated = [(given, unique) for given, unique in zip(names, result) if given.strip() and given != unique]
    if repeated:
        said = ", ".join(f"{given!r} → {unique!r}" for given, unique in repeated[:5])
        warnings.append(f"Column names occur more than once; the later ones were renamed: {said}.")
    return result
