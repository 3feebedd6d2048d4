"""Numbers that say when: years, months, hours, HHMM times, decimal dates, YYYYMMDD, YYYYMM, seconds since 1970.

A year, month, hour or count of seconds needs its name beside values in its range. Four forms tell themselves by their
values alone, as chance would hardly keep to them: HHMM never ends in 60 … 99, YYYYMMDD is a day of the calendar every
time, YYYYMM ends in 01 … 12, and a decimal date such as 2000.0833 stands on twelfths or quarters of a year.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from unmix.exploration.columns.names import CLOCK, PARTS, YEAR, is_quantity, last_word, words
from unmix.io.text.cells import max_unread

_first_year, _last_year = 1500, 2200
_fewest = 24  # different values from which a form of writing is no chance
_names = {
    "month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    "day of the week": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
}
_clock = r"^([01]?\d|2[0-4]):[0-5]\d(:[0-5]\d)?( ?[AaPp][Mm])?$"


def calendar_part(name: str, x: np.ndarray) -> str | None:
    """What part of the calendar or the clock these finite numbers are, in words; None if they are none."""
    whole = bool((x == np.floor(x)).all())
    if whole:
        return _year(name, x) or _named_part(name, x) or hhmm(x) or _yyyymm(x) or _seconds(name, x)
    return _decimal_date(x) or _seconds(name, x)


def as_days(values: pl.Series) -> pl.Series | None:
    """Whole numbers YYYYMMDD as dates, where every one is a day of the calendar."""
    given = values.drop_nulls()
    if given.n_unique() < _fewest or not given.is_between(_first_year * 10_000, _last_year * 10_000).all():
        return None
    days = values.cast(pl.Int64, strict=False).cast(pl.String).str.to_date("%Y%m%d", strict=False)
    return days if days.null_count() == values.null_count() else None


def calendar_words(given: pl.Series) -> str | None:
    """Whether text cells are names of months or weekdays, or times of the day."""
    levels = given.unique().str.to_lowercase()
    if _mostly_times(given.head(100)) and _mostly_times(given):
        return "times of the day"
    for what, known in _names.items():
        if len(levels) > 2 and levels.str.slice(0, 3).is_in(known).all() and levels.str.contains(r"^\p{L}+\.?$").all():
            return f"names of the {what}"
    return None


def _mostly_times(given: pl.Series) -> bool:
    """A cell in twenty may be mistyped, 9.12 for 9:12, as among numbers."""
    return int(given.str.contains(_clock).sum()) >= (1 - max_unread) * len(given)


def _year(name: str, x: np.ndarray) -> str | None:
    said = not YEAR.isdisjoint(words(name)) and not is_quantity(name)
    if said and ((x >= 1000) & (x <= _last_year)).all():
        return "a calendar year"
    if said and x.min() >= 20 and x.max() <= 99:
        return "a calendar year of two digits"
    return None


def _named_part(name: str, x: np.ndarray) -> str | None:
    part = last_word(name) if last_word(name) in PARTS else next(iter(words(name)), "")
    if part not in PARTS or is_quantity(name):
        return None
    low, high = PARTS[part]
    return f"a part of the calendar or the clock ({part})" if x.min() >= low and x.max() <= high else None


def hhmm(x: np.ndarray) -> str | None:
    """517 for 5:17.  Of whole numbers spread over the day two in five would end in 60 … 99."""
    if x.min() < 0 or x.max() > 2400 or x.max() < 1000 or (x % 100 >= 60).any():
        return None
    varied = len(np.unique(x)) >= _fewest and len(np.unique(x % 100)) >= 6
    return "times of the day as HHMM (hours and minutes)" if varied else None


def _yyyymm(x: np.ndarray) -> str | None:
    """200503 for March 2005.  Of whole numbers that are as large 88 in 100 would end in something else."""
    if x.min() < 100 * _first_year or x.max() > 100 * _last_year + 99 or len(np.unique(x)) < _fewest:
        return None
    return "months written as YYYYMM" if np.isin(x % 100, np.arange(1, 13)).all() else None


def _seconds(name: str, x: np.ndarray) -> str | None:
    """Of 1973 to 2065, in seconds, thousandths or millionths of them."""
    if CLOCK.isdisjoint(words(name)) or is_quantity(name):
        return None
    units = {"seconds": 1e8, "milliseconds": 1e11, "microseconds": 1e14, "nanoseconds": 1e17}
    found = [unit for unit, least in units.items() if x.min() >= least and x.max() <= 30 * least]
    return f"{found[0]} since 1970" if found else None


def _decimal_date(x: np.ndarray) -> str | None:
    """2000.25 or 2000.0833: years in parts of equal length."""
    if x.min() < _first_year or x.max() > _last_year:
        return None
    different = np.unique(x)
    for parts in (4, 12):
        on_grid = np.abs(different * parts - np.round(different * parts)) < 0.02
        if len(different) >= _fewest // 2 and on_grid.all():
            return f"a decimal date (years in {'quarters' if parts == 4 else 'twelfths'})"
    return None
