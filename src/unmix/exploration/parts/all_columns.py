"""One pass over all rows of a long table for what is told of its columns, each by itself and in pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

import polars as pl

from unmix.exploration.associations.all_rows import PairCounts, PairPlan, plan_pairs
from unmix.exploration.columns.kinds import as_kind
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Association, Associations
from unmix.exploration.parts.column_sums import COUNTED, ColumnSums, grid_of, sums_of, told_by_all
from unmix.exploration.parts.grid import Grid
from unmix.exploration.parts.over_rows import over_rows
from unmix.exploration.parts.recipe import without_rows
from unmix.exploration.structure.evaluation_set import Rows
from unmix.io.long_table import LongTable
from unmix.io.text.cells import table_decimal_comma


class Asked(NamedTuple):
    """What is counted of each column and of pairs; `prepared` says how cells are read."""

    prepared: Prepared
    decimal_comma: bool
    grids: list[Grid | None]
    pairs: PairPlan | None


class Tally(NamedTuple):
    columns: list[ColumnSums]
    pairs: PairCounts | None = None

    def merge(self, other: Tally) -> Tally:
        pairs = (
            other.pairs if self.pairs is None else self.pairs if other.pairs is None else self.pairs.merge(other.pairs)
        )
        return Tally([one.merge(more) for one, more in zip(self.columns, other.columns)], pairs)


def tell_of_all(data: LongTable, prepared: Prepared, looked_at: Rows, found: Associations) -> Associations:
    """The relations measured on all rows; the columns of `prepared` then tell of all rows too."""
    grids = [grid_of(column, kind) for column, kind in zip(prepared.columns, prepared.kinds)]
    plan = plan_pairs(prepared, looked_at, found.pairs)
    asked = Asked(without_rows(prepared), table_decimal_comma(data.sample.frame), grids, plan)
    total = reduce(Tally.merge, over_rows(data, tally, asked))
    prepared.columns[:] = [told_by_all(*one) for one in zip(prepared.columns, total.columns, grids)]
    if plan is None or total.pairs is None:
        return found
    measured: dict[tuple[str, ...], Association] = {tuple(item.columns): item for item in plan.over_all(total.pairs)}
    pairs = [measured.get(tuple(item.columns), item) for item in found.pairs]
    return replace(found, pairs=sorted(pairs, key=lambda item: -item.bits))


def tally(frames: Iterable[pl.DataFrame], asked: Asked) -> Tally:
    """Of the rows of some frames."""
    nothing = Tally([ColumnSums() for _ in asked.grids])
    return reduce(Tally.merge, (_of_frame(frame, asked) for frame in frames if frame.height), nothing)


def _of_frame(frame: pl.DataFrame, asked: Asked) -> Tally:
    known = list(zip(asked.prepared.columns, asked.prepared.kinds))
    cells = {
        column.name: as_kind(frame[column.name], kind, asked.decimal_comma)
        for column, kind in known
        if kind.form == "numeric" or kind.form in COUNTED
    }
    columns = [
        sums_of(frame[column.name], cells.get(column.name), grid) for (column, _), grid in zip(known, asked.grids)
    ]
    return Tally(columns, None if asked.pairs is None else asked.pairs.tally(cells))
