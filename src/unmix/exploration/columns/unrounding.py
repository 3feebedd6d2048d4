"""Rounded numbers spread over the cells they stand for, in the units of the table, before logarithms and filling.

A cell is even in what the table holds; its logarithm is not. And what was filled in is not a value that was recorded:
so numbers are spread first, then stretched, then gaps are filled. Values that were clipped would all stand at one
place, as no tail does: they lie beyond it by the logarithm of what was cut off.
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
from unmix.validation.evidence.reference import is_simplex


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
    widths = column_widths(raw[given]) if len(given) else None
    if widths is None:
        return spread
    low, high = (free.apply(pl.Series(raw[given] + part * widths))[:, 0] for part in (-0.5, 0.5))
    low = np.where(np.isfinite(low), low, 2 * middle - high)  # the cell of a smallest value may reach below 0
    spread[given] = np.where(beyond == 0, low + place[given] * (high - low), spread[given])
    return spread
