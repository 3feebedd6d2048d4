"""The spread that most rows have, where a few far ones make up the standard deviation.

    spread of a column = its standard deviation; where far rows make up most of it, that of the others

Far is what lies more than 3 times the distance of the quartiles beyond them (Tukey's outer fence). A far row takes as
much of the standard deviation as it likes, and with it the unit in which columns are compared, the least variance of a
component, and the digits of all other rows, once coordinates are taken about a mean it moved. Where half the rows have
one value deciles stand in for quartiles; where most have, there is no telling.
Reference: Tukey, Exploratory Data Analysis (1977).
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.rows.sample import draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.scaling.standardize import Spread, Units, inverse_powers_of_two, measure_spread

ROWS = 1024  # looked at
FAR = 2.0  # times the spread of the others: of a standard deviation beyond, far rows decide
FENCE = 3.0  # distances of the quartiles beyond them
SHARES = ((0.25, 0.75), (0.1, 0.9))
FARTHEST = {4: 2.0**40, 8: 2.0**100}  # times the spread, by bytes: squares over variances at the floor stay finite


def measure_typical(X: RowBlocks, weights: np.ndarray | None, *, common: bool = False) -> Spread:
    """As `measure_spread`, of what most rows show, and about their medians."""
    spread = measure_spread(X, weights, common=common)
    middle, within = inner_spread(X, weights, spread)
    deviation = np.sqrt(spread.variance) / spread.units.scale
    typical = np.where((within > 0) & (FAR * within < deviation), within, deviation)
    farthest = np.maximum(np.abs(spread.low), np.abs(spread.high))
    typical = np.minimum(np.maximum(typical, farthest / FARTHEST[X.dtype.itemsize]), deviation)
    scale, variance = spread.units.scale, spread.variance
    if (typical < deviation).any():
        size = np.full_like(typical, typical.max()) if common else typical
        scale = np.where((spread.variance > 0) | common, inverse_powers_of_two(size), scale)
        variance = (scale * typical) ** 2
    shift = (scale * middle).astype(X.dtype).astype(np.float64)
    return spread._replace(units=Units(scale, shift), variance=variance)


def inner_spread(X: RowBlocks, weights: np.ndarray | None, spread: Spread) -> tuple[np.ndarray, np.ndarray]:
    """The median of every column, and the standard deviation within its fences, 0 if all is; of a sample by weight."""
    rows, own = rows_to_look_at(X, weights)
    if (own != own[0]).any() or spread.missing:
        middle, within = np.array([of_column(column, own) for column in rows.T]).T
        return middle, within
    middle, beyond = of_equal_weights(rows, spread)
    within = np.zeros_like(middle)
    for j in np.flatnonzero(beyond):
        within[j] = of_column(rows[:, j], own)[1]
    return middle, within


def rows_to_look_at(X: RowBlocks, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Rows in float64, and what each counts; for quantiles they need neither order nor equal ones joined."""
    if weights is None and X.shape[0] <= ROWS:
        rows, own = X.gather(), None
    else:
        sample = draw_sample(X, weights, ROWS, 0)
        rows, own = sample.blocks.gather(), sample.weights
    rows = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
    return rows, np.ones(len(rows)) if own is None else own


def of_equal_weights(rows: np.ndarray, spread: Spread) -> tuple[np.ndarray, np.ndarray]:
    """The median of every column, and whether some of all its values are beyond its fences."""
    low, half, high = ((part * len(rows) - 1) // 4 for part in (1, 2, 3))  # as `of_column` counts
    ordered = np.partition(0.5 * rows, (low, half, high), axis=0)
    between = ordered[high] - ordered[low]
    away = np.maximum(0.5 * spread.high - ordered[high], ordered[low] - 0.5 * spread.low)
    return 2 * ordered[half], (away > FENCE * between) & (spread.variance > 0)


def of_column(column: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    there = ~np.isnan(column) & (weights > 0)
    if not there.any():  # the few that have a value are not in the sample
        return 0.0, 0.0
    order = np.flatnonzero(there)[np.argsort(column[there], kind="stable")]
    reached, halves = np.cumsum(weights[order]), 0.5 * column[order]  # so that the largest can be subtracted

    def at(share: float) -> float:
        return float(halves[min(np.searchsorted(reached, share * reached[-1]), len(halves) - 1)])

    for low, high in SHARES:
        between, middle = at(high) - at(low), at(0.5)
        if between > 0:
            with np.errstate(over="ignore"):
                inside = (halves >= at(low) - FENCE * between) & (halves <= at(high) + FENCE * between)
            unit, share = (halves[inside] - middle) / between, weights[order][inside]
            mean = np.average(unit, weights=share)
            return 2 * middle, 2 * between * float(np.sqrt(np.average((unit - mean) ** 2, weights=share)))
    return 2 * at(0.5), 0.0
