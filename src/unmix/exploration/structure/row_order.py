"""Along which order rows depend on each other, if they do: as they stand, in time, or by unit and time.

A unit is what is measured again and again, as countries by year: a column of names that, with the time, names the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.columns.preparation import Prepared
from unmix.validation.dependence.copies import find_copies
from unmix.validation.dependence.order import OrderDependence, order_dependence

_most_missing = 0.1  # times and units that are missing put no order to the rows


class RowOrder(NamedTuple):
    """Places of the rows in the order along which they depend most clearly, what that order is, and how much.

    `units[i]` tells whose row i of that order is, None where rows have no units.
    """

    order: np.ndarray
    words: str
    dependence: OrderDependence
    units: np.ndarray | None = None

    @property
    def blocks(self) -> np.ndarray:
        """Of every row in that order, which of the blocks that belong together it is in."""
        return np.arange(len(self.order)) // self.dependence.block_length if self.units is None else self.units


def find_order(prepared: Prepared, rows: np.ndarray, X: np.ndarray, seed: int) -> RowOrder | None:
    """The order of `X`, the given rows, in which neighbours are most clearly alike; None where rows do not depend."""
    copies = find_copies(X)
    single = np.arange(len(X)) if copies is None else copies.first  # copies side by side are no series
    alone = np.zeros(len(X), bool)
    alone[single] = True
    best = None
    for order, words, units in _orders(prepared, rows):
        # Of units it is known that their rows are together for being theirs: all rows are shuffled.
        found = order_dependence(X[order[alone[order]]], seed, **({} if units is None else {"block": len(X)}))
        if not found.dependent:
            continue
        if units is not None:  # they say why rows depend
            return RowOrder(order, words, found._replace(n_effective=float(units.max() + 1)), units)
        if best is None or found.p_value < best.dependence.p_value:
            best = RowOrder(order, words, found)
    return best


def _orders(prepared: Prepared, rows: np.ndarray) -> Iterator[tuple[np.ndarray, str, np.ndarray | None]]:
    """Ways to put the rows in order, units first."""
    times, units = _times_and_units(prepared, rows)
    for (time, when), (unit, who) in product(times, units):
        if _name_rows(who, when):
            order = np.lexsort((when, who))
            yield order, f"of one {unit!r} by {time!r}", np.unique(who[order], return_inverse=True)[1]
    yield np.arange(len(rows)), "in the order of the table", None
    for time, when in times:
        yield np.argsort(when, kind="stable"), f"in the order of {time!r}", None


def _times_and_units(prepared: Prepared, rows: np.ndarray) -> tuple[list, list]:
    """Columns that may tell when and whose a row is, as ranks; those that the user named, alone."""
    times = [] if prepared.order is None else [named(prepared.order, rows)]
    units = [] if prepared.group is None else [named(prepared.group.cast(pl.String), rows)]
    if times or units:
        return times, units
    for column, kind in zip(prepared.columns, prepared.kinds):
        values = kind.values.gather(rows)
        if values.null_count() > _most_missing * len(rows) or values.n_unique() < 3:
            continue
        if column.form == "date":
            times.append((column.name, values.rank("dense").fill_null(0).to_numpy()))
        elif column.form in ("category", "id", "text"):
            units.append((column.name, values.cast(pl.String).rank("dense").fill_null(0).to_numpy()))
    return times, units


def named(column: pl.Series, rows: np.ndarray) -> tuple[str, np.ndarray]:
    return column.name, column.gather(rows).rank("dense").fill_null(0).to_numpy()


def _name_rows(who: np.ndarray, when: np.ndarray) -> bool:
    """Whether units come back at several times, once each."""
    n, together = len(who), np.unique(np.stack([who, when]), axis=1).shape[1]
    return together >= (1 - _most_missing) * n and max(len(np.unique(who)), len(np.unique(when))) <= n / 2
