"""Approximation sets of a cost with prototypes, for any number of objects: information by entropies (level_entropy.py).

    I(γ) = log2 ( K! N(γ; X′ and X″) / (K!² Σ_t N′_t N″_t / M_t) )

All K! ways to name clusters belong to every set, and to the pairs of sets of which one is the other in another order.
Bits of a row, so that one K can be compared with another row by row, are what it adds to the logarithm.
"""

from __future__ import annotations

from dataclasses import replace
from math import lgamma
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import xlogy

from unmix.costs.base import n_objects
from unmix.costs.squared_distance import SquaredDistance
from unmix.validation.approximation.decoding import AllLabellings, Typical
from unmix.validation.approximation.level_entropy import TINY, Group, Limits, begin, costs_of, count_below
from unmix.validation.approximation.sets import ApproximationSets
from unmix.validation.fits.quick import quick_fit
from unmix.validation.fits.refit import labels_of

LOWEST = 0.02  # of an object's share in the range of costs, where the levels begin
TOP_SHARE = 0.98


def entropic_approximation_sets(
    cost: Any, first: Any, second: Any, k: int, *, by_type: bool = True, n_levels: int = 20, seed: int = 0
) -> ApproximationSets:
    """Information content of a cost with prototypes, to leading order in the number of objects.

    Parameters
    ----------
    cost : a cost of `unmix.costs` with prototypes
    first, second : data of the cost, the same objects in both
    k : number of clusters
    by_type : codewords are the objects in another order (True), or all k^n labellings (False)
    n_levels : how many γ, from the lowest at which the two sets have something in common
    """
    n = n_objects(first)
    if k == 1:
        return no_information(n, 1)
    samples, labels = (first, second), starts(cost, first, second, k, seed)
    rows = np.array([[costs_of(cost, data, each, k) for each in labels] for data in samples])
    costs = rows.sum(axis=2)
    own = costs.argmin(axis=1)
    least, excess = rows[[0, 1], own], (costs - costs.min(axis=1, keepdims=True)).max(axis=0)
    levels = _levels(cost, samples, costs.min(axis=1), float(excess.min()), k, n_levels)
    if levels is None:  # no labelling costs more than another
        return no_information(n, k)
    limits = [Limits(least, level / n) for level in levels]
    shared = labels[excess.argmin()]
    paths = [
        [begin(cost, [data], each, limits[0], k) for data, each in zip(samples, start)]
        for start in ((labels[own[0]], renamed(labels[own[0]], labels[own[1]], k)), (shared, shared))
    ]
    both = [begin(cost, list(samples), shared, limits[0], k)]
    found, shares = [], []
    for limit in limits:
        each = [Limits(limit.least[[s]], limit.more) for s in range(2)]
        paths = [count_below(cost, apart, each, by_type) for apart in paths]
        both = count_below(cost, both, [limit])
        found.append(_information(max(paths, key=log_count), both[0], k, by_type))
        shares.append(both[0].shares)
    bits, *sizes = (np.array(part) for part in zip(*found))
    most = np.array([limit.total for limit in limits])
    return replace(with_full_set(levels, bits, sizes, k), members=Typical(cost, samples, most, shares))


def _levels(
    cost: Any, samples: tuple[Any, Any], least: np.ndarray, lowest: float, k: int, count: int
) -> np.ndarray | None:
    """From where the sets begin to overlap to just below what a single cluster costs."""
    one = np.zeros(n_objects(samples[0]), dtype=np.int64)
    top = min(float(costs_of(cost, data, one, k).sum() - low) for data, low in zip(samples, least))
    if not top > 1e-12 * max(abs(least).max(), TINY):
        return None
    low = min(max(1.01 * lowest, LOWEST * top / len(one)), TOP_SHARE * top / 2)
    return np.geomspace(low, TOP_SHARE * top, count)


def no_information(n: int, k: int) -> ApproximationSets:
    """Where all labellings are alike, or there is only one."""
    total = np.full(1, n * np.log2(k))
    alike = AllLabellings(n, k)
    return ApproximationSets(np.zeros(1), np.zeros(1), total, total, total, float(total[0]), np.zeros(n), alike)


def with_full_set(levels: np.ndarray, bits: np.ndarray, sizes: list[np.ndarray], k: int) -> ApproximationSets:
    """With the level at which sets are everything, and say nothing; bits (levels, n)."""
    n = bits.shape[1]
    total = n * np.log2(k)
    curve = np.append(bits.sum(axis=1), 0.0)
    bits = np.concatenate([bits, np.zeros((1, n))])
    first, second, common = (np.append(size, total) for size in sizes)
    levels = np.append(levels, levels[-1] / TOP_SHARE)
    return ApproximationSets(levels, curve, first, second, common, float(total), bits[curve.argmax()])


def starts(cost: Any, first: Any, second: Any, k: int, seed: int) -> list[np.ndarray]:
    """Labellings to begin at: of each sample, and of both as features of the same objects where the cost takes it."""
    if type(cost) is SquaredDistance and isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return [k_means(X, k, seed + i) for i, X in enumerate((first, second, np.hstack([first, second])))]
    from unmix.inference.presets import solve

    return [solve(cost, data, k, seed=seed + i).labels for i, data in enumerate((first, second))]


def k_means(X: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Labels of a good solution with k clusters, or as many as there are distinct rows."""
    from unmix.cluster import KMeans

    model = KMeans(min(k, len(np.unique(X, axis=0))), random_state=seed, n_init=5)
    return labels_of(quick_fit(model, X, seed) or model.fit(X), X)


def log_count(groups: list[Group]) -> float:
    """What sets of both samples share by chance: of several solutions the one that makes the most of it."""
    return float(sum(group.rows.sum() for group in groups))


def renamed(labels: np.ndarray, other: np.ndarray, k: int) -> np.ndarray:
    """The other labelling, with the names under which it overlaps most with the first."""
    table = np.zeros((k, k))
    np.add.at(table, (other, labels), 1)
    return linear_sum_assignment(table, maximize=True)[1][other]


def _information(apart: list[Group], both: Group, k: int, by_type: bool) -> tuple[np.ndarray, float, float, float]:
    """Bits of every row, and log2 of the sizes of the sets: entropies of their typical labellings, times names."""
    n, names = len(both.shares), lgamma(k + 1)
    even = 0.0 if by_type else np.log(k)
    rows = both.rows - apart[0].rows - apart[1].rows + even - names / n
    sizes = [(names - xlogy(group.shares, group.shares).sum()) / np.log(2) for group in (*apart, both)]
    return (rows / np.log(2), *sizes)
