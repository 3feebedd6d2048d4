"""Which kind a column is, and why: what was measured, what only names, counts, dates or repeats.

numeric · count · ordered · coordinate        measured, and used as numbers
category · code · boolean · ordered           levels; a code is a category written as numbers
date · calendar                               when, not what
id · counter · text · constant                names, row numbers, remarks, nothing
derived · target                              what other columns say already; what others are to explain

Values decide; names only tip the balance. `form` is how the values are treated, whatever they mean.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.columns.calendar import as_days, calendar_part, calendar_words, hhmm
from unmix.exploration.columns.counters import counter
from unmix.exploration.columns.names import is_identifier
from unmix.exploration.columns.scales import ordered_words, whole_kind
from unmix.exploration.columns.sentinels import drop_sentinels
from unmix.io.text.cells import as_dates, as_numbers, as_truth, blank_missing, contradiction, number_column

_digits = r"^\d+$"
_leading_zero = r"^0\d"
_lettered = r"^[A-Za-z]{1,3}[-_ ]?\d{2,}$"  # c168 among 1083 and 1095


class Kind(NamedTuple):
    """The kind, the values in the type that goes with it (numbers, strings, dates), and why it is that kind.

    Missing values are null. `notes` are clauses about cells that were not plain, `doubts` about what may be misread.
    `treated_as` is one of numeric, category, boolean, constant, id, text, date where that is not the kind itself.
    """

    kind: str
    values: pl.Series
    why: str = ""
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    treated_as: str = ""
    sentinels: tuple[float, ...] = ()

    @property
    def form(self) -> str:
        return self.treated_as or self.kind


def kind_of(series: pl.Series, decimal_comma: bool = False) -> Kind:
    """Decide from the values; names only tip the balance between a number and what is none."""
    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    if series.dtype == pl.String:
        return _of_text(blank_missing(series), decimal_comma)
    if series.dtype == pl.Boolean:
        return _constant(series) or Kind("boolean", series.cast(pl.String), "yes or no")
    if series.dtype.is_numeric():
        return _of_numbers(series.cast(pl.Float64).fill_nan(None), ())
    if series.dtype.is_temporal():
        return _constant(series) or Kind("date", series, "dates")
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
    if kind.form != "numeric" or kind.values.null_count():
        return False
    steps = np.diff(kind.values.to_numpy())
    return bool(np.array_equal(np.abs(steps), np.diff(rows)) and (steps[0] * steps > 0).all())


def as_counter(kind: Kind, why: str = "whole numbers that only count the rows") -> Kind:
    return Kind("counter", as_levels(kind.values), why, treated_as="id")


def as_kind(series: pl.Series, kind: Kind, decimal_comma: bool) -> pl.Series:
    """More values of a column known as a number or a category, as `kind_of` gives them; null for what is neither."""
    written = kind.form == "boolean" and bool(kind.values.drop_nulls().is_in(["0", "1"]).all())
    if kind.form == "numeric" or kind.kind == "code" or written:
        numbers = number_column(series, decimal_comma, [], measured=True)
        values = series.cast(pl.Float64, strict=False) if numbers is None else pl.Series(series.name, numbers)
        values = values.cast(pl.Float64).fill_nan(None)
        values = values.set(values.is_in(list(kind.sentinels)), None) if kind.sentinels else values
        return as_levels(values) if kind.form != "numeric" else values
    if series.dtype.is_numeric():
        return as_levels(series.cast(pl.Float64).fill_nan(None))
    if series.dtype == pl.Boolean:
        return series.cast(pl.String)
    cells = blank_missing(series.cast(pl.String))
    lowered = kind.form == "boolean" and bool((kind.values == kind.values.str.to_lowercase()).all())
    return cells.str.to_lowercase() if lowered else cells


def as_levels(values: pl.Series) -> pl.Series:
    """Numbers as the names of levels: 3 for 3.0."""
    whole = (values == values.floor()).fill_null(False)
    return values.cast(pl.String).zip_with(~whole, values.cast(pl.Int64, strict=False).cast(pl.String))


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
    values, dropped = drop_sentinels(values)
    said = tuple(f"cells of {value:g} stand apart from all others and count as missing" for value in dropped)
    found = _number_kind(values)
    return found._replace(notes=notes + said, doubts=said, sentinels=tuple(dropped))


def _number_kind(values: pl.Series) -> Kind:
    given = values.drop_nulls()
    constant = _constant(values)
    if constant and (not len(given) or given.is_finite().all()):
        return constant
    x = given.to_numpy()
    if not np.isfinite(x).all():
        return Kind("numeric", values, "numbers")
    if given.n_unique() == 2 and set(given.unique()) == {0.0, 1.0}:
        return Kind("boolean", as_levels(values), "0 or 1")
    return _moment(values, x) or _of_two(values) or _name_or_count(values, x) or _measured(values, x)


def _of_two(values: pl.Series) -> Kind | None:
    different = values.drop_nulls().unique().sort()
    if len(different) != 2:
        return None
    low, high = different
    if len(values) - values.null_count() < 10:  # two of three rows alike say little
        return Kind("numeric", values, "two different numbers")
    return Kind("code", as_levels(values), f"only two values, {low:g} and {high:g}", treated_as="category")


def _moment(values: pl.Series, x: np.ndarray) -> Kind | None:
    """Numbers that say when."""
    days = as_days(values)
    if days is not None:
        return Kind("date", days, "days written as YYYYMMDD")
    part = calendar_part(values.name.strip(), x)
    return Kind("calendar", values, part, treated_as="date") if part else None


def _name_or_count(values: pl.Series, x: np.ndarray) -> Kind | None:
    """Numbers that name or count the rows."""
    named = is_identifier(values.name.strip()) and bool((x == np.floor(x)).all())
    n_unique = len(np.unique(x)) if named else 0
    if named and (n_unique == len(x) or n_unique > 20):
        in_order = n_unique == len(x) and bool((np.abs(np.diff(x)) == 1).all())
        return as_counter(Kind("numeric", values)) if in_order else _identifier(values, n_unique, len(x))
    counted = counter(x) or (counter(_between(values)) if values.null_count() else None)
    if counted is None:
        return None
    kind, why = counted
    return Kind(kind, as_levels(values), why, treated_as="id" if kind == "counter" else "category")


def _between(values: pl.Series) -> np.ndarray:
    """A counter goes on over a row without its number; over an empty line it does not."""
    return values.interpolate().drop_nulls().to_numpy()


def _identifier(values: pl.Series, n_unique: int, n: int) -> Kind:
    why = "whole numbers, all different" if n_unique == n else f"{n_unique} different whole numbers"
    return Kind("id", as_levels(values), f"{why}, under a name of identifiers")


def _measured(values: pl.Series, x: np.ndarray) -> Kind:
    if not (x == np.floor(x)).all():
        return Kind("numeric", values, "numbers with decimals")
    kind, why = whole_kind(values.name.strip(), x)
    if kind in ("code", "id"):
        return Kind(kind, as_levels(values), why, treated_as="category" if kind == "code" else "id")
    return Kind(kind, values, why, treated_as="numeric" if kind != "numeric" else "")


def _of_text(cells: pl.Series, decimal_comma: bool) -> Kind:
    constant = _constant(cells)
    if constant:
        return constant
    given = cells.drop_nulls()
    if given.str.starts_with("0").any() and _zeros_in_front(given):
        return _of_digits(cells)
    if _some_lettered(given):
        return _of_words(cells)
    numbers = as_numbers(cells, decimal_comma)
    if numbers:
        found = _of_numbers(numbers.values, tuple(numbers.notes))
        return found._replace(doubts=(*numbers.doubts, *found.doubts))
    dates = as_dates(cells)
    if dates is not None:
        return Kind("date", dates, "dates")
    return _of_words(cells)._replace(doubts=tuple(contradiction(cells)))


def _zeros_in_front(given: pl.Series) -> bool:
    return bool(given.head(200).str.contains(_digits).all() and given.str.contains(_leading_zero).any()) and bool(
        given.str.contains(_digits).all()
    )


def _some_lettered(given: pl.Series) -> bool:
    """001 … 135, 136A, or c168 among 1083: names of digits, of which some have a letter."""
    digits = given.str.contains(_digits)
    others = given.filter(~digits)
    if not len(others) or digits.mean() < 0.5:
        return False
    whole = given.filter(digits)
    zeros = whole.str.contains(_leading_zero).any() and whole.str.len_chars().n_unique() == 1
    return bool(others.str.contains(_lettered).all() or (zeros and others.str.contains(r"^\d+[A-Za-z]$").all()))


def _of_digits(cells: pl.Series) -> Kind:
    """0123 is no number: nobody writes a quantity with zeros in front; 01 and 02 beside 10 are."""
    given = cells.drop_nulls()
    n_unique, lengths = given.n_unique(), given.str.len_chars()
    if lengths.n_unique() > 1 or lengths[0] < 3:
        return _of_numbers(cells.cast(pl.Float64, strict=False), ())
    clock = hhmm(given.cast(pl.Float64).to_numpy()) if lengths[0] == 4 else None
    if clock:
        return Kind("calendar", cells, clock, treated_as="text")
    why = "digits of one length with zeros in front"
    if n_unique > 0.9 * len(given) and len(given) > 2:
        return Kind("id", cells, why)
    return Kind("category", cells, why)


def _of_words(cells: pl.Series) -> Kind:
    given = cells.drop_nulls()
    n_unique = given.n_unique()
    if given.str.to_lowercase().n_unique() == 2 and as_truth(given) is not None:
        return Kind("boolean", cells if n_unique == 2 else cells.str.to_lowercase(), "yes or no")
    part = calendar_words(given)
    if part:
        return Kind("calendar", cells, part, treated_as="category" if "names" in part else "text")
    words = np.mean(given.str.count_matches(r"\S+").to_numpy())
    if n_unique > 0.9 * len(given) and len(given) > 2:
        if words < 3:
            return Kind("id", cells, "nearly every row has a value of its own")
        return Kind("text", cells, "free text")
    if words >= 5 and n_unique > 10:
        return Kind("text", cells, "free text")
    order = ordered_words(given)
    if order:
        return Kind("ordered", cells, order, treated_as="category")
    return Kind("category", cells, f"{n_unique} different values")
