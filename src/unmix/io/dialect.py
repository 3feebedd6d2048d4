"""How a text table is written: which character separates the fields, and whether the first line names the columns."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import islice, pairwise
from typing import NamedTuple

delimiters = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
_number = re.compile(
    r"[+-]?(\d+([.,]\d*)?|[.,]\d+"
    r"|\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}([.' \u00a0\u202f\u2019]\d{3})+(,\d*)?)([eE][+-]?\d+)?%?"
)
missing_words = frozenset(
    ["", "na", "n/a", "nan", "null", "none", "nil", "#n/a", "#na", "?", "-", "--", ".", "missing", "<na>", "(null)"]
)


class Dialect(NamedTuple):
    """Delimiter, and whether the first record holds names."""

    delimiter: str
    header: bool


def is_number(cell: str) -> bool:
    return _number.fullmatch(cell.strip()) is not None


def is_missing(cell: str) -> bool:
    return cell.strip().lower() in missing_words


def sniff(text: str, prefer: str | None = None) -> Dialect:
    """The delimiter that cuts the first 200 records most evenly, and then most often into numbers."""
    best, best_score = prefer or ",", (0.0, 0.0, 0.0, 0)
    for delimiter in sorted(delimiters, key=lambda d: d != prefer):
        score = _evenness(_head(text, delimiter))
        if score > best_score:
            best, best_score = delimiter, score
    return Dialect(best, has_header(_head(text, best)))


def _head(text: str, delimiter: str) -> list[list[str]]:
    lines = (line for line in islice(_lines(text), 400) if line.strip())
    try:
        return list(islice(csv.reader(lines, delimiter=delimiter), 200))
    except csv.Error:  # a field longer than the csv module allows
        return []


def _lines(text: str):
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _evenness(records: list[list[str]]) -> tuple[float, float, float, int]:
    """(does it cut at all, share of records with the usual number of fields, share of numbers, that number)."""
    if not records:
        return (0.0, 0.0, 0.0, 0)
    width, count = Counter(map(len, records)).most_common(1)[0]
    if width == 1:
        return (0.0, 0.0, 0.0, 0)
    cells = [cell for record in records for cell in record]
    numbers = sum(map(is_number, cells)) / len(cells)
    return (1.0, round(count / len(records), 2), round(numbers, 2), width)


def has_header(records: list[list[str]]) -> bool:
    """False if the first record holds a number where the column below holds numbers too; years may be names."""
    if len(records) < 2:
        return not records or not any(map(is_number, records[0]))
    first, below = records[0], records[1:]
    if len(first) < Counter(map(len, below)).most_common(1)[0][0]:
        return not any(map(is_number, first))
    numbers = [j for j, cell in enumerate(first) if is_number(cell) and _mostly_numbers(below, j)]
    return not numbers or _counts_up([first[j] for j in numbers], pure=len(numbers) == len(first))


def _mostly_numbers(records: list[list[str]], j: int) -> bool:
    cells = [record[j] for record in records if j < len(record) and not is_missing(record[j])]
    return bool(cells) and sum(map(is_number, cells)) >= 0.8 * len(cells)


def _counts_up(cells: list[str], *, pure: bool) -> bool:
    """Names such as 2007, 2008, 2009 beside a text column, or 0, 1, 2 … over a bare matrix."""
    if len(cells) < 3 or not all(cell.strip().isdigit() for cell in cells):
        return False
    values = [int(cell) for cell in cells]
    steps = {b - a for a, b in pairwise(values)}
    return steps == {1} and (values[0] == 0 if pure else 1000 <= values[0] <= 2200)
