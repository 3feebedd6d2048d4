"""How wide a Gaussian kernel should be: the factor that makes rows likely which took no part in the density.

    leave-one-out:  maximise  Σ_i w_i log p(x_i | all rows but those at x_i)
    k-fold:         maximise  Σ_folds Σ_{i in fold} w_i log p(x_i | rows not in the fold)

All rows at one place are left out together, and share a fold: a row and its copy say the same thing, so that weight 2
is the row twice, and copies do not drive the width to 0; rounded values are another matter (rounding.py). Factors are
tried in powers of two about Scott's rule, farther out while the best stands at an end; a bounded search by parabolas
refines the best.

A large table is searched on some of its rows. A factor found with n' rows is right for n after multiplication by
(n' / n)^(1 / (r + 4)), the rate at which the best width falls in r dimensions.
References: Habbema, Hermans & van den Broek, A stepwise discrimination analysis program using density estimation
(1974); Scott, Multivariate Density Estimation, chapter 6 (1992).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from unmix.algorithms.kernel_sums.gaussian import log_sums, log_sums_of_others
from unmix.algorithms.kernel_sums.leaves import ROWS, Leaves, make_leaves
from unmix.algorithms.kernel_sums.pairs import LANES, in_units, leaf_sums
from unmix.core.random import spawn

GRID_ROWS = 131072  # most rows in a search in one or two dimensions, where a grid takes them all
CENTERS, QUERIES = 32768, 2048  # above: most rows of the density, and most rows it is asked about
FEW = 2048  # rows that need no grid
RTOL = 1e-3  # of the sums in a search: below what a likelihood can tell
FIRST, LAST = -5, 1  # powers of two tried about Scott's factor
MOST_DOUBLINGS = 60  # powers of two at which the search gives up
PRECISION = 0.02  # of the factor found, relative


Splits = list[tuple[np.ndarray, np.ndarray]]  # numbers of the rows that make the density, and of those held out


class Widths(NamedTuple):
    """The factor chosen, and the mean log-likelihood at all that were tried, in order."""

    best: float
    factors: np.ndarray
    log_likelihoods: np.ndarray


def scott(n: float, r: int) -> float:
    """Best for Gaussian data, nearly: n^(-1 / (r + 4))."""
    return max(n, 1.0) ** (-1 / (r + 4))


def silverman(n: float, r: int) -> float:
    """Best for Gaussian data, with a kernel of their shape: (n (r + 2) / 4)^(-1 / (r + 4))."""
    return scott(max(n, 1.0) * (r + 2) / 4, r)


def search_width(
    points: np.ndarray,
    weights: np.ndarray,
    share: float,
    seed: int,
    splits: Splits | None,
    least: float = 0.0,
) -> Widths:
    """The factor for points (n, r) whose spread is about 1 in every direction; leave-one-out if ``splits`` is None.

    The points are the given share of all rows. No factor is below ``least``; if that is positive, rows at one place
    were brought there by rounding.
    """
    r = points.shape[1]
    score = leave_one_out(points, weights, seed, least > 0) if splits is None else k_fold(points, weights, seed, splits)
    tried: dict[float, float] = {}

    def likelihood(log_factor: float) -> float:
        if log_factor not in tried:
            tried[log_factor] = score(math.exp(log_factor))
        return tried[log_factor]

    if splits is not None:
        share *= float(np.mean([weights[rest].sum() for rest, _ in splits]) / weights.sum())
    correction = share ** (1 / (r + 4))
    lowest = math.log(least / correction) if least > 0 else -math.inf
    maximise(likelihood, max(lowest, math.log(scott(len(points), r))), lowest)
    order = sorted(tried)
    factors = np.exp(order) * correction
    found = np.array([tried[key] for key in order])
    return Widths(float(factors[found.argmax()]), factors, found)


def search_rows(rows: np.ndarray, weights: np.ndarray, r: int, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """The distinct among as many rows as are searched in r dimensions, their weights, and the share of all rows."""
    most = GRID_ROWS if r <= 2 else CENTERS
    share = min(1.0, most / len(rows))
    if share < 1:
        some = np.sort(spawn(seed, 0).choice(len(rows), most, replace=False))
        rows, weights = rows[some], weights[some]
    order = np.lexsort(rows.T)
    rows, weights = rows[order], weights[order]
    first = np.flatnonzero(np.append(True, (rows[1:] != rows[:-1]).any(axis=1)))
    return rows[first], np.add.reduceat(weights, first), share


def maximise(likelihood: Callable[[float], float], start: float, lowest: float) -> None:
    """Powers of two about the start, farther while the best is at an end, then between the neighbours of the best."""
    from scipy.optimize import minimize_scalar

    step = math.log(2)
    farthest = MOST_DOUBLINGS if lowest == -math.inf else int((start - lowest) / step)
    first, last = max(FIRST, -farthest), LAST
    values = {power: likelihood(start + power * step) for power in range(first, last + 1)}
    while True:
        best = max(values, key=lambda power: values[power])
        if best == first and first > -farthest:
            first -= 1
            values[first] = likelihood(start + first * step)
        elif best == last and last < MOST_DOUBLINGS:
            last += 1
            values[last] = likelihood(start + last * step)
        else:
            break
    ends = (max(lowest, start + (best - 1) * step), start + (best + 1) * step)
    minimize_scalar(lambda x: -likelihood(float(x)), bounds=ends, method="bounded", options={"xatol": PRECISION})


def leave_one_out(
    points: np.ndarray, weights: np.ndarray, seed: int, rounded: bool = False
) -> Callable[[float], float]:
    """The mean log-likelihood of rows, at a factor, under the density of the others."""
    n, r = points.shape
    if r <= 2 and n > FEW:
        return leave_one_out_by_grid(points, weights / weights.sum(), rounded)
    some = np.sort(spawn(seed, 1).choice(n, QUERIES, replace=False)) if n > QUERIES else np.arange(n)
    data, asked = tight_leaves(points), tight_leaves(points[some])
    mass, share, others = data.spread(weights), weights[some], others_at_place(weights, rounded)[some]

    def score(factor: float) -> float:
        found = leaf_sums(data.scale(1 / factor), mass, asked.scale(1 / factor), RTOL, leave_out=True)
        log_total, left_out = asked.collect(found.log_total, len(some)), asked.collect(found.left_out, len(some))
        return mean_log_density(add(log_total, others) - np.log(weights.sum() - left_out + others), share, factor, r)

    return score


def leave_one_out_by_grid(points: np.ndarray, weights: np.ndarray, rounded: bool) -> Callable[[float], float]:
    """The same of all points, in one or two dimensions; the weights add up to 1."""
    others = others_at_place(weights, rounded)

    def score(factor: float) -> float:
        found = add(log_sums_of_others(points / factor, weights, RTOL), others)
        return mean_log_density(found - np.log1p(others - weights), weights, factor, points.shape[1])

    return score


def others_at_place(weights: np.ndarray, rounded: bool) -> np.ndarray:
    """The weight at each place that is not a row's own; none where rows at one place are copies."""
    return weights - weights.min() if rounded else np.zeros(len(weights))


