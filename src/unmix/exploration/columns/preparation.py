"""From a frame to a matrix without gaps: kinds, usage, rows that can be compared, encoding, missing values filled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.columns.column import describe_column, refuse_infinite
from unmix.exploration.columns.control import Control, check_names, given_kind
from unmix.exploration.columns.encode import Indicators, NumberScale, fit_indicators, fit_number
from unmix.exploration.columns.imputation import Filling, fit_filling, most_rows
from unmix.exploration.columns.kinds import Kind, as_counter, as_kind, counts_rows, kind_of, row_names
from unmix.exploration.columns.relations import relate
from unmix.exploration.columns.usage import decide_usage
from unmix.exploration.findings.records import Column, Missing
from unmix.io.base.errors import TableError
from unmix.io.text.cells import table_decimal_comma


class Prepared(NamedTuple):
    """The matrix X and what it came from; `kinds` and `rows` go with the rows of X, `columns` tell of all rows."""

    X: np.ndarray
    owner: np.ndarray  # (d,) index of the table column each feature came from
    category: np.ndarray  # (d,) does it come from a category
    holes: np.ndarray  # (n, d) was the entry missing, and filled
    scales: list[NumberScale | Indicators]
    columns: list[Column]
    kinds: list[Kind]
    rows: np.ndarray  # row number in the table, from 1
    missing: Missing
    warnings: list[str]
    filling: Filling
    group: pl.Series | None = None  # of each row of X, the unit it belongs to, where the user named that column
    order: pl.Series | None = None  # and what the rows follow each other by
    names: list[str] | None = None  # of the features, where no scales tell them

    @property
    def features(self) -> list[str]:
        return [feature for scale in self.scales for feature in scale.features] if self.names is None else self.names

    def encode_more(self, frame: pl.DataFrame, decimal_comma: bool) -> tuple[np.ndarray, np.ndarray]:
        """Other rows of the same table as rows of X, and which of them have a value to be compared by."""
        used = [(column, kind) for column, kind in zip(self.columns, self.kinds) if column.used]
        values = [as_kind(frame[column.name], kind, decimal_comma) for column, kind in used]
        keep = np.zeros(frame.height, bool)
        for series in values:
            keep |= series.is_not_null().to_numpy()
        X = np.hstack([scale.apply(series) for scale, series in zip(self.scales, values)])
        return self.filling.fill(X), keep


def prepare(
    frame: pl.DataFrame, seed: int, categories: str = "auto", names: str | None = None, rows: np.ndarray | None = None,
    control: Control | None = None,
) -> Prepared:  # fmt: skip
    """Kinds, usage and numbers of a table's columns; ``names`` is the one that only names or counts the rows.

    ``rows`` are the numbers of the rows, from 0, where these are some of a longer table.
    """
    control = control or Control()
    if frame.width == 0:
        raise TableError("The table has no columns; at least one was expected.")
    if frame.height < 2:
        raise TableError(f"The table has {frame.height} row{'s' * (frame.height != 1)}; at least two were expected.")
    check_names(control, frame.columns)
    kinds = kinds_of(frame, names, rows, control)
    for name, kind in zip(frame.columns, kinds):
        refuse_infinite(name, kind)
    columns = [describe_column(name, kind) for name, kind in zip(frame.columns, kinds)]
    decide_usage(columns, kinds, frame.height, categories, control)
    keep = comparable_rows(columns, kinds)
    kinds = [kind._replace(values=kind.values.filter(pl.Series(keep))) for kind in kinds]
    warnings = [f"In column {name!r} {doubt}." for name, kind in zip(frame.columns, kinds) for doubt in kind.doubts]
    scales = _fit_scales(columns, kinds, warnings)
    X, owner, category = encode(scales, columns, kinds)
    holes, kept = np.isnan(X), np.flatnonzero(keep)
    missing = missing_cells(columns, frame.shape, holes.any(), int((~keep).sum()))
    filling = fit_filling(X, seed)
    numbers = (kept if rows is None else rows[kept]) + 1
    X = filling.fill(X)
    group, order = (
        None if name is None else frame[name].filter(pl.Series(keep)) for name in (control.group, control.order)
    )
    return Prepared(
        X, owner, category, holes, scales, columns, kinds, numbers, missing, warnings, filling, group, order
    )  # fmt: skip


def kinds_of(
    frame: pl.DataFrame, names: str | None = None, rows: np.ndarray | None = None, control: Control | None = None
) -> list[Kind]:
    """The kind of every column; ``names`` is the one that only names or counts the rows."""
    decimal_comma, control = table_decimal_comma(frame), control or Control()
    given = [given_kind(series, control, decimal_comma) for series in frame]
    kinds = [
        kind or (row_names(series) if series.name == names else kind_of(series, decimal_comma))
        for series, kind in zip(frame, given)
    ]
    if rows is not None:
        kinds = [as_counter(kind) if counts_rows(kind, rows) else kind for kind in kinds]
    dropped = set(control.drop)
    related = relate([kind for kind in kinds if kind.values.name not in dropped])
    found = {kind.values.name: kind for kind in related}
    return [said or found.get(kind.values.name, kind) for said, kind in zip(given, kinds)]


def comparable_rows(columns: list[Column], kinds: list[Kind]) -> np.ndarray:
    """Rows with a value in at least one column that is used; the others lie nowhere in particular."""
    keep = np.zeros(len(kinds[0].values), bool)
    for column, kind in zip(columns, kinds):
        if column.used:
            keep |= kind.values.is_not_null().to_numpy()
    if keep.sum() < 2:
        raise TableError("Fewer than two rows have a value in a column that can be used; nothing can be compared.")
    return keep


def _fit_scales(columns: list[Column], kinds: list[Kind], warnings: list[str]) -> list[NumberScale | Indicators]:
    return [
        fit_number(column, kind, warnings) if column.form == "numeric" else fit_indicators(column, kind)
        for column, kind in zip(columns, kinds)
        if column.used
    ]


def encode(
    scales: list[NumberScale | Indicators], columns: list[Column], kinds: list[Kind]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The matrix, nan for missing numbers, and for each feature its column and whether that is a category."""
    place = {column.name: j for j, column in enumerate(columns)}
    parts, owner, category = [], [], []
    for scale in scales:
        j = place[scale.column]
        parts.append(scale.apply(kinds[j].values))
        owner += [j] * parts[-1].shape[1]
        category += [columns[j].form != "numeric"] * parts[-1].shape[1]
    return np.hstack(parts), np.array(owner), np.array(category)


def missing_cells(columns: list[Column], shape: tuple[int, int], gaps: bool, n_dropped: int) -> Missing:
    """`gaps`: whether cells of numbers were filled; `n_dropped` rows got no cluster."""
    n_cells = sum(column.n_missing for column in columns)
    said = []
    if n_dropped:
        rows = "1 row has" if n_dropped == 1 else f"{n_dropped:,} rows have"
        said.append(f"{rows} no value in any column that was used, and got no cluster")
    if gaps:
        seen = f" of {most_rows:,} rows" if shape[0] - n_dropped > most_rows else ""
        said.append(f"missing numbers were filled with their expected value given the row's other numbers (PCA{seen})")
    if any(column.used and column.form != "numeric" and column.n_missing for column in columns):
        said.append("in categories, missing is a level of its own")
    if not n_cells:
        said = ["no value is missing"]
    treatment = "; ".join(said) or "missing values stand only in columns that were not used"
    return Missing(n_cells, n_cells / (shape[0] * shape[1]), treatment[0].upper() + treatment[1:] + ".", n_dropped)
