"""Along which order rows depend on each other, if they do: as they stand, in time, by unit and time, or by place.

A unit is what is measured again and again, as countries by year: a column of names that, with the time, names the row.
Without a time, many names with several rows each are units where rows of one name are nearly alike. Places are walked
through in strips, so that rows that follow each other are neighbours; what is asked is whether the other columns are
alike there.
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
from unmix.validation.dependence.units import unit_means

_most_missing = 0.1  # times and units that are missing put no order to the rows
_fewest_units, _fewest_rows_a_unit = 12, 3  # fewer names than that may well be those of the groups themselves
_between_units = 0.5  # share of the variance, from which on rows of one name are nearly alike
_alike = 1e-9  # standard deviations between rows that are the same to rounding
_strip = 2.0  # rows of a strip are the root of so many times all rows: neighbours along it are as near as across
BY_PLACE = "from place to place"


class Way(NamedTuple):
    """A way to put rows in order, what it is called, whose row each is, and which columns tell whether rows depend."""

    order: np.ndarray
    words: str
    units: np.ndarray | None
    columns: np.ndarray | slice


class RowOrder(NamedTuple):
    """Places of the rows in the order along which they depend most clearly, what that order is, and how much.

    `units[i]` tells whose row i of that order is, None where rows have no units.
    """

    order: np.ndarray
    words: str
    dependence: OrderDependence
    units: np.ndarray | None = None

    @property
    def apart(self) -> int | None:
        """How many rows on from one the next is that hardly depends on it; None where rows depend over long ways."""
        near = self.dependence.coefficient
        if near is None or self.units is not None or self.words == BY_PLACE:
            return None
        return int(np.ceil((1 + near) / (1 - near)))

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
    for order, words, units, columns in _ways(prepared, rows, X):
        # Of units and places it is known why rows are together: all rows are shuffled, not those nearby alone.
        known = units is not None or words == BY_PLACE
        found = order_dependence(X[order[alone[order]]][:, columns], seed, **({"block": len(X)} if known else {}))
        if not found.dependent:
            continue
        if units is not None:  # they say why rows depend
            return RowOrder(order, words, found._replace(n_effective=float(units.max() + 1)), units)
        if best is None or found.p_value < best.dependence.p_value:
            best = RowOrder(order, words, found)
    return best


def _ways(prepared: Prepared, rows: np.ndarray, X: np.ndarray) -> Iterator[Way]:
    """Ways to put the rows in order, units first."""
    times, units = _times_and_units(prepared, rows)
    every = slice(None)
    for (time, when), (unit, who) in product(times, units):
        if _name_rows(who, when):
            order, others = np.lexsort((when, who)), _features_besides(prepared, who, X)
            yield Way(order, f"of one {unit!r} by {time!r}", np.unique(who[order], return_inverse=True)[1], others)
    for unit, who in units:
        others = _features_besides(prepared, who, X)
        if prepared.group is not None or _are_units(who, X[:, others]):
            order = np.argsort(who, kind="stable")
            yield Way(order, f"of one {unit!r}", np.unique(who[order], return_inverse=True)[1], others)
    yield Way(np.arange(len(rows)), "in the order of the table", None, _not_sorted_by(prepared, X))
    for time, when in times:
        yield Way(np.argsort(when, kind="stable"), f"in the order of {time!r}", None, every)
    places = [j for j, column in enumerate(prepared.columns) if column.kind == "coordinate"]
    features = np.isin(prepared.owner, places)
    if features.sum() == 2 and not features.all():
        yield Way(_by_place(X[:, features]), BY_PLACE, None, ~features)


def _features_besides(prepared: Prepared, who: np.ndarray, X: np.ndarray) -> np.ndarray:
    """All but names of the units: a category that all rows of a unit have in common. All, if no others are there."""
    which = np.unique(who, return_inverse=True)[1]
    named = prepared.category & (np.abs(X - unit_means(X, which)[which]).max(axis=0) < _alike)
    return ~named if (~named).any() else named


def _not_sorted_by(prepared: Prepared, X: np.ndarray) -> np.ndarray:
    """All features but those of categories whose levels each stand in one place: the table is sorted by these."""
    ordered = np.zeros(X.shape[1], bool)
    for column in np.unique(prepared.owner[prepared.category]):
        features = prepared.owner == column
        changes = np.count_nonzero(np.abs(np.diff(X[:, features], axis=0)).max(axis=1) > _alike)
        ordered |= features & (changes < len(np.unique(np.round(X[:, features], 6), axis=0)))
    return ~ordered if (~ordered).any() else ordered


def _are_units(who: np.ndarray, X: np.ndarray) -> bool:
    """Whether many names come back several times, and most of the variance lies between them."""
    which = np.unique(who, return_inverse=True)[1]
    n, n_units = len(which), int(which.max()) + 1
    if n_units < _fewest_units or n < _fewest_rows_a_unit * n_units:
        return False
    within = X - unit_means(X, which)[which]
    left = (within**2).sum(axis=0) / (n - n_units) / np.maximum(X.var(axis=0, ddof=1), 1e-12)
    return bool(1 - left.mean() >= _between_units)


def _by_place(places: np.ndarray) -> np.ndarray:
    """Rows in strips of the first coordinate, along the second there and back."""
    n = len(places)
    strip = np.argsort(np.argsort(places[:, 0])) // max(int(np.sqrt(_strip * n)), 1)
    return np.lexsort((np.where(strip % 2, -places[:, 1], places[:, 1]), strip))


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
        elif column.kind == "counter" and values.n_unique() == len(rows):  # of rows that may have been moved
            times.append((column.name, values.cast(pl.Float64).rank("dense").to_numpy()))
        elif column.form in ("category", "id", "text"):
            units.append((column.name, values.cast(pl.String).rank("dense").fill_null(0).to_numpy()))
    return times, units


def named(column: pl.Series, rows: np.ndarray) -> tuple[str, np.ndarray]:
    return column.name, column.gather(rows).rank("dense").fill_null(0).to_numpy()


def _name_rows(who: np.ndarray, when: np.ndarray) -> bool:
    """Whether units come back at several times, once each."""
    n, together = len(who), np.unique(np.stack([who, when]), axis=1).shape[1]
    return together >= (1 - _most_missing) * n and max(len(np.unique(who)), len(np.unique(when))) <= n / 2