def add(log_sum: np.ndarray, more: np.ndarray) -> np.ndarray:
    """log(exp(log_sum) + more)"""
    with np.errstate(divide="ignore"):
        return np.logaddexp(log_sum, np.log(more))


def make_splits(n: int, folds: int, seed: int) -> Splits:
    """Every row is held out once."""
    fold = spawn(seed, 2).permutation(n) % folds
    return [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(folds)]


def k_fold(points: np.ndarray, weights: np.ndarray, seed: int, splits: Splits) -> Callable[[float], float]:
    """The mean log-likelihood of the rows of each fold under the density of the others."""
    r = points.shape[1]
    if r <= 2 and len(points) > FEW:
        return k_fold_by_grid(points, weights, splits)
    parts = [fold_parts(points, weights, *split, spawn(seed, 3, number)) for number, split in enumerate(splits)]

    def score(factor: float) -> float:
        values, shares = [], []
        for data, mass, asked, share in parts:
            found = leaf_sums(data.scale(1 / factor), mass, asked.scale(1 / factor), RTOL)
            values.append(asked.collect(found.log_total, len(share)) - math.log(mass.sum()))
            shares.append(share)
        return mean_log_density(np.concatenate(values), np.concatenate(shares), factor, r)

    return score


def k_fold_by_grid(points: np.ndarray, weights: np.ndarray, splits: Splits) -> Callable[[float], float]:
    """The same of all points, in one or two dimensions."""

    def score(factor: float) -> float:
        scaled = points / factor
        values = [
            log_sums(scaled[rest], weights[rest] / weights[rest].sum(), scaled[held], RTOL, "auto")
            for rest, held in splits
        ]
        shares = np.concatenate([weights[held] for _, held in splits])
        return mean_log_density(np.concatenate(values), shares, factor, points.shape[1])

    return score


def fold_parts(
    points: np.ndarray, weights: np.ndarray, rest: np.ndarray, held: np.ndarray, generator: np.random.Generator
) -> tuple[Leaves, np.ndarray, Leaves, np.ndarray]:
    """Leaves and weights of the rows not held out, and of at most QUERIES of those that are."""
    if len(held) > QUERIES:
        held = np.sort(generator.choice(held, QUERIES, replace=False))
    data = tight_leaves(points[rest])
    return data, data.spread(weights[rest]), tight_leaves(points[held]), weights[held]


def tight_leaves(points: np.ndarray) -> Leaves:
    """Leaves used many times are worth all levels."""
    return make_leaves(in_units(points), ((len(points) - 1) // ROWS).bit_length(), LANES)


def mean_log_density(log_sums: np.ndarray, weights: np.ndarray, factor: float, r: int) -> float:
    return float(np.average(log_sums, weights=weights)) - r * (math.log(factor) + 0.5 * math.log(2 * math.pi))
