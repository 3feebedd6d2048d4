"""What can be told of a column from all of its rows: counts, and sums without rounding, that add up part by part."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.columns.column import SHOWN_LEVELS
from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.records import Column
from unmix.exploration.parts.grid import Grid, histogram, make_grid, moments, quartiles
from unmix.io.text.cells import blank_missing

COUNTED = ("category", "boolean")


class ColumnSums(NamedTuple):
    """Of some rows: how many have a value; of numbers sums of powers, ends, and counts on a grid; of levels counts."""

    n_rows: int = 0
    n_given: int = 0
    powers: tuple[int, int, int] = (0, 0, 0)
    low: float = math.inf
    high: float = -math.inf
    grid: np.ndarray | None = None
    levels: dict[str, int] | None = None

    def merge(self, other: ColumnSums) -> ColumnSums:
        """Of both parts together."""
        levels = Counter(self.levels) + Counter(other.levels)
        a, b = self.grid, other.grid
        return ColumnSums(
            self.n_rows + other.n_rows, self.n_given + other.n_given,
            tuple(one + more for one, more in zip(self.powers, other.powers)),  # type: ignore[arg-type]
            min(self.low, other.low), max(self.high, other.high), b if a is None else a if b is None else a + b,
            dict(levels) or None,
        )  # fmt: skip


def grid_of(column: Column, kind: Kind) -> Grid | None:
    """Where the numbers of a column are counted; None for what is no number."""
    if kind.form != "numeric" or kind.values.null_count() == len(kind.values):
        return None
    return make_grid(kind.values.drop_nulls().to_numpy(), column.summary)


def sums_of(series: pl.Series, cells: pl.Series | None, grid: Grid | None) -> ColumnSums:
    """Of one frame: the cells as they are, and read as the column was where it holds numbers or levels."""
    n = len(series)
    if cells is None:
        cells = blank_missing(series) if series.dtype == pl.String else series
        return ColumnSums(n, n - cells.null_count())
    given = cells.drop_nulls()
    if grid is None:
        return ColumnSums(n, len(given), levels=dict(given.rename("level").value_counts(name="count").iter_rows()))
    x = given.to_numpy()
    if not len(x):
        return ColumnSums(n)
    return ColumnSums(n, len(x), grid.powers(x), float(x.min()), float(x.max()), grid.tally(x))


def told_by_all(column: Column, sums: ColumnSums, grid: Grid | None) -> Column:
    """The record of a column with what all rows say in place of what the sample said."""
    summary: dict[str, Any] = dict(column.summary)
    if grid is not None and sums.grid is not None:
        summary |= {"min": sums.low, "max": sums.high, **moments(grid, sums.n_given, sums.powers)}
        summary |= quartiles(grid, sums.grid, sums.low, sums.high) | {"histogram": histogram(grid, sums.grid)}
    if sums.levels:
        levels = sorted(sums.levels.items(), key=lambda pair: (-pair[1], pair[0]))[:SHOWN_LEVELS]
        summary["levels"] = [{"value": value, "count": count} for value, count in levels]
        summary["n_other"] = sums.n_given - sum(count for _, count in levels)
    n_unique = len(sums.levels) if sums.levels else column.n_unique
    n_missing = sums.n_rows - sums.n_given
    return replace(column, summary=summary, n_missing=n_missing, n_unique=n_unique, n_rows=sums.n_rows)
