"""How a text table is written: which character separates the fields, and whether the first line names the columns."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any, NamedTuple

WHITE, NONE = " ", ""  # runs of white space; no delimiter, one column
delimiters = {
    ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", "~": "tilde", "^": "caret", "\x1f": "unit separator",
    WHITE: "space", NONE: "line",
}  # fmt: skip
_marks = [mark for mark in delimiters if mark not in (WHITE, NONE)]
_number = re.compile(
    r"\(?[+\u2212-]?[$€£¥]?(\d+([.,]\d*)?|[.,]\d+"
    r"|\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}([.' \u00a0\u202f\u2019]\d{3})+(,\d*)?)([eE][+-]?\d+)?\s?[%$€£¥]?\)?"
)
_date = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}([T ]\d{1,2}:\d{2}.*)?")
_decimal_comma = re.compile(r"[+-]?\d+,\d+")
missing_words = frozenset(
    [
        "", "na", "n/a", "n.a.", "n.a", "nan", "null", "none", "nil", "?", "-", "--", "\u2013", "\u2014", ".", "..",
        "...", "…", "*", "missing", "unknown", "unk", "undefined", "not available", "not known", "not applicable",
        "no data", "n.d.", "k.a.", "k. a.", "tbd", "nat", "<na>", "(null)", "\\n", "#n/a", "#na", "#div/0!", "#value!",
        "#ref!", "#num!", "#name?", "#null!", "#error!", "#spill!", "#calc!", "1.#qnan", "-1.#qnan", "1.#ind",
        "-1.#ind",
        *("#" * width for width in range(3, 13)),  # a number wider than the column of a spreadsheet
    ]
)  # fmt: skip
# What stands for no and yes, in pairs.
truth_words = (("false", "true"), ("no", "yes"), ("n", "y"), ("f", "t"), ("off", "on"))
_truth = {word for pair in truth_words for word in pair}


class Dialect(NamedTuple):
    """Delimiter, and whether the first record holds names."""

    delimiter: str
    header: bool


def is_number(cell: str) -> bool:
    return _number.fullmatch(cell.strip()) is not None


def is_missing(cell: str) -> bool:
    return cell.strip().lower() in missing_words


def sniff(text: str, prefer: str | None = None, *, words: bool = False) -> Dialect:
    """The delimiter that cuts the first 200 records most evenly, and then most often into numbers.

    White space counts only where it cuts a table of numbers, or with ``words`` where nothing else cuts: people's names
    and sentences hold spaces too.
    """
    best, best_score = NONE, (0.0, 0.0, 0.0, 0)
    for delimiter in sorted(_marks, key=lambda mark: mark != prefer):
        score = _evenness(head(text, delimiter))
        if score > best_score:
            best, best_score = delimiter, score
    if best == "," and _is_decimal_column(head(text, best)):
        best, best_score = NONE, (0.0, 0.0, 0.0, 0)
    spaced, even = head(text, WHITE), best not in (",", NONE) and best_score[1] == 1  # a comma may be decimal
    if (words and best_score[1] <= 0.5) or (_is_spaced(spaced, head(text, NONE)) and not even):
        best = WHITE if _evenness(spaced) > best_score else best
    return Dialect(best, has_header(head(text, best)))


def head(text: str, delimiter: str) -> list[list[str]]:
    """The first 200 records."""
    lines = (line for line in islice(_lines(text), 400) if line.strip())
    if delimiter in (WHITE, NONE):
        return [split_white(line) if delimiter else [line.strip('"')] for line in islice(lines, 200)]
    return list(islice(csv_reader(lines, delimiter), 200))


def csv_reader(lines: Iterable[str], delimiter: str, *, strict: bool = False) -> Any:
    """Quotation marks as the csv module reads them, in fields of any length."""
    csv.field_size_limit(1 << 30)  # of the whole process: must not depend on who came first
    return csv.reader(lines, delimiter=delimiter, strict=strict)


def _lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def split_white(line: str) -> list[str]:
    """Fields between runs of white space; quotation marks keep one together."""
    if '"' not in line:
        return line.split()
    found = re.findall(r'(?<!\S)"((?:[^"]|"")*)"(?!\S)|(\S+)', line)
    return [plain or quoted.replace('""', '"') for quoted, plain in found]


def _evenness(records: list[list[str]]) -> tuple[float, float, float, int]:
    """(does it cut at all, share of records with the usual number of fields, share of numbers, that number)."""
    if not records:
        return (0.0, 0.0, 0.0, 0)
    width, count = Counter(map(len, records)).most_common(1)[0]
    if width == 1:
        return (0.0, 0.0, 0.0, 0)
    count += len(records) > 2 and len(records[0]) == width - 1  # R leaves out the title of row names
    cells = [cell for record in records for cell in record]
    numbers = sum(map(is_number, cells)) / len(cells)
    return (1.0, round(count / len(records), 2), round(numbers, 2), width)


def _is_decimal_column(records: list[list[str]]) -> bool:
    """One column of numbers with decimal commas under its name, which R's row names 1, 2, 3 … would look like too."""
    if len(records) < 2 or len(records[0]) != 1 or not all(len(record) == 2 for record in records[1:]):
        return False
    numbers = all(_decimal_comma.fullmatch(",".join(record).strip()) for record in records[1:])
    return numbers and [record[0].strip() for record in records[1:]] != [str(i) for i in range(1, len(records))]


