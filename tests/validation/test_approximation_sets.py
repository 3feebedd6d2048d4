"""Approximation sets against all labellings written down, closed cases, and growing noise."""

from itertools import product

import numpy as np
import pytest
from sklearn.cluster import KMeans

from unmix.costs.squared_distance import SquaredDistance
from unmix.datasets import blobs
from unmix.inference.enumerate import enumerate_labellings
from unmix.validation import (
    ApproximationSetCoding,
    approximation_sets,
    matched_halves,
    sampled_approximation_sets,
    select,
)

rng = np.random.default_rng(0)


def two_measurements(n, k, noise, seed=0):
    draws = np.random.default_rng(seed)
    centre = 4.0 * (np.arange(n) % k)[:, None] * np.array([1.0, 0.3])
    return centre + noise * draws.normal(size=(2, n, 2))


def k_means_cost(X, labels):
    return sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in set(labels))


@pytest.mark.parametrize("n, k, noise", [(8, 2, 0.5), (8, 2, 3.0), (6, 3, 1.0)])
def test_equals_enumeration_of_all_assignments(n, k, noise):
    first, second = two_measurements(n, k, noise)
    solutions = [np.array(c) for c in product(range(k), repeat=n)]
    costs = np.array([[k_means_cost(X, c) for X in (first, second)] for c in solutions])
    excess = costs - costs.min(axis=0)
    best = -np.inf
    for gamma in np.unique(excess):
        a, b = (excess <= gamma + 1e-9).T
        if (a & b).any():
            best = max(best, np.log2(len(solutions) * (a & b).sum() / (a.sum() * b.sum())))
    found = ApproximationSetCoding().measure(first, second, k, rng)
    assert found.bits == pytest.approx(best) and found.total == pytest.approx(n * np.log2(k))
    a, b = (excess <= found.best_level + 1e-9).T
    assert found.bits == pytest.approx(np.log2(len(solutions) * (a & b).sum() / (a.sum() * b.sum())))
    assert found.curve[-1] == pytest.approx(0)


def test_closed_cases():
    costs = rng.random(64)
    assert approximation_sets(costs, costs + 7).bits == pytest.approx(6)  # the same data: one of 64
    assert approximation_sets(np.ones(5), np.ones(5)).bits == 0  # nothing is preferred
    assert approximation_sets([0, 1], [1, 0]).bits == 0  # the opposite is preferred
    assert approximation_sets([3.0], [4.0]).bits == 0
    ties = approximation_sets([0, 0, 1, 1], [0, 1, 0, 1])  # two in each set, one in both
    assert ties.bits == 0 and ties.first[0] == 1 and ties.common[0] == 0


def test_relabelled_clusterings_stay_together():
    X = two_measurements(6, 2, 0.1)[0] * 1e3 + 1e6  # costs of relabelled clusterings differ by rounding
    costs = enumerate_labellings(SquaredDistance(), X, 2, 1.0).costs
    assert approximation_sets(costs, costs).bits == pytest.approx(5)  # 2^6 labellings, the best one in two names


def test_more_noise_fewer_bits():
    coding, bits = ApproximationSetCoding(), []
    for noise in (0.2, 1.5, 5.0):
        each = [coding.measure(*two_measurements(8, 2, noise, seed), 2, rng).bits for seed in range(10)]
        bits.append(np.mean(each))
    assert bits[0] == pytest.approx(7) and bits[0] > bits[1] > bits[2]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("n, k, noise", [(10, 2, 2.0), (7, 3, 1.0)])
def test_sampling_agrees_with_enumeration(n, k, noise):
    first, second = two_measurements(n, k, noise)
    costs = [enumerate_labellings(SquaredDistance(), X, k, 1.0).costs for X in (first, second)]
    exact = approximation_sets(*costs)
    seeds = [np.random.default_rng(seed) for seed in range(6)]
    runs = [sampled_approximation_sets(SquaredDistance(), first, second, k, draws) for draws in seeds]
    assert np.mean([run.bits for run in runs]) == pytest.approx(exact.bits, abs=0.4)
    for place in (len(exact.levels) * np.array([0.25, 0.5, 0.75])).astype(int):
        for part in ("first", "second", "common"):
            sampled = [np.interp(exact.levels[place], run.levels, getattr(run, part)) for run in runs]
            assert np.mean(sampled) == pytest.approx(getattr(exact, part)[place], abs=0.4)


@pytest.mark.slow_without_jit
def test_sampling_of_the_same_data_twice():
    X = two_measurements(16, 2, 0.5)[0]
    found = sampled_approximation_sets(SquaredDistance(), X, X, 2, np.random.default_rng(0))
    assert found.bits == pytest.approx(15, abs=2)  # one of 2^16 labellings, in two names


@pytest.mark.slow_without_jit
def test_criterion_chooses_and_repeats():
    X, _ = blobs(80, 2, 3, random_state=1)
    coding = ApproximationSetCoding(n_pairs=3, max_rows=36, n_walkers=60)
    found = [select(KMeans(n_init=3), X, [1, 2, 3], coding, random_state=0) for _ in range(2)]
    assert found[0].best_params == {"n_clusters": 3}
    values = [[row["value"] for row in each.table] for each in found]
    assert values[0] == values[1] and values[0][0] == 0


def test_matched_halves_are_two_orders_of_different_rows():
    X = rng.normal(size=(21, 2))
    first, second = matched_halves(X, rng)
    assert first.shape == second.shape == (10, 2)
    assert len(np.unique(np.concatenate([first, second]), axis=0)) == 20
    total = ((first - second) ** 2).sum()
    assert all(((first - second[rng.permutation(10)]) ** 2).sum() >= total - 1e-12 for _ in range(50))


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="one cost for each"):
        approximation_sets([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="NaN"):
        approximation_sets([1, np.nan], [1, 2])
    with pytest.raises(ValueError, match="one by one"):
        ApproximationSetCoding().measure(np.ones((3, 1)), np.ones((4, 1)), 2, rng)

    class Plain:
        def total(self, data, labels):
            return 0.0

    with pytest.raises(TypeError, match="no moves"):
        ApproximationSetCoding(cost=Plain()).measure(np.ones((30, 1)), np.ones((30, 1)), 2, rng)
