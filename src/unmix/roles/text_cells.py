"""Cells of a text file: comma, semicolon, tab or white space between them, found from the first lines."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from pathlib import Path

from unmix.roles.formula import unguard


def cells(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every line that is not empty; names as they stand, apostrophes of the export undone."""
    try:
        with path.open(encoding=encoding_of(path), newline="") as file:
            separator = separator_of([line for _, line in zip(range(50), file)])
            file.seek(0)
            if separator is None:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        yield number, line.split()
                return
            csv.field_size_limit(1 << 30)  # of the whole process: must not depend on who came first
            reader = csv.reader(file, delimiter=separator)
            for row in reader:
                if row:
                    yield reader.line_num, [unguard(cell) for cell in row]
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {str(path)!r}.") from None
    except UnicodeError:
        raise ValueError(f"The file {path.name!r} is not UTF-8 text; save it as CSV UTF-8.") from None


def encoding_of(path: Path) -> str:
    """UTF-16 where the first two bytes say so, as in text saved by spreadsheets; else UTF-8."""
    with path.open("rb") as file:
        return "utf-16" if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


def separator_of(lines: list[str]) -> str | None:
    """The character that splits most of the first lines; None stands for white space."""
    filled = [line for line in lines if line.strip()]
    counts = {mark: sum(mark in line for line in filled) for mark in ("\t", ",", ";")}
    best = max(counts, key=lambda mark: counts[mark])
    return best if filled and counts[best] * 2 > len(filled) else None