def _is_spaced(records: list[list[str]], lines: list[list[str]]) -> bool:
    """Numbers between spaces: every line cut alike, the first also one shorter, and no line is one number, as 1 234."""
    widths = {len(record) for record in records[1:]} or {len(records[0])} if records else set()
    if len(widths) != 1 or max(widths) < 2 or len(records[0]) not in (max(widths), max(widths) - 1):
        return False
    if all(is_number(line[0]) for line in (lines[1:] or lines)):
        return False
    cells = [cell for record in (records[1:] or records) for cell in record]
    return sum(is_number(cell) or is_missing(cell) for cell in cells) >= 0.5 * len(cells)


def has_header(records: list[list[str]]) -> bool:
    """False if a cell of the first record is of the kind of those below it: number, date, truth; years may be names."""
    if not records:
        return True
    first, below = records[0], records[1:]
    if not below:
        return not any(map(_kind, first))
    if all(map(is_missing, first)) and any(map(str.strip, first)) and any(map(is_number, below[0])):
        return False
    if len(first) < Counter(map(len, below)).most_common(1)[0][0]:
        return not any(map(is_number, first))
    alike = [j for j, cell in enumerate(first) if _kind(cell) and _mostly(_kind(cell), below, j)]
    return not alike or _counts_up([first[j] for j in alike], below if len(alike) == len(first) else None)


def _kind(cell: str) -> str:
    cell = cell.strip().lower()
    if is_number(cell):
        return "number"
    return "date" if _date.fullmatch(cell) else "truth" if cell in _truth else ""


def _mostly(kind: str, records: list[list[str]], j: int) -> bool:
    cells = [record[j] for record in records if j < len(record) and not is_missing(record[j])]
    return bool(cells) and sum(_kind(cell) == kind for cell in cells) >= 0.8 * len(cells)


def _counts_up(cells: list[str], below: list[list[str]] | None) -> bool:
    """Names such as 2007, 2008, 2009 beside a text column, or 0, 1, 2 … over a bare matrix of decimals."""
    if len(cells) < 3 or not all(cell.strip().isdigit() for cell in cells):
        return False
    values = [int(cell) for cell in cells]
    if {b - a for a, b in pairwise(values)} != {1}:
        return False
    if below is None:
        return 1000 <= values[0] <= 2200
    return values[0] == 0 and not all(cell.strip().isdigit() for record in below for cell in record)
