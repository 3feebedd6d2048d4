"""Factors, groups and both: mixtures of factor analysers of chosen sizes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from unmix.core.random import spawn
from unmix.validation.bits.choice import Choice, Fit, Lesson, along, best_of, independent
from unmix.validation.bits.factor_mixture import fit_factor_mixture, log_density
from unmix.validation.bits.group_mixture import fit_groups, group_densities
from unmix.validation.bits.low_rank import Cells, log_sum
from unmix.validation.bits.scales import Scale
from unmix.validation.bits.starts import spread_shares

MOST_FACTORS = 10
MOST_GROUPS = 8
MANY_GROUPS = (10, 14, 20)  # that follow a curved shape piece by piece
ROWS_A_PIECE = 8
MOST_OF_BOTH = (4, 3)  # groups and factors at once
STARTS = 3  # of groups alone
STARTS_OF_BOTH = 2  # each of rows as they are, and of rows without their correlations
SHORT = 8  # iterations of a start


def factors(lesson: Lesson) -> Choice:
    d = lesson.scales.scales[0].cells.values.shape[1]
    sizes = [(1, k) for k in range(1, min(MOST_FACTORS, max(1, d // 2)) + 1)]
    first = independent(lesson)
    return best_of([along(lesson, scale, sizes, factor_groups, first) for scale in lesson.scales.scales])


def groups(lesson: Lesson) -> Choice:
    sizes = [(k, 0) for k in range(2, MOST_GROUPS + 1)]
    first = independent(lesson)
    return best_of([along(lesson, scale, sizes, plain_groups, first) for scale in lesson.scales.scales])


def pieces(lesson: Lesson, others: Choice) -> Choice:
    """Many small groups, where they pay beside the best of all others: a curved shape has no few that follow it."""
    sizes = [(k, 0) for k in MANY_GROUPS if k * ROWS_A_PIECE <= len(lesson.learn)]
    return best_of([along(lesson, scale, sizes, plain_groups, others) for scale in lesson.scales.scales])


def both(lesson: Lesson, linear: Choice, grouped: Choice) -> Choice:
    """Groups with factors inside, if they pay beside either alone: factors in common first, then of each group."""
    best = best_of([linear, grouped])
    inside = min(linear.size[1], MOST_OF_BOTH[1]) if linear.size else 1  # factors of all rows hold those of the means
    inner = sorted({1, inside}) if lesson.brief else range(1, inside + 1)
    scales, starts = lesson.scales.scales, 1 if lesson.brief else STARTS_OF_BOTH
    in_common = partial(factor_groups, common=True, n_starts=starts)
    for scale, n_factors in product(_named(scales, best) if lesson.brief else scales, inner):
        best = _better_with(lesson, scale, n_factors, in_common, best)
    for scale, n_factors in product(_named(scales, best), inner):
        best = _better_with(lesson, scale, n_factors, partial(factor_groups, n_starts=starts), best)
    return best


def _named(scales: list[Scale], choice: Choice) -> list[Scale]:
    """The scale of a choice; the last where independent columns have none."""
    return [scale for scale in scales if scale.name == choice.scale] or scales[-1:]


def _better_with(lesson: Lesson, scale: Scale, n_factors: int, fit: Fit, best: Choice) -> Choice:
    return along(lesson, scale, [(k, n_factors) for k in range(2, MOST_OF_BOTH[0] + 1)], fit, best)


def factor_groups(
    scale: Scale,
    size: tuple[int, ...],
    rows: np.ndarray,
    seed: int,
    common: bool = False,
    n_starts: int = STARTS_OF_BOTH,
) -> np.ndarray:
    """Log-densities of all rows under the mixture of factor analysers of some; groups may have factors in `common`."""
    n_groups, n_factors = size
    cells = scale.cells.take(rows)
    starts = [np.ones((1, len(rows)))] if n_groups == 1 else _starts(cells, n_groups, n_factors, seed, n_starts)
    shares = _best(starts, lambda start: fit_factor_mixture(cells, start, n_factors, scale.least, SHORT, common))
    model = fit_factor_mixture(cells, shares, n_factors, scale.least, common=common)[0]
    return log_density(model, scale.cells)


def plain_groups(scale: Scale, size: tuple[int, ...], rows: np.ndarray, seed: int) -> np.ndarray:
    """The same without factors."""
    cells = scale.cells.take(rows)
    starts = _starts(cells, size[0], 0, seed, STARTS)
    shares = _best(starts, lambda start: fit_groups(cells, start, scale.least, SHORT))
    return log_sum(group_densities(fit_groups(cells, shares, scale.least)[0], scale.cells))


def _best(starts: list[np.ndarray], fit: Callable[[np.ndarray], tuple[Any, np.ndarray, float]]) -> np.ndarray:
    """The shares that the best of several short climbs ends with."""
    return starts[0] if len(starts) == 1 else max(map(fit, starts), key=lambda found: found[2])[1]


def _starts(cells: Cells, n_groups: int, n_factors: int, seed: int, n_starts: int) -> list[np.ndarray]:
    """Clusters of rows; with factors also of rows whose correlations are taken out, along which groups may hide."""
    turns: list[np.ndarray | None] = [None] if n_factors == 0 else [None, _uncorrelated(cells)]
    return [
        spread_shares(cells, n_groups, spawn(seed, n_groups, n_factors, i, t), turn)
        for i in range(n_starts)
        for t, turn in enumerate(turns)
    ]


def _uncorrelated(cells: Cells) -> np.ndarray:
    """The square root of the inverse covariance, gaps at 0."""
    covariance = np.cov(cells.values.T) + 1e-3 * np.eye(cells.values.shape[1])
    values, vectors = np.linalg.eigh(covariance)
    return vectors / np.sqrt(values)
