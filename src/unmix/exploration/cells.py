"""Text cells as numbers or dates: missing words become empty, and a column is a number only if nearly all cells are."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from unmix.exploration.dialect import missing_words

_decimal_comma = r"^[+-]?(\d{1,3}(\.\d{3})+|\d*),\d+([eE][+-]?\d+)?$"
_thousands = r"^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$"
_date_formats = ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d %b %Y", "%b %d, %Y"]


class Numbers(NamedTuple):
    """The column as float64 with null for missing, and sentences about what was not plain."""

    values: pl.Series
    notes: list[str]


def blank_missing(cells: pl.Series) -> pl.Series:
    """Strip spaces around cells and turn the words people write for "no value" into null."""
    stripped = cells.str.strip_chars()
    return stripped.set(stripped.str.to_lowercase().is_in(list(missing_words)), None)


def uses_decimal_comma(columns: list[pl.Series]) -> bool:
    """Is the comma a decimal mark in this table?  1,5 or 1,2345 is clear; 1,234 alone could be either."""
    for cells in columns:
        with_comma = cells.drop_nulls().filter(cells.drop_nulls().str.contains(",", literal=True))
        decimal = with_comma.str.contains(_decimal_comma).all() and not with_comma.str.contains(_thousands).all()
        if len(with_comma) and decimal:
            return True
    return False


def as_numbers(cells: pl.Series, decimal_comma: bool) -> Numbers | None:
    """The column as numbers, or None if more than 1 cell in 20 is no number."""
    given = cells.drop_nulls()
    notes: list[str] = []
    text = cells
    if len(given) and given.str.ends_with("%").all():
        text, notes = text.str.strip_suffix("%").str.strip_chars(), ["per cent signs were dropped"]
    if given.str.contains(",", literal=True).any():
        if decimal_comma:
            text = text.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
            notes.append("the comma was read as decimal mark")
        else:
            without = text.str.replace_all(",", "", literal=True)
            text = text.zip_with(~text.str.contains(_thousands).fill_null(False), without)
            notes.append("commas between thousands were dropped")
    values = text.cast(pl.Float64, strict=False)
    bad = cells.filter(values.is_null() & cells.is_not_null())
    if len(bad) == len(given) or len(bad) > 0.05 * len(given):
        return None
    if len(bad):
        examples = ", ".join(repr(cell) for cell in bad.unique(maintain_order=True).head(3))
        notes.append(f"{len(bad)} cell{'s' * (len(bad) > 1)} not a number ({examples}) count as missing")
    return Numbers(values.fill_nan(None).rename(cells.name), notes)


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
