"""Which kind a column is: numeric, category, boolean, constant, id, text or date."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.io.cells import as_dates, as_numbers, as_truth, blank_missing, contradiction, number_column

_id_name = re.compile(r"id|idx|index|nr|no|key|[ug]uid|row|row[ _]?(id|names?|number|nr|no)|unnamed.*|.*[ _.-]id", re.I)
_year_name = re.compile(r"year|yr|jahr|année|año|anno", re.I)
_id_ending = re.compile(r".*[a-z](ID|Id)")
max_levels = 30  # categories with more levels describe clusters but are not one-hot encoded


class Kind(NamedTuple):
    """The kind, the values in the type that goes with it (numbers, strings, dates), and why, where it needs saying.

    Missing values are null.  `notes` are clauses about cells that were not plain, `doubts` about what may be misread.
    """

    kind: str
    values: pl.Series
    why: str = ""
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def kind_of(series: pl.Series, decimal_comma: bool = False) -> Kind:
    """Decide from the values; names only tip the balance between a number and an identifier."""
    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    if series.dtype == pl.String:
        return _of_text(blank_missing(series), decimal_comma)
    if series.dtype == pl.Boolean:
        return _constant(series) or Kind("boolean", series.cast(pl.String))
    if series.dtype.is_numeric():
        return _of_numbers(series.cast(pl.Float64).fill_nan(None), ())
    if series.dtype.is_temporal():
        return _constant(series) or Kind("date", series)
    if series.dtype == pl.Null:
        return Kind("constant", series, "every value is missing")
    as_text = pl.Series(
        series.name, [None if value is None else str(value)[:200] for value in series.to_list()], dtype=pl.String
    )
    return Kind("text", as_text, f"values of type {series.dtype} are not used")


def row_names(series: pl.Series) -> Kind:
    """The column that names or counts the rows, by the form of the file."""
    return Kind("id", series.cast(pl.String), "it only names or counts the rows")


def counts_rows(kind: Kind, rows: np.ndarray) -> bool:
    """Whether the values of some rows of a table, drawn at random, are the numbers of these rows."""
    if kind.kind != "numeric" or kind.values.null_count():
        return False
    steps = np.diff(kind.values.to_numpy())
    return bool(np.array_equal(np.abs(steps), np.diff(rows)) and (steps[0] * steps > 0).all())


def as_kind(series: pl.Series, kind: Kind, decimal_comma: bool) -> pl.Series:
    """More values of a column known as a number or a category, as `kind_of` gives them; null for what is neither."""
    if kind.kind == "numeric":
        numbers = number_column(series, decimal_comma, [])
        values = series.cast(pl.Float64, strict=False) if numbers is None else pl.Series(series.name, numbers)
        return values.cast(pl.Float64).fill_nan(None)
    if series.dtype.is_numeric():  # 0 and 1
        return series.cast(pl.Int8, strict=False).cast(pl.String)
    if series.dtype == pl.Boolean:
        return series.cast(pl.String)
    cells = blank_missing(series.cast(pl.String))
    lowered = kind.kind == "boolean" and bool((kind.values == kind.values.str.to_lowercase()).all())
    return cells.str.to_lowercase() if lowered else cells


def _constant(series: pl.Series) -> Kind | None:
    given = series.drop_nulls()
    if not len(given):
        return Kind("constant", series, "every value is missing")
    if given.n_unique() > 1:
        return None
    filled = "every value is" if len(given) == len(series) else "every value that is not missing is"
    return Kind("constant", series, f"{filled} {_shown(given[0])}")


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(str(value)[:40])


def _of_numbers(values: pl.Series, notes: tuple[str, ...]) -> Kind:
    given = values.drop_nulls()
    constant = _constant(values)
    if constant and (not len(given) or given.is_finite().all()):
        return constant
    n_unique = given.n_unique()
    if n_unique == 2 and set(given.unique()) == {0.0, 1.0}:
        return Kind("boolean", values.cast(pl.Int8).cast(pl.String))
    whole = bool((given.is_finite() & (given == given.floor())).all())
    if whole and _year_name.fullmatch(values.name.strip()) and given.is_between(1000, 2200).all():
        return Kind("date", values, "a calendar year")
    if whole and _is_identifier(values.name, given, n_unique):
        return Kind("id", values.cast(pl.Int64, strict=False).cast(pl.String), "whole numbers that only count the rows")
    return Kind("numeric", values, notes=notes)


def _is_identifier(name: str, given: pl.Series, n_unique: int) -> bool:
    """Row numbers (all different, no gaps, 20 or more of them), or a name that says id over many different values."""
    named = _id_name.fullmatch(name.strip()) or _id_ending.fullmatch(name.strip())
    all_different = n_unique == len(given)
    counts_rows = all_different and given.max() - given.min() == len(given) - 1
    in_order = counts_rows and given.diff().drop_nulls().abs().eq(1).all()
    if name.startswith("column "):  # a name we gave ourselves says nothing
        return bool(in_order and len(given) >= 20)
    return bool((in_order and (named or len(given) >= 20)) or (named and (all_different or n_unique > 20)))


def _of_text(cells: pl.Series, decimal_comma: bool) -> Kind:
    constant = _constant(cells)
    if constant:
        return constant
    numbers = as_numbers(cells, decimal_comma)
    if numbers:
        return _of_numbers(numbers.values, tuple(numbers.notes))._replace(doubts=tuple(numbers.doubts))
    dates = as_dates(cells)
    if dates is not None:
        return Kind("date", dates)
    return _of_words(cells)._replace(doubts=tuple(contradiction(cells)))


def _of_words(cells: pl.Series) -> Kind:
    given = cells.drop_nulls()
    n_unique = given.n_unique()
    if given.str.to_lowercase().n_unique() == 2 and as_truth(given) is not None:
        return Kind("boolean", cells if n_unique == 2 else cells.str.to_lowercase())
    words = np.mean(given.str.count_matches(r"\S+").to_numpy())
    if n_unique > 0.9 * len(given) and len(given) > 2:
        if words < 3:
            return Kind("id", cells, "nearly every row has a value of its own")
        return Kind("text", cells, "free text")
    if words >= 5 and n_unique > 10:
        return Kind("text", cells, "free text")
    return Kind("category", cells)
