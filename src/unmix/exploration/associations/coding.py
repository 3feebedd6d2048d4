"""Columns of any kinds as few levels each: quantile bins of numbers and dates, the levels of categories.

Bins follow ranks, so that no unit, no far value and no monotone map changes them; √(n / 5) of them leave five rows for
a cell of two columns. A level of few rows joins the others of its kind, and a missing cell has no level.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy.special import ndtri

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.columns.preparation import Prepared
from unmix.validation.dependence.order import mean_ranks

MOST_COLUMNS = 60
MOST_LEVELS = 12
MOST_BINS = 8
FARTHEST = 5.0  # middle halves of a column from its median
ROWS_OF_A_CELL = 5
FEWEST_VALUES = 20  # of a column
OTHERS = "another level"
_told = ("numeric", "category", "boolean", "date")


class Column(NamedTuple):
    """Level of each cell (n,), -1 if missing; of a number normal scores and plain values of spread 1, NaN if missing.

    `levels` are what the levels are called, None for bins of a number.
    """

    codes: np.ndarray
    scores: np.ndarray
    plain: np.ndarray
    levels: list[str] | None = None


class Coded(NamedTuple):
    """Names of columns, and what a `Column` holds of each: (n, c), and one list of levels a column."""

    names: list[str]
    codes: np.ndarray
    scores: np.ndarray
    plain: np.ndarray
    levels: list[list[str] | None]

    @property
    def sizes(self) -> np.ndarray:
        return np.asarray(self.codes.max(axis=0, initial=-1) + 1)

    def take(self, places: list[int]) -> Coded:
        return Coded(
            [self.names[j] for j in places],
            self.codes[:, places],
            self.scores[:, places],
            self.plain[:, places],
            [self.levels[j] for j in places],
        )


class Looked(NamedTuple):
    """The columns that were looked at, and the names of those that were too many."""

    coded: Coded
    left_out: list[str]


def coded_columns(prepared: Prepared, rows: np.ndarray) -> Looked:
    """Columns that measure or tell apart, the used and the best filled first where there are too many."""
    candidates = [
        j
        for j, (column, kind) in enumerate(zip(prepared.columns, prepared.kinds))
        if column.describes and column.kind not in ("id", "counter", "text", "constant") and kind.form in _told
    ]
    candidates.sort(key=lambda j: (not prepared.columns[j].used, prepared.columns[j].n_missing))
    kept = sorted(candidates[:MOST_COLUMNS])
    left = [prepared.columns[j].name for j in sorted(candidates[MOST_COLUMNS:])]
    return Looked(code([prepared.kinds[j] for j in kept], rows), left)


def code(kinds: list[Kind], rows: np.ndarray) -> Coded:
    """The columns of which enough cells are given, and not all alike, among these rows."""
    made = [(kind.values.name, _code(kind, kind.values.gather(rows))) for kind in kinds]
    return join(len(rows), {name: column for name, column in made if column is not None and column.codes.max() > 0})


def join(n: int, columns: Mapping[str, Column]) -> Coded:
    if not columns:
        return Coded([], np.empty((n, 0), int), np.empty((n, 0)), np.empty((n, 0)), [])
    codes, scores, plain, levels = zip(*columns.values())
    return Coded(list(columns), np.column_stack(codes), np.column_stack(scores), np.column_stack(plain), list(levels))


def _code(kind: Kind, values: pl.Series) -> Column | None:
    if len(values) - values.null_count() < FEWEST_VALUES:
        return None
    if kind.form in ("category", "boolean"):
        return code_levels(values.cast(pl.String))
    numbers = values.to_physical() if values.dtype.is_temporal() else values
    return code_numbers(numbers.cast(pl.Float64, strict=False).to_numpy())


def most_bins(n: int) -> int:
    return int(np.clip(np.sqrt(n / ROWS_OF_A_CELL), 2, MOST_BINS))


def code_numbers(x: np.ndarray) -> Column:
    """Bins of equal numbers of rows, or the values themselves where they are few."""
    given = np.isfinite(x)
    codes, scores, plain = np.full(len(x), -1), np.full(len(x), np.nan), np.full(len(x), np.nan)
    place = (mean_ranks(x[given]) - 0.5) / max(int(given.sum()), 1)
    m = most_bins(len(x))
    few = len(np.unique(place)) <= m
    codes[given] = np.unique(place if few else np.floor(m * place), return_inverse=True)[1]
    z = ndtri(place)
    scores[given] = (z - z.mean()) / (z.std() or 1.0)
    plain[given] = _plain(x[given])
    return Column(codes, scores, plain)


def _plain(x: np.ndarray) -> np.ndarray:
    """Values, or their logarithms where these lie more evenly about their middle, with nothing far out."""
    forms = [x / (np.abs(x).max(initial=0.0) or 1.0)]
    forms += [np.log(x)] if x.min(initial=0.0) > 0 else []
    return min((_drawn_in(form) for form in forms), key=lambda form: abs(float((form**3).mean())) if len(form) else 0.0)


def _drawn_in(x: np.ndarray) -> np.ndarray:
    low, middle, high = np.quantile(x, [0.25, 0.5, 0.75]) if len(x) else (0.0, 0.0, 0.0)
    if high > low:
        x = np.clip(x, middle - FARTHEST * (high - low), middle + FARTHEST * (high - low))
    return np.asarray((x - x.mean()) / (x.std() or 1.0))


def code_levels(values: pl.Series) -> Column:
    """Most frequent level first; those of less than five rows, and those beyond twelve, are one."""
    counts = values.drop_nulls().value_counts().sort(["count", values.name], descending=[True, False])
    levels = counts[values.name].to_list()
    named = int((counts["count"] >= ROWS_OF_A_CELL).sum())
    named = named if named == len(levels) <= MOST_LEVELS else min(named, MOST_LEVELS - 1)
    place = {level: j for j, level in enumerate(levels[:named])}
    codes = np.array([-1 if cell is None else place.get(cell, named) for cell in values.to_list()])
    none = np.full(len(codes), np.nan)
    return Column(codes, none, none, [*levels[:named], *([OTHERS] if named < len(levels) else [])])
