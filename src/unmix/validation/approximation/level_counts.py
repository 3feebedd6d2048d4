"""How many labellings cost at most γ, of more than can be written down: by halving the set again and again.

    log N(γ_j+1) = log N(γ_j) + log (share of walkers below γ_j+1),      N(∞) = k^n

Walkers spread evenly over { c : R(c) ≤ γ_j }; the median of their costs is the next level, those above it start again
from one below. The relative error of N grows as the root of the number of levels over that of walkers.
Reference: Kahn & Harris (1951); Botev & Kroese, Efficient Monte Carlo simulation via generalized splitting (2012).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from unmix.costs.base import n_objects
from unmix.validation.approximation.decoding import SampledLabellings
from unmix.validation.approximation.sets import ROUNDING, ApproximationSets, from_log_sizes


class LevelCounts(NamedTuple):
    """Levels from high to low, and log of the number of labellings at or below each."""

    levels: np.ndarray
    log_counts: np.ndarray
    lowest: np.ndarray  # the least of each cost seen
    log_types: np.ndarray  # log of the number of labellings with the same sizes, their mean at each level
    walkers: list[tuple[np.ndarray, np.ndarray]]  # labellings below each level, and how high they are

    def at(self, levels: np.ndarray, shift: float = 0.0) -> np.ndarray:
        """log N at other levels, interpolated; below the last level as there."""
        return np.interp(levels + shift, self.levels[::-1], self.log_counts[::-1])


def sampled_approximation_sets(
    cost: Any, first: Any, second: Any, k: int, rng: np.random.Generator, *, n_walkers: int = 200, sweeps: int = 5,
    by_type: bool = False,
) -> ApproximationSets:  # fmt: skip
    """Approximation sets of a clustering cost with moves of single objects, where labellings cannot be listed.

    `by_type`, what sets share by chance is N' N'' / M, with M the labellings of the same sizes as those in both, their
    geometric mean: the sum over types to leading order.
    """
    one = count_levels(cost, (first,), (0.0,), k, rng, n_walkers, sweeps)
    two = count_levels(cost, (second,), (0.0,), k, rng, n_walkers, sweeps)
    least = float(one.lowest[0]), float(two.lowest[0])
    both = count_levels(cost, (first, second), least, k, rng, n_walkers, sweeps)
    least = min(least[0], least[0] + float(both.lowest[0])), min(least[1], least[1] + float(both.lowest[1]))
    total = n_objects(first) * np.log(k)
    levels = np.unique(np.concatenate([one.levels - least[0], two.levels - least[1], both.levels]))
    levels = levels[levels >= both.levels[-1]]  # below, the two sets have nothing in common that was seen
    top = np.append(levels, levels[-1] * (1 + ROUNDING) + ROUNDING)  # where all sets are everything
    sizes = [counts.at(levels, shift) for counts, shift in ((one, least[0]), (two, least[1]), (both, 0.0))]
    by_chance = None
    if by_type:
        same = np.interp(levels, both.levels[::-1], both.log_types[::-1])
        by_chance = np.append(sizes[0] + sizes[1] - same, total)
    one_size, two_size, common = (np.append(size, total) for size in sizes)
    sets = from_log_sizes(top, total, one_size, two_size, common, by_chance)
    labellings, heights = zip(*both.walkers)
    return replace(sets, members=SampledLabellings(top, both.levels, labellings, heights, k))


def count_levels(
    cost: Any, data: tuple[Any, ...], least: tuple[float, ...], k: int, rng: np.random.Generator, n_walkers: int,
    sweeps: int,
) -> LevelCounts:  # fmt: skip
    """Labellings by the largest excess of their costs over `least`, one for each data set."""
    n = n_objects(data[0])
    labels = rng.integers(0, k, (n_walkers, n))
    values = np.array([[cost.total(part, row) - low for part, low in zip(data, least)] for row in labels])
    lowest, scale = values.min(axis=0), float(np.ptp(values.max(axis=1))) or 1.0
    height, log_count = values.max(axis=1), n * np.log(k)
    levels, counts, types = [float(height.max())], [log_count], [mean_log_types(labels, k)]
    walkers = [(labels.copy(), height.copy())]
    while True:
        level = float(np.quantile(height, 0.5, method="lower"))
        if level >= levels[-1] - ROUNDING * scale:  # many share the top value: leave it, if anybody is below
            below = height[height < levels[-1] - ROUNDING * scale]
            if not len(below):
                return LevelCounts(np.array(levels), np.array(counts), lowest, np.array(types), walkers)
            level = float(below.max())
        inside = np.flatnonzero(height <= level + ROUNDING * scale)
        log_count += np.log(len(inside) / n_walkers)
        levels.append(level)
        counts.append(log_count)
        types.append(mean_log_types(labels[inside], k))
        chosen = np.concatenate([inside, rng.choice(inside, n_walkers - len(inside))])
        labels, values = labels[chosen], values[chosen]
        _walk(cost, data, labels, values, k, level + ROUNDING * scale, sweeps, rng)
        lowest, height = np.minimum(lowest, values.min(axis=0)), values.max(axis=1)
        walkers.append((labels.copy(), height.copy()))


def mean_log_types(labels: np.ndarray, k: int) -> float:
    """log n! / Π n_c!, the mean over labellings (rows)."""
    sizes = np.stack([(labels == c).sum(axis=1) for c in range(k)], axis=1)
    return float(gammaln(labels.shape[1] + 1) - gammaln(sizes + 1).sum(axis=1).mean())


def _walk(
    cost: Any, data: tuple[Any, ...], labels: np.ndarray, values: np.ndarray, k: int, level: float, sweeps: int,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Move every walker about below the level; labels and values change in place."""
    from unmix.costs.moves import packed
    from unmix.validation.approximation.level_kernel import walk_below

    limit = np.full(2, np.inf)
    limit[: len(data)] = level
    order = np.concatenate([rng.permutation(labels.shape[1]) for _ in range(sweeps)])
    proposed = rng.integers(0, k, (len(labels), len(order)))
    for walker, row in enumerate(labels):
        shares = np.eye(k)[row]
        states = [packed(cost.state(part, shares)) for part in data]
        walk_below(states[0], states[-1], row, row.copy(), order, proposed[walker], k, values[walker], limit)
