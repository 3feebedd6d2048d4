"""What the user says of the columns, which counts for more than what their values say.

use        these columns form the clusters, and no others        drop    leave these out, also from descriptions
describe   these only describe the clusters                      type    what these columns are
target     describes, as the answer others are to explain        id      names the rows
group      names the unit that several rows belong to            order   tells in which order rows follow each other
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from unmix.exploration.columns.kinds import Kind, as_levels, kind_of
from unmix.io.base.errors import TableError
from unmix.io.text.cells import blank_missing, number_column

_numbers = ("numeric", "count", "ordered", "coordinate")
_levels = ("category", "code", "boolean", "target")
_set_aside = ("id", "counter", "text", "date", "calendar", "derived")
_other_words = {"number": "numeric", "categorical": "category", "bool": "boolean", "time": "date", "identifier": "id"}
known_types = ("number", *_numbers[1:], *_levels, *_set_aside)


@dataclass(frozen=True)
class Control:
    """Names of columns, each as the user gave it."""

    use: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    describe: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    target: str | None = None
    id: str | None = None
    group: str | None = None
    order: str | None = None

    def named(self) -> dict[str, list[str]]:
        """The columns of each option."""
        single = {"target": self.target, "id": self.id, "group": self.group, "order": self.order}
        many = {"use": self.use, "drop": self.drop, "describe": self.describe, "type": tuple(self.types)}
        return {option: list(names) for option, names in many.items()} | {
            option: [name] for option, name in single.items() if name is not None
        }


def make_control(
    use: Any = None, drop: Any = None, describe: Any = None, type: Mapping[str, str] | None = None, **single: Any
) -> Control:
    """The options as `explore` takes them: one name or several."""
    use, drop, describe = listed("use", use), listed("drop", drop), listed("describe", describe)
    for option, name in single.items():
        if name is not None and not isinstance(name, str):
            raise TableError(f"{option} is {name!r}; the name of a column was expected.")
    if type is not None and not (isinstance(type, Mapping) and all(isinstance(name, str) for name in type)):
        raise TableError(f"type is {type!r}; a dict of columns and what they are was expected.")
    types = {name: _other_words.get(str(kind).lower(), str(kind).lower()) for name, kind in (type or {}).items()}
    for name, kind in types.items():
        if kind not in (*_numbers, *_levels, *_set_aside):
            near = difflib.get_close_matches(kind, [*known_types, *_other_words], 1)
            raise TableError(
                f"{kind!r} is no type for column {name!r}{f'; did you mean {near[0]!r}?' if near else '.'} "
                f"Types are {', '.join(known_types)}."
            )
    return Control(use, drop, describe, types, **single)


def listed(option: str, names: Any) -> tuple[str, ...]:
    """One name or several, as a tuple."""
    if names is None or isinstance(names, str):
        return () if names is None else (names,)
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise TableError(f"{option} is {names!r}; the name of a column or a list of names was expected.")
    return tuple(names)


def check_names(control: Control, columns: list[str]) -> None:
    """Refuse what is no column, and a column of which two options say opposite things."""
    for option, names in control.named().items():
        for name in names:
            if name not in columns:
                raise TableError(f"{option}: there is no column {name!r}{nearest(name, columns)}")
    for one, other in (("use", "drop"), ("use", "describe"), ("drop", "describe"), ("use", "target"), ("use", "id")):
        named = control.named()
        both = set(named.get(one, [])) & set(named.get(other, []))
        if both:
            raise TableError(f"Column {sorted(both)[0]!r} is given to both {one} and {other}; give it to one of them.")


def nearest(name: str, columns: list[str]) -> str:
    """The columns with a similar name, else the first ones there are."""
    lowered = {column.lower(): column for column in columns}
    near = difflib.get_close_matches(name.lower(), list(lowered), 2, 0.6)
    if near:
        return "; did you mean " + " or ".join(repr(lowered[one]) for one in near) + "?"
    return f"; the columns are {', '.join(map(repr, columns[:8]))}{', …' if len(columns) > 8 else ''}."


def given_kind(series: pl.Series, control: Control, decimal_comma: bool) -> Kind | None:
    """The kind the user gave to a column; None where nothing was said."""
    name = series.name
    if name in control.types:
        return read_as(series, control.types[name], decimal_comma)
    if name == control.target:
        return read_as(series, "target", decimal_comma)
    if name in (control.id, control.group):
        return read_as(series, "id", decimal_comma)
    if name not in control.use:
        return None
    found = kind_of(series, decimal_comma)
    if found.kind in (*_numbers, "category", "code", "boolean", "constant"):
        return found
    return read_as(series, "category" if _as_numbers(series, decimal_comma) is None else "numeric", decimal_comma)


def read_as(series: pl.Series, kind: str, decimal_comma: bool) -> Kind:
    """The column as this kind, whatever its values would say."""
    why = f"{'an' if kind[0] in 'io' else 'a'} {'number' if kind == 'numeric' else kind}, as asked"
    if kind in _numbers:
        values = _as_numbers(series, decimal_comma)
        if values is None:
            raise TableError(f"Column {series.name!r} cannot be read as numbers (it holds {_example(series)!r}).")
        return Kind(kind, values, why, treated_as="numeric")
    found = kind_of(series, decimal_comma)
    if kind == "target" and found.form in ("numeric", "category", "boolean"):
        return found._replace(kind=kind, why=why, treated_as=found.form)
    if kind in _levels:
        return _as_category(series, kind, why, decimal_comma)
    form = {"counter": "id", "calendar": "date", "derived": "numeric" if found.form == "numeric" else "text"}
    values = found.values if kind in ("date", "calendar", "derived") else _text(series)
    return Kind(kind, values, why, found.notes, found.doubts, form.get(kind, kind))


def _as_category(series: pl.Series, kind: str, why: str, decimal_comma: bool) -> Kind:
    numbers = _as_numbers(series, decimal_comma) if kind == "code" or series.dtype.is_numeric() else None
    values = _text(series) if numbers is None else as_levels(numbers)
    if kind == "boolean" and values.drop_nulls().n_unique() > 2:
        raise TableError(f"Column {series.name!r} has {values.drop_nulls().n_unique()} values; a boolean has two.")
    return Kind(kind, values, why, treated_as="boolean" if kind == "boolean" else "category")


def _as_numbers(series: pl.Series, decimal_comma: bool) -> pl.Series | None:
    values = number_column(series, decimal_comma, [])
    return None if values is None else pl.Series(series.name, values).cast(pl.Float64).fill_nan(None)


def _text(series: pl.Series) -> pl.Series:
    if series.dtype.is_float():
        return as_levels(series.cast(pl.Float64).fill_nan(None))
    return blank_missing(series.cast(pl.String))


def _example(series: pl.Series) -> str:
    given = series.drop_nulls().cast(pl.String)
    unread = given.filter(given.cast(pl.Float64, strict=False).is_null())
    return str((unread if len(unread) else given)[0])[:40] if len(given) else ""
