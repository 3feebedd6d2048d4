"""Which kind a column of a mixed table is, by its type, or as its owner says.

bool                             boolean
category, text                   category
ordered category, Enum           ordered
date, datetime                   date
every number, 0 and 1 too        number
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from unmix.io.base.errors import TableError
from unmix.io.mixed.column import KINDS, Column, Level, in_terms_of, missing, plain_levels, plain_numbers
from unmix.io.mixed.source import Declared

MAX_LEVELS = 50  # of a column of text; a category that its owner declares may have more
MAX_DISTINCT = 0.9  # share of cells with a text of their own, above which a column names its rows
FEW = 10  # levels that are never too many


def described(name: str, given: Declared, asked: str | Sequence[Level] | None) -> Column:
    """The column as it will be encoded; ``asked`` is a kind, or the levels of an ordered one from low to high."""
    observed = given.series.filter(~missing(given.series))
    if not len(observed):
        raise TableError(f"Column {name!r} holds no value at all, so nothing can be said of it; drop it.")
    if asked is not None and not isinstance(asked, str):
        return _ordered_by_owner(name, given, observed, plain_levels(asked))
    kind = _kind(given, observed) if asked is None else _checked(name, asked, observed)
    if kind in ("number", "count", "date"):
        return _of_numbers(name, kind, given, observed)
    if asked is None and observed.dtype == pl.String and not given.categories:
        _refuse_many(name, observed)
    return _of_levels(name, kind, given, observed)


def _kind(given: Declared, observed: pl.Series) -> str:
    if given.categories:
        return "ordered" if given.ordered else "category"
    if observed.dtype == pl.Boolean:
        return "boolean"
    if observed.dtype in (pl.String, pl.Categorical):
        return "category"
    return "date" if observed.dtype in (pl.Date, pl.Datetime) else "number"


def _checked(name: str, asked: str, observed: pl.Series) -> str:
    if asked not in KINDS:
        raise TableError(f"kinds says that column {name!r} is {asked!r}; known kinds are {', '.join(KINDS)}.")
    return asked


def _of_numbers(name: str, kind: str, given: Declared, observed: pl.Series) -> Column:
    column = Column(name, kind, given.dtype, declared=given.categories)
    values = plain_numbers(column, observed)
    whole = bool((values == np.rint(values)).all())
    if kind == "count" and not (whole and values.min() >= 0):
        raise TableError(
            f"Column {name!r} holds {_odd(values):g}, which is no count; counts are 0, 1, 2, …: call it a number."
        )
    return column._replace(whole=whole and not observed.dtype.is_temporal())


def _odd(values: np.ndarray) -> float:
    return float(values[(values < 0) | (values != np.rint(values))][0])


def _of_levels(name: str, kind: str, given: Declared, observed: pl.Series) -> Column:
    levels = _levels(name, kind, given, observed)
    if kind == "boolean":
        levels = _two(name, levels)
    return Column(name, kind, given.dtype, levels, given.categories)


def _levels(name: str, kind: str, given: Declared, observed: pl.Series) -> tuple[Level, ...]:
    """Those that occur: in the order declared, else by size or by the alphabet."""
    if given.categories:
        found = set(in_terms_of(given.categories, observed).unique())
        return tuple(level for level in given.categories if level in found)
    if observed.dtype == pl.Boolean:
        return (False, True) if kind == "boolean" else tuple(observed.unique().sort().to_list())
    if observed.dtype.is_numeric():
        return tuple(_short(value) for value in observed.unique().sort().to_list())
    if kind == "ordered" and observed.dtype in (pl.String, pl.Categorical):
        raise TableError(
            f"kinds says that column {name!r} is ordered, and text has no order; give its levels from low to high, "
            f"as in kinds={{{name!r}: ['low', 'middle', 'high']}}."
        )
    return tuple(sorted(observed.cast(pl.String).unique().to_list()))


def _short(value: Any) -> Level:
    """1.0 as 1: whole numbers are written without a point, whatever the type of their column."""
    return int(value) if float(value).is_integer() else float(value)


def _two(name: str, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    if len(levels) > 2:
        raise TableError(
            f"kinds says that column {name!r} is boolean, and it holds {len(levels)} values; two were expected."
        )
    if len(levels) == 1 and levels[0] in (0, 1):  # one of the two has not been seen
        return (False, True) if isinstance(levels[0], bool) else (0, 1)
    return levels


def _ordered_by_owner(name: str, given: Declared, observed: pl.Series, levels: tuple[Level, ...]) -> Column:
    cells = in_terms_of(levels, observed)
    others = observed.filter(~cells.is_in(list(levels)).fill_null(False))
    if not levels or len(set(levels)) < len(levels) or len(others):
        raise TableError(
            f"kinds gives the levels {list(levels)} for column {name!r}"
            + (f", which holds {str(others[0])!r} too" if len(others) else ", of which each must be there once")
            + "; name every level once, from low to high."
        )
    return Column(name, "ordered", given.dtype, tuple(v for v in levels if v in set(cells)), given.categories)


def _refuse_many(name: str, observed: pl.Series) -> None:
    levels, n = observed.n_unique(), len(observed)
    if levels <= MAX_LEVELS and (levels <= FEW or levels <= MAX_DISTINCT * n):
        return
    raise TableError(
        f"Column {name!r} holds {levels} different texts in {n} rows, as names and identifiers do, which say nothing "
        f"of other rows; drop it or make it the index, or say kinds={{{name!r}: 'category'}} to use it all the same."
    )
