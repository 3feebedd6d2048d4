"""What a new table has that the explored one did not, or lacks: one sentence for each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from unmix.exploration.assignment.encoding import Encoding, UsedColumn
from unmix.exploration.columns.control import nearest
from unmix.io.base.errors import TableError

_most_named = 5
_many_outside = 0.5  # of the values, from which on another unit is more likely than other rows
_some_outside = 0.01


class Seen:
    """Counts over the batches of a new table what its columns hold that was never seen."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.unknown: dict[str, dict[str, int]] = {column.name: {} for column in encoding.columns}
        self.outside = {column.name: 0 for column in encoding.columns}
        self.given = {column.name: 0 for column in encoding.columns}
        self.middles: dict[str, list[float]] = {column.name: [] for column in encoding.columns}

    def look_at(self, values: pl.DataFrame) -> None:
        for column in self.encoding.columns:
            given = values[column.name].drop_nulls()
            self.given[column.name] += len(given)
            if column.form == "numeric":
                self._numbers(column, given)
            else:
                new = given.filter(~given.is_in(list(column.levels)))
                for level, count in new.value_counts().sort("count", descending=True).iter_rows():
                    self.unknown[column.name][level] = self.unknown[column.name].get(level, 0) + count

    def add(self, other: Seen) -> None:
        """Count what was seen in rows that follow."""
        for name in self.given:
            self.given[name] += other.given[name]
            self.outside[name] += other.outside[name]
            self.middles[name] += other.middles[name]
            for level, count in other.unknown[name].items():
                self.unknown[name][level] = self.unknown[name].get(level, 0) + count

    def _numbers(self, column: UsedColumn, given: pl.Series) -> None:
        width = column.high - column.low
        self.outside[column.name] += int((~given.is_between(column.low - width / 2, column.high + width / 2)).sum())
        if len(given):
            self.middles[column.name].append(float(given.median()))  # type: ignore[arg-type]

    def sentences(self) -> Iterator[str]:
        for column in self.encoding.columns:
            yield from self._of_levels(column) if column.form != "numeric" else self._of_numbers(column)

    def _of_levels(self, column: UsedColumn) -> Iterator[str]:
        new = self.unknown[column.name]
        if new:
            named = ", ".join(f"{level!r} ({count:,})" for level, count in list(new.items())[:_most_named])
            more = f" and {len(new) - _most_named} more" if len(new) > _most_named else ""
            yield f"Column {column.name!r} holds levels that were not seen before: {named}{more}; they count as none."

    def _of_numbers(self, column: UsedColumn) -> Iterator[str]:
        given, outside = self.given[column.name], self.outside[column.name]
        if not given or outside < max(_some_outside * given, 2):
            return
        range_seen = f"the {column.low:.4g} to {column.high:.4g} seen before"
        share = f"{100 * outside / given:.0f} % of the values of column {column.name!r} lie far outside {range_seen}"
        middle = float(np.median(self.middles[column.name]))
        if outside >= _many_outside * given:
            was = f"was {column.middle:.4g}{_times(middle, column.middle)}"
            yield f"{share} (median {middle:.4g}, {was}): is it in another unit?"
        else:
            yield f"{share}."


def _times(now: float, before: float) -> str:
    if now * before <= 0:
        return ""
    ratio = now / before
    return f", {_number(ratio)} times as much" if ratio >= 1 else f", {_number(1 / ratio)} times less"


def _number(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}"


def check_columns(encoding: Encoding, found: list[str]) -> list[str]:
    """Sentences on columns that are missing or new; a table without any that is needed is refused."""
    needed = [column.name for column in encoding.columns]
    missing = [name for name in needed if name not in found]
    if len(missing) == len(needed):
        raise TableError(
            f"None of the columns that formed the groups is in the table ({', '.join(map(repr, needed[:_most_named]))}"
            f"{', …' if len(needed) > _most_named else ''} {'was' if len(needed) == 1 else 'were'} expected); "
            f"it has {', '.join(map(repr, found[:_most_named]))}{', …' if len(found) > _most_named else ''}."
        )
    others = [name for name in found if name not in needed]
    said = [f"Column {name!r}, which formed the groups, is not in the table: it counts as missing{_meant(name, others)}"
            for name in missing]  # fmt: skip
    extra = [name for name in found if name not in encoding.table_columns]
    if extra:
        named = ", ".join(map(repr, extra[:_most_named])) + (", …" if len(extra) > _most_named else "")
        count = "1 column was" if len(extra) == 1 else f"{len(extra)} columns were"
        said.append(f"{count} not in the table that was explored: {named}.")
    return said


def _meant(name: str, others: list[str]) -> str:
    words = nearest(name, others)
    return words if words.startswith("; did you mean") else "."
