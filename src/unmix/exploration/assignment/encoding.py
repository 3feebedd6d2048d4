"""What new rows need to be placed among the groups of an explored table, and to be compared with it.

cells → values by the kind each column had → features by its scale → gaps filled → projected as the rows were
Some of the explored rows are kept with their groups, so that a new row can be told to lie far from all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.columns.encode import Indicators, NumberScale
from unmix.exploration.columns.imputation import Filling
from unmix.exploration.columns.kinds import Kind, as_kind
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Findings
from unmix.exploration.structure.clustering import Clustering
from unmix.exploration.structure.evaluation_set import Rows

_farthest = 1e6  # standard deviations: where infinity lies, and what has no logarithm


class UsedColumn(NamedTuple):
    """A column that formed the groups: how its cells are read, and between what its numbers lay."""

    name: str
    kind: str
    form: str
    sentinels: tuple[float, ...]
    levels: tuple[str, ...]  # all that were seen, of a category
    low: float
    high: float
    middle: float

    def read(self, series: pl.Series, decimal_comma: bool) -> pl.Series:
        """Cells as values, as they were read when the table was explored."""
        levels = pl.Series(self.name, list(self.levels), dtype=pl.String)
        known = Kind(self.kind, levels, treated_as=self.form, sentinels=self.sentinels)
        return as_kind(series, known, decimal_comma)


class Kept(NamedTuple):
    """Some rows of the explored table, drawn at random where there are many: number, values, group, confidence."""

    rows: np.ndarray  # from 1
    values: pl.DataFrame
    labels: np.ndarray
    confidence: np.ndarray
    blocks: np.ndarray  # of rows that depend on each other; one each where they do not
    dependence: str = ""  # along what, in words


class Axes(NamedTuple):
    """Directions (m, d) and mean (d,) of the components in which groups were sought."""

    directions: np.ndarray
    mean: np.ndarray


@dataclass
class Encoding:
    """Of one explored table. `settings` are what `explore` was given, `sizes` count rows of all of it."""

    source: str
    n_rows: int
    settings: dict[str, Any]
    names: list[str]
    sizes: list[int]
    table_columns: list[str]
    columns: list[UsedColumn]
    scales: list[NumberScale | Indicators]
    filling: Filling
    axes: Axes | None
    kept: Kept
    model: Any = field(default=None, repr=False)

    def values(self, frame: pl.DataFrame, decimal_comma: bool) -> pl.DataFrame:
        """The used columns of a table as values; a column that it lacks is missing everywhere."""
        read = [
            column.read(frame[column.name], decimal_comma)
            if column.name in frame.columns
            else pl.Series(column.name, [None] * frame.height, dtype=_type(column))
            for column in self.columns
        ]
        return pl.DataFrame(read)

    def features(self, values: pl.DataFrame) -> np.ndarray:
        """(n, d) without gaps, as the model was fitted to."""
        return self._projected(self.filling.fill(self.standardised(values)))

    def unclipped(self, values: pl.DataFrame) -> np.ndarray:
        """Features in which a number beyond all that were seen lies as far out as it is, and gaps are filled."""
        parts = []
        for scale, column in zip(self.scales, self.columns):
            cells = values[column.name]
            part = scale.apply(cells)
            if isinstance(scale, NumberScale):
                outside = ~cells.is_between(column.low, column.high).fill_null(True).to_numpy()
                away = replace(scale, low=-np.inf, high=np.inf).apply(cells.filter(pl.Series(outside)))
                part[outside] = np.nan_to_num(away, nan=-_farthest, posinf=_farthest, neginf=-_farthest)
            parts.append(part)
        return self.filling.fill(np.hstack(parts))

    def standardised(self, values: pl.DataFrame) -> np.ndarray:
        """(n, d) features with nan for gaps."""
        return _applied(self.scales, values)

    def predict(self, values: pl.DataFrame) -> np.ndarray:
        """The group of each row, -1 for one without any value."""
        given = ~np.logical_and.reduce([series.is_null().to_numpy() for series in values])
        labels = np.full(values.height, -1)
        if given.any():
            labels[given] = self.model.predict(self.features(values.filter(pl.Series(given))))
        return labels

    def _projected(self, X: np.ndarray) -> np.ndarray:
        if self.axes is None:
            return X
        return self.axes.mean + (X - self.axes.mean) @ self.axes.directions.T @ self.axes.directions


def make_encoding(
    findings: Findings, prepared: Prepared, clustering: Clustering, looked_at: Rows, axes: tuple[Any, Any] | None
) -> Encoding:
    """Of findings that were just made from the prepared table; the rows that were looked at are kept."""
    used = [(column, kind) for column, kind in zip(prepared.columns, prepared.kinds) if column.used]
    order, back = looked_at.order, np.argsort(looked_at.numbers)
    rows = looked_at.numbers[back]
    return Encoding(
        findings.source.name,
        findings.source.n_rows,
        findings.settings,
        [cluster.name for cluster in findings.clusters],
        [cluster.size for cluster in findings.clusters],
        [column.name for column in prepared.columns],
        [_used(column.name, kind) for column, kind in used],
        prepared.scales,
        prepared.filling,
        None if axes is None else Axes(*axes),
        Kept(
            prepared.rows[rows],
            pl.DataFrame([kind.values[rows] for _, kind in used]),
            clustering.labels[rows],
            clustering.confidence[rows],
            np.arange(len(rows)) if order is None else order.blocks[back],
            "" if order is None else order.words,
        ),
        findings.model,
    )


def _used(name: str, kind: Kind) -> UsedColumn:
    if kind.form != "numeric":
        levels = sorted(kind.values.drop_nulls().unique().to_list())
        return UsedColumn(name, kind.kind, kind.form, kind.sentinels, tuple(levels), 0.0, 0.0, 0.0)
    x = kind.values.drop_nulls().to_numpy()
    return UsedColumn(
        name, kind.kind, kind.form, kind.sentinels, (), float(x.min()), float(x.max()), float(np.median(x))
    )  # fmt: skip


def _applied(scales: Sequence[NumberScale | Indicators], values: pl.DataFrame) -> np.ndarray:
    return np.hstack([scale.apply(values[scale.column]) for scale in scales])


def _type(column: UsedColumn) -> Any:
    return pl.Float64 if column.form == "numeric" else pl.String
