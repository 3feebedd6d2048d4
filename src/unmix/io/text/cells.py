"""Text cells as numbers or dates: missing words become empty, and a column is a number only if nearly all cells are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.io.text.dialect import missing_words, truth_words
from unmix.io.text.number_dress import undress
from unmix.io.text.number_marks import decimal_mark, marks_of, read_marks

max_unread = 0.05  # share of cells that are no number in a column of numbers
# Digits with marks between them, as numbers of any custom are; a first sieve, not a proof.
_numeric = r"^[+\u2212-]?[\d.,' \u00a0\u2009\u202f\u2019]*\d[\d.,]*([eE][+-]?\d+)?\s*%?$"
_date_formats = [
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d %b %Y", "%b %d, %Y",
    "%b %d %Y", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y",
]  # fmt: skip
# A month or a quarter alone is the day it begins.
_months = [(r"^(\d{4})[-/](\d{1,2})$", "$1-$2-01", "%Y-%m-%d"), (r"^([A-Za-z]{3}) (\d{4})$", "01 $1 $2", "%d %b %Y")]
_quarter = r"^(\d{4})[ -]?[Qq]([1-4])$"


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
    marked = [_bare(cells) for cells in given if cells.str.contains(r",\d|\.\d{3}\.").any()]
    if not any(_numbers_at_all(cells) and decimal_mark(marks_of(cells)) == "," for cells in marked):
        return False
    found = [decimal_mark(marks_of(cells)) for cells in map(_bare, given) if _numbers_at_all(cells)]
    return found.count(",") > found.count(".")


def _bare(given: pl.Series) -> pl.Series:
    """Without currencies and units, where there are any."""
    found = None if _numbers_at_all(given) else undress(given)
    return given if found is None or found.torn else found.text


def _numbers_at_all(given: pl.Series) -> bool:
    return len(given) > 0 and int(given.str.contains(_numeric).sum()) >= (1 - max_unread) * len(given)


def contradiction(cells: pl.Series) -> list[str]:
    """What to say of a column that would be numbers if its marks agreed."""
    given = cells.drop_nulls()
    dressed = undress(given)
    if dressed is not None and dressed.torn:
        return [f"numbers carry different marks ({', '.join(dressed.torn[:4])}); it is not read as numbers"]
    if not _numbers_at_all(given):
        return []
    reading = read_marks(given, False)
    return [f"{doubt}; it is not read as numbers" for doubt in reading.doubts] if reading.torn else []


def as_numbers(cells: pl.Series, decimal_comma: bool, *, measured: bool = False) -> Numbers | None:
    """The column as numbers, or None if more than 1 cell in 20 is no number; `measured` where it is known for some."""
    given = cells.drop_nulls()
    text, notes, doubts = cells, [], []
    values = text.cast(pl.Float64, strict=False)
    dressed = undress(cells, measured=measured) if values.null_count() > text.null_count() else None
    if dressed is not None:
        if dressed.torn:
            return None
        text, notes, doubts = dressed.text, dressed.notes, dressed.doubts
        values = text.cast(pl.Float64, strict=False)
    if decimal_comma or values.null_count() > text.null_count():  # else no cell needs a second look
        reading = read_marks(text, decimal_comma)
        notes, doubts = notes + reading.notes, doubts + reading.doubts
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
    first = given.head(100)
    if not len(given) or not first.str.contains(r"\d.*[-/. Qq].*\d|^[A-Za-z]{3} \d{4}$").all():
        return None
    if first.str.contains(_quarter).all():
        return _quarter_start(cells)
    for pattern, full, form in _months:
        if first.str.contains(pattern).all():
            return _parsed(cells.str.replace(pattern, full), form)
    dates = cells.str.replace(r"[T ]\d{1,2}:\d{2}.*$", "")
    found = (_parsed(dates, form) for form in _date_formats)
    return next((parsed for parsed in found if parsed is not None), None)


def _parsed(dates: pl.Series, form: str) -> pl.Series | None:
    """None where a cell is not of this form; a year of two digits is not."""
    parsed = dates.str.to_date(form, strict=False)
    whole = parsed.null_count() == dates.null_count() and not (parsed.dt.year() < 1000).any()
    return parsed if whole else None


def _quarter_start(cells: pl.Series) -> pl.Series | None:
    year, quarter = cells.str.extract(_quarter, 1), cells.str.extract(_quarter, 2).cast(pl.Int32)
    return _parsed(year + "-" + (3 * quarter - 2).cast(pl.String) + "-1", "%Y-%m-%d")


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


def number_column(
    series: pl.Series, decimal_comma: bool, notes: list[str], *, measured: bool = False
) -> np.ndarray | None:
    """A column as numbers with NaN for missing, or None for text and dates; what was not plain is noted."""
    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    if series.dtype == pl.String:
        series = blank_missing(series)
        if series.null_count() < len(series):
            return _of_text(series, decimal_comma, notes, measured)
    if series.dtype == pl.Float32:
        return series.to_numpy()
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null, pl.String):
        return series.cast(pl.Float64).to_numpy()
    return None


def _of_text(cells: pl.Series, decimal_comma: bool, notes: list[str], measured: bool) -> np.ndarray | None:
    found = as_numbers(cells, decimal_comma, measured=measured)
    if found is not None:
        notes.extend(f"In column {cells.name!r} {note}." for note in [*found.notes, *found.doubts])
        return found.values.to_numpy()
    truth = as_truth(cells)
    return None if truth is None else truth.to_numpy()
