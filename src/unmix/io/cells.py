"""Text cells as numbers or dates: missing words become empty, and a column is a number only if nearly all cells are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.io.dialect import missing_words, truth_words
from unmix.io.number_marks import decimal_mark, marks_of, read_marks

max_unread = 0.05  # share of cells that are no number in a column of numbers
# Digits with marks between them, as numbers of any custom are; a first sieve, not a proof.
_numeric = r"^[+\u2212-]?[\d.,' \u00a0\u2009\u202f\u2019]*\d[\d.,]*([eE][+-]?\d+)?\s*%?$"
_date_formats = ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d %b %Y", "%b %d, %Y"]


class Numbers(NamedTuple):
    """The column as float64 with null for missing, clauses about what was not plain, and about what is in doubt."""

    values: pl.Series
    notes: list[str]
    doubts: list[str]


def blank_missing(cells: pl.Series) -> pl.Series:
    """Strip spaces around cells and turn the words people write for "no value" into null."""
    stripped = cells.str.strip_chars()
    return stripped.set(stripped.str.to_lowercase().is_in(list(missing_words)), None)


def uses_decimal_comma(columns: list[pl.Series]) -> bool:
    """Is the comma the decimal mark in most columns of numbers?  1,5 or 1,2345 is clear, 1,234 alone is not."""
    given = [cells.drop_nulls() for cells in columns]
    commas = [cells for cells in given if cells.str.contains(r",\d|\.\d{3}\.").any() and _numbers_at_all(cells)]
    if not any(decimal_mark(marks_of(cells)) == "," for cells in commas):
        return False
    found = [decimal_mark(marks_of(cells)) for cells in given if _numbers_at_all(cells)]
    return found.count(",") > found.count(".")


def _numbers_at_all(given: pl.Series) -> bool:
    return len(given) > 0 and int(given.str.contains(_numeric).sum()) >= (1 - max_unread) * len(given)


def contradiction(cells: pl.Series) -> list[str]:
    """What to say of a column that would be numbers if its marks agreed."""
    given = cells.drop_nulls()
    if not _numbers_at_all(given):
        return []
    reading = read_marks(given, False)
    return [f"{doubt}; it is not read as numbers" for doubt in reading.doubts] if reading.torn else []


def as_numbers(cells: pl.Series, decimal_comma: bool) -> Numbers | None:
    """The column as numbers, or None if more than 1 cell in 20 is no number."""
    given = cells.drop_nulls()
    notes: list[str] = []
    text = cells
    if len(given) and given.str.ends_with("%").all():
        text, notes = text.str.strip_suffix("%").str.strip_chars(), ["per cent signs were dropped"]
    values, doubts = text.cast(pl.Float64, strict=False), []
    if decimal_comma or values.null_count() > text.null_count():  # else no cell needs a second look
        reading = read_marks(text, decimal_comma)
        notes, doubts = notes + reading.notes, reading.doubts
        values = reading.text.cast(pl.Float64, strict=False)
    bad = cells.filter(values.is_null() & cells.is_not_null())
    if len(bad) == len(given) or len(bad) > max_unread * len(given):
        return None
    if len(bad):
        examples = ", ".join(repr(cell) for cell in bad.unique(maintain_order=True).head(3))
        notes.append(f"{len(bad)} cell{'s' * (len(bad) > 1)} not a number ({examples}) count as missing")
    return Numbers(values.fill_nan(None).rename(cells.name), notes, doubts)


def as_dates(cells: pl.Series) -> pl.Series | None:
    """The column as dates if one known format fits every cell."""
    given = cells.drop_nulls()
    if not len(given) or not given.head(100).str.contains(r"\d.*[-/. ].*\d").all():
        return None
    dates = cells.str.replace(r"[T ]\d{1,2}:\d{2}.*$", "")
    for form in _date_formats:
        parsed = dates.str.to_date(form, strict=False)
        if parsed.null_count() == cells.null_count():
            return parsed
    return None


def as_truth(cells: pl.Series) -> pl.Series | None:
    """The column as 1 for yes and 0 for no if it holds such words alone."""
    words = cells.str.to_lowercase()
    found = set(words.drop_nulls().unique())
    for pair in truth_words:
        if found and found <= set(pair) and (len(found) == 2 or len(pair[0]) > 1):
            return words.replace_strict({None: None, pair[0]: 0.0, pair[1]: 1.0}, return_dtype=pl.Float64)
    return None


def table_decimal_comma(frame: pl.DataFrame) -> bool:
    """Whether the text columns of a table have decimal commas, as far as most of its numbers say."""
    return uses_decimal_comma([blank_missing(series) for series in frame if series.dtype == pl.String])


def number_column(series: pl.Series, decimal_comma: bool, notes: list[str]) -> np.ndarray | None:
    """A column as numbers with NaN for missing, or None for text and dates; what was not plain is noted."""
    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    if series.dtype == pl.String:
        series = blank_missing(series)
        if series.null_count() < len(series):
            return _of_text(series, decimal_comma, notes)
    if series.dtype == pl.Float32:
        return series.to_numpy()
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null, pl.String):
        return series.cast(pl.Float64).to_numpy()
    return None


def _of_text(cells: pl.Series, decimal_comma: bool, notes: list[str]) -> np.ndarray | None:
    found = as_numbers(cells, decimal_comma)
    if found is not None:
        notes.extend(f"In column {cells.name!r} {note}." for note in [*found.notes, *found.doubts])
        return found.values.to_numpy()
    truth = as_truth(cells)
    return None if truth is None else truth.to_numpy()
