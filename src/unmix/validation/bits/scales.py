"""The columns of a table on the scales where models join them, learned from some rows and applied to others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.validation.bits.low_rank import Cells, cells_of
from unmix.validation.bits.margins import HALF_LOG_2PI, Levels, Numbers, fit_levels, fit_numbers, robust_spread
from unmix.validation.bits.table import precision_of

FARTHEST_LEARNED = 30.0  # spreads
FARTHEST_PLAIN = 1e6
LEAST_VARIANCE = 1e-3


class Scale(NamedTuple):
    """Cells of all rows on one scale, what log p(x) has beside the model's log-density, and the least variances."""

    name: str
    cells: Cells
    offset: np.ndarray
    least: np.ndarray

    def near(self, rows: np.ndarray) -> np.ndarray:
        """The rows without a cell so far out that it would decide every moment; models learn from these alone."""
        return rows[(np.abs(self.cells.values[rows]) < FARTHEST_LEARNED).all(axis=1)]


class Scales(NamedTuple):
    """Log-density of the rows under independent columns, and the scales that models may choose from."""

    independent: np.ndarray
    scales: list[Scale]


def scales_of(
    X: np.ndarray, levelled: np.ndarray, unordered: np.ndarray, gaps: np.ndarray, places: np.ndarray, known: np.ndarray
) -> Scales:
    """Learned from the rows `known`, applied to all; `places` (n, d) in (0, 1) are those of cells within levels."""
    numbers = _numbers(X, levelled, gaps, known)
    levels = {int(j): fit_levels(X[known, j]) for j in np.flatnonzero(levelled)}
    log_density, z = _measured(X, numbers, levels, levelled, places)
    for j in np.flatnonzero(levelled & unordered):
        levels[int(j)] = _ordered(levels[int(j)], X[:, j], z, int(j), known)
        log_density[:, j], z[:, j] = levels[int(j)].measure(X[:, j], places[:, j])
    seen = np.isfinite(X)
    log_density = np.where(seen, log_density, 0.0)
    correction = np.where(seen, log_density + HALF_LOG_2PI + 0.5 * np.where(seen, z, 0.0) ** 2, 0.0)
    scores = Scale("scores", cells_of(z), correction.sum(axis=1), np.full(X.shape[1], LEAST_VARIANCE))
    scales = [scores]
    if numbers is not None and not numbers.atoms:
        y, slope = numbers.plain(X[:, ~levelled])
        z, correction = z.copy(), correction.copy()
        z[:, ~levelled], correction[:, ~levelled] = (
            np.clip(y, -FARTHEST_PLAIN, FARTHEST_PLAIN),
            np.where(seen[:, ~levelled], slope, 0.0),
        )
        least = np.full(X.shape[1], LEAST_VARIANCE)
        least[~levelled] = np.maximum(LEAST_VARIANCE, _gap_variance(numbers, gaps[~levelled]))
        scales.append(Scale("plain", cells_of(z), correction.sum(axis=1), least))
    return Scales(log_density.sum(axis=1), scales)


def _numbers(X: np.ndarray, levelled: np.ndarray, gaps: np.ndarray, known: np.ndarray) -> Numbers | None:
    if levelled.all():
        return None
    return fit_numbers(X[known][:, ~levelled], gaps[~levelled], precision_of(X, levelled)[~levelled])


def _gap_variance(numbers: Numbers, gaps: np.ndarray) -> np.ndarray:
    unit = np.where(numbers.logarithm, np.abs(numbers.wide[0]), 1.0) * numbers.width
    return (0.5 * gaps / np.where(unit > 0, unit, 1.0)) ** 2


def _measured(
    X: np.ndarray, numbers: Numbers | None, levels: dict[int, Levels], levelled: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    log_density, z = np.zeros_like(X), np.zeros_like(X)
    if numbers is not None:
        log_density[:, ~levelled], z[:, ~levelled] = numbers.measure(X[:, ~levelled], places[:, ~levelled])
    for j, margin in levels.items():
        log_density[:, j], z[:, j] = margin.measure(X[:, j], places[:, j])
    return log_density, z


def _ordered(margin: Levels, column: np.ndarray, z: np.ndarray, j: int, known: np.ndarray) -> Levels:
    """Levels without an order by their mean on what the other columns have most in common."""
    others = np.nan_to_num(np.delete(z[known], j, axis=1))
    _, vectors = np.linalg.eigh(others.T @ others)
    common = others @ vectors[:, -1]
    means = [common[column[known] == level].mean() for level in margin.levels]
    order = np.argsort(means, kind="stable")
    return Levels(margin.levels[order], np.append(margin.shares[:-1][order], margin.shares[-1]))


def raw_scale(X: np.ndarray, known: np.ndarray) -> Scale:
    """Columns in units of their spread, with their zero where it is."""
    width = robust_spread(X[known])[1]
    slope = np.where(np.isfinite(X), -np.log(width), 0.0).sum(axis=1)
    with np.errstate(over="ignore"):
        spreads = np.clip(X / width, -FARTHEST_PLAIN, FARTHEST_PLAIN)
    return Scale("raw", cells_of(spreads), slope, np.full(X.shape[1], LEAST_VARIANCE))
