"""The rows behind the marks of the map: their values as the table has them, as many columns as a page can carry.

The budget is measured on the JSON that is written. Where the whole does not fit, numbers are cut to six digits, then
columns are left out, last those that formed the clusters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.json_values import json_value
from unmix.exploration.findings.records import Column, RowTable

most_bytes = 800_000  # of the embedded values; a page holds less than 2 MB
_longest_cell = 60
_digits = 6


def make_row_table(
    columns: list[Column], kinds: list[Kind], shown: np.ndarray, n_rows: int, ids: pl.Series | None = None
) -> RowTable:
    """`shown` are places in the values of `kinds`; `n_rows` is how many rows the table has."""
    naming = next((j for j in range(len(columns)) if _names_rows(columns[j], kinds[j])), None)
    if ids is None and naming is not None:
        ids = _gather(kinds[naming].values, shown)
    names = None if ids is None else [_cut("" if name is None else str(name)) for name in ids.to_list()]
    left = most_bytes - (_size(names) if names else 0)
    order = sorted(range(len(columns)), key=lambda j: (not columns[j].used, not columns[j].describes, j))
    kept, rounded = _fitting((_cells(kinds[j].values, shown) for j in order), left)
    chosen = sorted(zip(order, kept), key=lambda pair: pair[0])
    sentence = _sentence(len(shown), n_rows, len(chosen), len(columns), rounded)
    return RowTable([columns[j].name for j, _ in chosen], [values for _, values in chosen], names, sentence)


def _fitting(columns: Iterable[list[Any]], budget: int) -> tuple[list[list[Any]], bool]:
    """The first columns that fit together, and whether their numbers had to be cut."""
    kept: list[list[Any]] = []
    total, rounded = 0, False
    for column in columns:
        size = _size(column)
        if total + size > budget and not rounded:
            kept, rounded = [_short(each) for each in kept], True
            total = sum(map(_size, kept))
        if rounded:
            column = _short(column)
            size = _size(column)
        if total + size > budget:
            break
        kept.append(column)
        total += size
    return kept, rounded


def _names_rows(column: Column, kind: Kind) -> bool:
    """A column of names, every row its own."""
    return column.kind == "id" and kind.values.n_unique() == len(kind.values)


def _gather(values: pl.Series, shown: np.ndarray) -> pl.Series:
    return values.gather(pl.Series(shown, dtype=pl.UInt32))


def _cells(values: pl.Series, shown: np.ndarray) -> list[Any]:
    return [_plain(json_value(value)) for value in _gather(values, shown).to_list()]


def _plain(value: Any) -> Any:
    """Whole numbers without a point, long text cut."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return _cut(value) if isinstance(value, str) else value


def _cut(text: str) -> str:
    return text if len(text) <= _longest_cell else f"{text[: _longest_cell - 1]}…"


def _short(column: list[Any]) -> list[Any]:
    return [float(f"{value:.{_digits}g}") if isinstance(value, float) else value for value in column]


def _size(values: Any) -> int:
    return len(json.dumps(values, separators=(",", ":")))


def _sentence(n_shown: int, n_rows: int, n_columns: int, n_all: int, rounded: bool) -> str:
    rows = f"All {n_rows:,} rows" if n_shown == n_rows else f"{n_shown:,} of {n_rows:,} rows, those on the map,"
    columns = f"all {n_all:,} columns" if n_columns == n_all else f"{n_columns:,} of {n_all:,} columns"
    cut = f"; numbers have {_digits} digits" if rounded else ""
    return f"{rows} with {columns} are in this page{cut}."
