"""Approximation sets against all labellings written down, closed cases, and growing noise."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.cluster import KMeans

from unmix.costs.correlation import Correlation
from unmix.costs.histogram import Histogram
from unmix.costs.links import make_links
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.squared_distance import SquaredDistance
from unmix.datasets import blobs
from unmix.inference.enumerate import enumerate_labellings
from unmix.validation import (
    ApproximationSetCoding,
    MeasuredTwice,
    Score,
    approximation_sets,
    entropic_approximation_sets,
    matched_halves,
    sampled_approximation_sets,
    select,
)
from unmix.validation.approximation.criterion import smallest_of_the_best
from unmix.validation.approximation.level_entropy import Limits, begin, count_below

rng = np.random.default_rng(0)


def two_measurements(n, k, noise, seed=0):
    draws = np.random.default_rng(seed)
    centre = 4.0 * (np.arange(n) % k)[:, None] * np.array([1.0, 0.3])
    return centre + noise * draws.normal(size=(2, n, 2))


def k_means_cost(X, labels):
    return sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in set(labels))


def shared_by_chance(a, b, n, k, prior):
    """What sets a and b (masks over all labellings) share on average if one is moved, by writing all moves down."""
    if prior == "uniform":
        return a.sum() * b.sum() / len(a)
    solutions = np.array(list(product(range(k), repeat=n)))
    place = k ** np.arange(n)[::-1]
    moved = [a[solutions[:, order] @ place] & b for order in map(list, permutations(range(n)))]
    return np.mean([each.sum() for each in moved])


@pytest.mark.parametrize("prior", ["uniform", "sizes"])
@pytest.mark.parametrize("n, k, noise", [(6, 2, 0.5), (6, 2, 3.0), (5, 3, 1.0)])
def test_equals_enumeration_of_all_assignments(n, k, noise, prior):
    first, second = two_measurements(n, k, noise)
    solutions = [np.array(c) for c in product(range(k), repeat=n)]
    costs = np.array([[k_means_cost(X, c) for X in (first, second)] for c in solutions])
    excess = costs - costs.min(axis=0)
    best = -np.inf
    for gamma in np.unique(excess)[:: 1 if prior == "uniform" else 5]:
        a, b = (excess <= gamma + 1e-9).T
        if (a & b).any():
            best = max(best, np.log2((a & b).sum() / shared_by_chance(a, b, n, k, prior)))
    found = ApproximationSetCoding(prior=prior).measure(first, second, k, rng)
    assert found.total == pytest.approx(n * np.log2(k))
    assert found.bits == pytest.approx(best) if prior == "uniform" else found.bits >= best - 1e-9
    a, b = (excess <= found.best_level + 1e-9).T
    assert found.bits == pytest.approx(np.log2((a & b).sum() / shared_by_chance(a, b, n, k, prior)))
    assert found.curve[-1] == pytest.approx(0)


COSTS = {
    "k-means": (SquaredDistance(), lambda X: X),
    "pairwise": (Pairwise(), lambda X: make_dissimilarities(((X[:, None] - X) ** 2).sum(axis=2))),
    "correlation": (Correlation(0.0), lambda X: make_links(4 - np.abs(X[:, :1] - X[:, 0]))),
    "histogram": (Histogram(np.full(2, 0.5), 1.0, 1.0), lambda X: np.round(3 + np.abs(X))),
}


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("n, k", [(8, 2), (6, 3)])
def test_every_cost_equals_enumeration(name, n, k):
    cost, make = COSTS[name]
    for seed in range(3):
        first, second = (make(X) for X in two_measurements(n, k, 1.0, seed))
        costs = [
            np.array([cost.total(data, np.array(c)) for c in product(range(k), repeat=n)]) for data in (first, second)
        ]
        found = ApproximationSetCoding(cost, prior="uniform").measure(first, second, k, rng)
        below = [each - each.min() <= found.best_level + 1e-9 * np.ptp(each) for each in costs]
        shared = (below[0] & below[1]).sum() / (below[0].sum() * below[1].sum())
        assert found.bits == pytest.approx(n * np.log2(k) + np.log2(shared))


def test_permuted_objects_by_types_in_closed_form():
    X = np.repeat([[0.0], [5.0]], 4, axis=0)  # two groups of four: one of 70 ways to halve eight, in two names
    for k, bits in ((1, 0), (2, np.log2(70) - 1)):
        assert ApproximationSetCoding().measure(X, X, k, rng).bits == pytest.approx(bits)
    uneven = np.repeat([[0.0], [5.0]], [7, 1], axis=0)  # one of eight is apart; sizes tell the names
    assert ApproximationSetCoding().measure(uneven, uneven, 2, rng).bits == pytest.approx(3)
    assert ApproximationSetCoding(prior="uniform").measure(uneven, uneven, 2, rng).bits == pytest.approx(7)


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
    coding, bits = ApproximationSetCoding(prior="uniform"), []
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
@pytest.mark.parametrize("n, k", [(11, 2), (7, 3)])
def test_entropies_agree_with_enumeration_to_leading_order(n, k):
    for seed in range(3):
        first, second = two_measurements(n, k, 1.0, seed)
        exact, found = (
            ApproximationSetCoding(method=method, prior="uniform").measure(first, second, k, np.random.default_rng(0))
            for method in ("list", "entropy")
        )
        assert found.bits == pytest.approx(exact.bits, abs=np.log2(n) / 2 + 0.3)  # prefactors are powers of n
        assert found.rows.sum() == pytest.approx(found.bits) and found.total == pytest.approx(exact.total)


@pytest.mark.slow_without_jit
def test_entropies_agree_with_sampling():
    first, second = two_measurements(30, 2, 1.5)
    for prior in ("uniform", "sizes"):
        by_entropy, by_walks = (
            ApproximationSetCoding(method=method, prior=prior).measure(first, second, 2, np.random.default_rng(0)).bits
            for method in ("entropy", "sample")
        )
        assert by_entropy == pytest.approx(by_walks, abs=4)


def test_counts_are_the_entropy_of_labels_at_the_limit():
    X, other = two_measurements(50, 3, 1.0)
    labels, cost = np.arange(50) % 3, SquaredDistance()
    least = np.array([((Z - np.array([Z[labels == c].mean(axis=0) for c in range(3)])[labels]) ** 2).sum(axis=1)
                      for Z in (X, other)])  # fmt: skip
    limits = Limits(least, 0.4)
    (found,) = count_below(cost, [begin(cost, [X, other], labels, limits, 3)], [limits])
    costs = [(found.shares * cost.distances(Z, U)).sum() for Z, U in zip(found.samples, found.prototypes)]
    np.testing.assert_allclose(costs, limits.total, rtol=1e-3)
    assert found.rows.sum() == pytest.approx(entropy(found.shares, axis=1).sum(), abs=0.05)


@pytest.mark.slow_without_jit
def test_clusters_too_many_carry_nothing_by_size_and_seem_to_by_number():
    rng = np.random.default_rng(0)
    objects = np.repeat([[0.0, 0], [9.0, 0]], 80, axis=0)
    X, again = (objects + rng.normal(size=objects.shape) for _ in range(2))
    sizes, uniform = (
        [entropic_approximation_sets(SquaredDistance(), X, again, k, by_type=by_type).bits for k in (2, 3)]
        for by_type in (True, False)
    )
    assert sizes[0] == pytest.approx(160 - 1, abs=1) and sizes[1] == pytest.approx(sizes[0], abs=6)
    # one group takes one name, the other any of two: log2 3 - 1/2 bits an object
    assert uniform[1] - uniform[0] == pytest.approx(160 * (np.log2(3) - 1.5), abs=6)


def measured_twice(k, n, seed, d=3):
    draws = np.random.default_rng([seed, k])
    objects = 5 * draws.permutation(np.stack(np.meshgrid(*[[0, 1]] * d), axis=-1).reshape(-1, d))[np.arange(n) % k]
    return [objects + draws.normal(size=objects.shape) for _ in range(2)]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6])
def test_criterion_chooses_where_objects_were_measured_twice(k):
    X, again = measured_twice(k, 80, 0)
    coding = ApproximationSetCoding(pair=MeasuredTwice(again))
    found = select(KMeans(n_init=3), X, sorted({1, max(k - 1, 1), k, k + 1}), coding, random_state=0)
    assert found.best_params == {"n_clusters": k}


@pytest.mark.slow_without_jit
def test_criterion_repeats_and_costs_without_prototypes_are_sampled():
    X, _ = blobs(80, 2, 2, random_state=1)
    coding = ApproximationSetCoding(n_pairs=4, max_rows=24, n_walkers=30, method="sample")
    found = [select(KMeans(n_init=3), X, [1, 2], coding, random_state=0) for _ in range(2)]
    assert found[0].best_params == {"n_clusters": 2}
    values = [[row["value"] for row in each.table] for each in found]
    assert values[0] == values[1] and values[0][0] == pytest.approx(0, abs=1e-9)


def test_the_smallest_number_near_the_most_bits_is_chosen():
    scores = [Score(0.0, 0.0), Score(794.0, 0.1), Score(800.0, 2.5), Score(798.0, 6.0)]
    assert smallest_of_the_best(scores, [1, 2, 3, 4]) == 2
    assert smallest_of_the_best(scores, [1, 2, 3, 4], np.log2(800) / 2) == 1
    assert smallest_of_the_best(scores[::-1], [4, 3, 2, 1], np.log2(800) / 2) == 2
    assert smallest_of_the_best([Score(0.0, 0.0), Score(5.0, float("nan"))], [1, 2]) == 1


@pytest.mark.slow_without_jit
def test_an_interrupted_choice_goes_on_with_the_same_numbers(tmp_path):
    X, again = measured_twice(2, 40, 0)
    coding = ApproximationSetCoding(pair=MeasuredTwice(again))
    one, two = (select(KMeans(n_init=3), X, [1, 2, 3], coding, random_state=0, cache=tmp_path) for _ in range(2))
    assert one.table == two.table and one.table[0]["value"] == 0 == one.table[0]["error"]
    assert all(row["error"] > 0 for row in one.table[1:])
    stored = two.details["approximation set coding"][1][0]
    np.testing.assert_array_equal(stored.curve, one.details["approximation set coding"][1][0].curve)


@pytest.mark.slow_without_jit
def test_weights_gaps_and_float32_keep_the_objects_together():
    X, again = measured_twice(2, 60, 1)
    coding = ApproximationSetCoding(pair=MeasuredTwice(again))
    plain = coding.evaluate(KMeans(2), X, np.random.default_rng(0)).value
    weights = np.random.default_rng(0).choice([0.0, 1.0, 2.0], 60)
    weighted = coding.evaluate(KMeans(2), X, np.random.default_rng(0), weights).value
    assert weighted == pytest.approx(weights.sum() - 1, abs=2)
    gaps = X.copy()
    gaps[:10, 0] = np.nan
    assert coding.evaluate(KMeans(2), gaps, np.random.default_rng(0)).value == pytest.approx(49, abs=2)
    small = coding.evaluate(KMeans(2), X.astype(np.float32) + np.float32(1000), np.random.default_rng(0)).value
    assert small == pytest.approx(plain, abs=0.1)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("method", ["list", "entropy"])
def test_bits_know_no_unit_and_levels_do(method):
    first, second = two_measurements(9, 2, 1.5)
    coding = ApproximationSetCoding(method=method)
    plain = coding.measure(first, second, 2, np.random.default_rng(0))
    for unit in (1e-100, 1e100):
        seen = coding.measure(unit * first + 3 * unit, unit * second, 2, np.random.default_rng(0))
        assert seen.bits == pytest.approx(plain.bits, abs=1e-3)
        assert seen.best_level / unit**2 == pytest.approx(plain.best_level, rel=1e-6)
    with pytest.raises(ValueError, match="over- or underflow"):
        coding.measure(1e200 * first, second, 2, rng)


def test_nothing_to_tell_is_no_bits():
    same = np.ones((30, 2))
    assert ApproximationSetCoding().measure(same, same, 3, rng).bits == 0
    assert ApproximationSetCoding().measure(same, same, 1, rng).bits == 0


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

    for wrong, name in (({"method": "guess"}, "method"), ({"prior": "flat"}, "prior")):
        with pytest.raises(ValueError, match=f"{name}=.* is not known"):
            ApproximationSetCoding(**wrong)
    with pytest.raises(TypeError, match="pairs no samples"):
        ApproximationSetCoding(pair=3)
    with pytest.raises(TypeError, match="has no prototypes"):
        ApproximationSetCoding(Correlation(0.0), method="entropy").measure(np.ones((30, 1)), np.ones((30, 1)), 2, rng)
    with pytest.raises(ValueError, match="one type for each"):
        approximation_sets([1, 2], [1, 2], types=[0])

    class Plain:
        def total(self, data, labels):
            return 0.0

    with pytest.raises(TypeError, match="no moves"):
        ApproximationSetCoding(cost=Plain()).measure(np.ones((30, 1)), np.ones((30, 1)), 2, rng)
