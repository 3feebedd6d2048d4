"""Rounded numbers spread over the cells they stand for, in the units of the table, before logarithms and filling.

A cell is even in what the table holds; its logarithm is not. And what was filled in is not a value that was recorded:
so numbers are spread first, then stretched, then gaps are filled. Values that were clipped would all stand at one
place, as no tail does: they lie beyond it by the logarithm of what was cut off. Where the column itself ends at a limit
that many cells hold (of detection, or the highest that was recorded), these lie beyond it as an exponential tail does
that is as dense at the limit as the cells before it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from unmix.algorithms.rounded_values.cells import column_widths
from unmix.core.random import spawn
from unmix.exploration.columns.encode import NumberScale
from unmix.exploration.columns.preparation import Prepared
from unmix.validation.dependence.copies import find_copies
from unmix.validation.evidence.references.reference import is_simplex

_limit_share, _limit_cells = 0.04, 8  # least share and number of cells at a limit
_above_neighbour = 3.0  # times as many cells as the value next to it holds: steps of a scale are no limits
_fewest_values = 12


def unrounded(prepared: Prepared, rows: np.ndarray, seed: int) -> np.ndarray:
    """Some rows of the matrix as they may have been before rounding; copies of a row stay copies."""
    X = prepared.X[rows]
    if is_simplex(X):
        return X
    copies = find_copies(X)
    first, which = (np.arange(len(X)), np.arange(len(X))) if copies is None else copies
    order = np.lexsort(X[first].T)  # of values alone: rows in another order are spread alike
    X = np.where(prepared.holes[rows], np.nan, X)
    values = {column.name: kind.values for column, kind in zip(prepared.columns, prepared.kinds)}
    feature = 0
    for scale in prepared.scales:
        if isinstance(scale, NumberScale):
            place = np.empty(len(first))
            place[order] = spawn(seed, 12, feature).random(len(first))
            raw = values[scale.column].cast(pl.Float64).to_numpy()[rows]
            X[:, feature] = _spread(scale, raw, X[:, feature], place[which])
        feature += len(scale.features)
    return prepared.filling.fill(X)


def _spread(scale: NumberScale, raw: np.ndarray, encoded: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Every value at its place, between 0 and 1, in its cell."""
    given = np.flatnonzero(~np.isnan(raw))
    free = replace(scale, low=-np.inf, high=np.inf)  # cells of the outermost values reach beyond them
    middle, spread = free.apply(pl.Series(raw[given]))[:, 0], encoded.copy()
    beyond = middle - encoded[given]
    spread[given] += np.sign(beyond) * np.log1p(np.abs(beyond))
    if not len(given):
        return spread
    spread[given], at_limit = _past_limits(raw[given], spread[given], place[given])
    widths = column_widths(raw[given])
    if widths is None:
        return spread
    low, high = (free.apply(pl.Series(raw[given] + part * widths))[:, 0] for part in (-0.5, 0.5))
    low = np.where(np.isfinite(low), low, 2 * middle - high)  # the cell of a smallest value may reach below 0
    spread[given] = np.where((beyond == 0) & ~at_limit, low + place[given] * (high - low), spread[given])
    return spread


def _past_limits(raw: np.ndarray, encoded: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The encoded values, those at a limit beyond it, and which cells these are."""
    values, counts = np.unique(raw, return_counts=True)
    encoded, at_limit = encoded.copy(), np.zeros(len(raw), bool)
    if len(values) < _fewest_values:
        return encoded, at_limit
    for end, next_, side in ((0, 1, -1.0), (-1, -2, 1.0)):
        n_at, here = counts[end], raw == values[end]
        if n_at < max(_limit_share * len(raw), _limit_cells) or n_at < _above_neighbour * counts[next_]:
            continue
        away = np.sort(np.abs(encoded[~here] - encoded[here][0]))
        as_many = min(n_at, len(away))
        encoded[here] -= side * away[as_many - 1] * n_at / as_many * np.log1p(-place[here])
        at_limit |= here
    return encoded, at_limit
