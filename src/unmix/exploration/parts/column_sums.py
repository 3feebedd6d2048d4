"""What can be told of a column from all of its rows: sums that add up, file by file.

mean, spread   from counts, means and squares about the mean:  M = M₁ + M₂ + δ² n₁ n₂ / n  (Chan, Golub & LeVeque 1979)
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.columns.kinds import Kind, as_kind
from unmix.exploration.findings.records import Column
from unmix.io.text.cells import blank_missing

COUNTED = ("category", "boolean")


class ColumnSums(NamedTuple):
    """Of some rows: how many have a value, and of numbers mean, squares about it, ends; of categories the counts."""

    n_rows: int = 0
    n_given: int = 0
    mean: float = 0.0
    squares: float = 0.0
    low: float = math.inf
    high: float = -math.inf
    counts: dict[str, int] | None = None

    def merge(self, other: ColumnSums) -> ColumnSums:
        """Of both parts together, in this order."""
        n = self.n_given + other.n_given
        step = other.mean - self.mean
        share = other.n_given / n if n else 0.0
        counts = None if self.counts is None or other.counts is None else dict(self.counts)
        for level, count in (other.counts or {}).items() if counts is not None else ():
            counts[level] = counts.get(level, 0) + count  # type: ignore[index]
        return ColumnSums(
            self.n_rows + other.n_rows, n, self.mean + share * step,
            self.squares + other.squares + step * step * self.n_given * share,
            min(self.low, other.low), max(self.high, other.high), counts,
        )  # fmt: skip


def sums_of(series: pl.Series, kind: Kind, decimal_comma: bool) -> ColumnSums:
    """Of the cells of one frame, read as the column was."""
    n = len(series)
    if kind.form == "numeric":
        x = as_kind(series, kind, decimal_comma).drop_nulls().to_numpy()
        if not len(x):
            return ColumnSums(n)
        mean = float(x.mean())
        return ColumnSums(n, len(x), mean, float(np.square(x - mean).sum()), float(x.min()), float(x.max()))
    if kind.form in COUNTED:
        given = as_kind(series, kind, decimal_comma).drop_nulls()
        pairs = given.rename("level").value_counts(name="count").sort("level").iter_rows()
        return ColumnSums(n, len(given), counts=dict(pairs))
    cells = blank_missing(series) if series.dtype == pl.String else series
    return ColumnSums(n, n - cells.null_count())


def told_by_all(column: Column, sums: ColumnSums) -> Column:
    """The record of a column with what all rows say in place of what the sample said."""
    summary: dict[str, Any] = dict(column.summary)
    if column.form == "numeric" and sums.n_given:
        std = math.sqrt(max(sums.squares, 0.0) / sums.n_given)
        summary |= {"min": sums.low, "max": sums.high, "mean": sums.mean, "std": std}
    if column.form in COUNTED and sums.counts:
        levels = sorted(sums.counts.items(), key=lambda pair: (-pair[1], pair[0]))[: max(len(summary["levels"]), 1)]
        summary["levels"] = [{"value": value, "count": count} for value, count in levels]
        summary["n_other"] = sums.n_given - sum(count for _, count in levels)
    n_unique = len(sums.counts) if sums.counts else column.n_unique
    return replace(column, n_missing=sums.n_rows - sums.n_given, n_unique=n_unique, summary=summary)
