"""Solutions drawn from the intersection of approximation sets: equally likely, and all of it reached."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.enumerate import enumerate_labellings
from unmix.validation import (
    ApproximationSetCoding,
    Graph,
    SpanningTrees,
    approximation_sets,
    boruvka,
    clustering_distance,
    contracting_information,
    kruskal,
    prim,
    reverse_delete,
)
from unmix.validation.approximation.decoding import Typical


def evenly(draws, members):
    """Every draw is a member, and counts do not differ from equal ones by more than chance makes them."""
    names = {tuple(np.atleast_1d(member)): i for i, member in enumerate(members)}
    counts = np.bincount([names[tuple(np.atleast_1d(draw))] for draw in draws], minlength=len(names))
    return len(names) == 1 or chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_listed_solutions_are_drawn_from_what_both_sets_share(seed):
    one, two = np.random.default_rng(seed).integers(0, 12, size=(2, 60))
    sets = approximation_sets(one, two)
    for step in (None, -1):
        level = sets.best if step is None else len(sets.levels) - 1
        members = np.flatnonzero(np.maximum(one - one.min(), two - two.min()) <= sets.levels[level])
        assert len(members) == round(2 ** sets.common[level])
        assert evenly(sets.decode(40 * len(members), step=step, random_state=seed), members)


def test_labellings_are_those_both_samples_agree_on():
    rng = np.random.default_rng(0)
    first, second = 2.0 * np.repeat([[0.0], [1.0]], 3, axis=0) + 0.6 * rng.normal(size=(2, 6, 1))
    sets = ApproximationSetCoding(prior="uniform").measure(first, second, 2, rng)
    listed = [enumerate_labellings(SquaredDistance(), data, 2, 1.0) for data in (first, second)]
    excess = np.max([each.costs - each.costs.min() for each in listed], axis=0)
    members = listed[0].labellings[excess <= sets.best_level * (1 + 1e-9)]
    assert len(members) == round(2**sets.bits * 2 ** (sets.first + sets.second - sets.total)[sets.best])
    draws = sets.decode(60 * len(members), random_state=1)
    assert evenly(draws, members)
    assert sets.decode(random_state=1).shape == (6,)
    np.testing.assert_array_equal(sets.decode(3, random_state=5), sets.decode(3, random_state=5))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("method", ["entropy", "sample"])
def test_labellings_that_are_only_counted_stay_in_both_sets(method):
    rng = np.random.default_rng(3)
    first, second = 5.0 * np.repeat([[0.0, 0.0], [1.0, 1.0]], 6, axis=0) + rng.normal(size=(2, 12, 2))
    coding = ApproximationSetCoding(method=method, prior="uniform", n_walkers=200)
    sets = coding.measure(first, second, 2, rng)
    listed = [enumerate_labellings(SquaredDistance(), data, 2, 1.0) for data in (first, second)]
    least = [each.costs.min() for each in listed]
    for draw in sets.decode(50, random_state=0):
        assert draw.min() >= 0 and draw.max() <= 1
        for data, low in zip((first, second), least):
            assert SquaredDistance().total(data, draw) - low <= sets.best_level * (1 + 1e-6) + 1e-9
    assert len(np.unique(sets.decode(200, random_state=1), axis=0)) > 1
    assert len(np.unique(sets.decode(400, step=-1, random_state=1), axis=0)) > 300  # everything


@pytest.mark.slow_without_jit
def test_walkers_of_a_cost_without_prototypes():
    rng = np.random.default_rng(0)
    places = np.repeat([0.0, 6.0], 5)[:, None] + rng.normal(size=(2, 10, 1))
    first, second = (make_dissimilarities(np.abs(x - x.T)) for x in places)
    sets = ApproximationSetCoding(Pairwise(), method="sample", prior="uniform").measure(first, second, 2, rng)
    truth = np.repeat([0, 1], 5)
    agreement = [max((draw == truth).mean(), (draw != truth).mean()) for draw in sets.decode(30, random_state=0)]
    assert np.mean(agreement) > 0.9


def all_trees(graph):
    everything = SpanningTrees.all(graph)
    chosen = combinations(range(len(graph.edges)), graph.n_nodes - 1)
    return [tree for tree in chosen if everything.contains(list(tree))]


def test_trees_are_drawn_with_equal_chances():
    graph = Graph(4, np.array([[0, 1], [0, 1], [1, 2], [2, 3], [3, 0], [1, 3]]))  # with parallel edges
    accepted, rejected = np.zeros((2, 6), dtype=bool)
    accepted[4], rejected[2] = True, True
    for some in (SpanningTrees.all(graph), SpanningTrees(graph, accepted, rejected)):
        members = [tree for tree in all_trees(graph) if some.contains(list(tree))]
        assert len(members) == round(np.exp(some.log_size))
        rng = np.random.default_rng(0)
        assert evenly([some.sample(rng) for _ in range(100 * len(members))], members)
    with pytest.raises(ValueError, match="no tree contains"):
        SpanningTrees(graph, accepted, accepted).sample(rng)


@pytest.mark.parametrize("algorithm", [kruskal, prim, boruvka, reverse_delete])
def test_an_algorithm_is_decoded_at_its_best_step(algorithm):
    graph, rng = Graph.complete(5), np.random.default_rng(2)
    true = rng.random(10)
    runs = true + 0.3 * rng.normal(size=(2, 10))
    sets = contracting_information(partial(algorithm, graph), *runs)
    one, two = (list(algorithm(graph, weights)) for weights in runs)
    step = sets.best
    pair = one[min(step, len(one) - 1)], two[min(step, len(two) - 1)]
    members = [tree for tree in all_trees(graph) if all(part.contains(list(tree)) for part in pair)]
    assert len(members) == round(2 ** sets.common[step])
    assert evenly(sets.decode(50 * len(members), random_state=0), members)


def test_what_cannot_be_decoded_says_why():
    sets = approximation_sets([0, 1, 5], [1, 0, 5])
    with pytest.raises(ValueError, match="share no solution at step 0"):
        sets.decode(step=0)
    with pytest.raises(ValueError, match="n_solutions=0"):
        sets.decode(0)

    class Below:
        log_size = 0.0

        def intersection(self, other):
            return self

    with pytest.raises(TypeError, match="Below has no sample"):
        contracting_information(lambda data: [Below()], 1, 2).decode()


class Disagreement:
    """How many objects lie otherwise than in the data, whatever the names."""

    def total(self, data, labels):
        return round(len(labels) * clustering_distance(data, labels))


def test_typical_labellings_are_within_the_limits_of_both_samples():
    first, second = np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array([0, 0, 0, 1, 1, 1, 1, 1])
    shares = np.where(first[:, None] == [0, 1], 0.7, 0.3)
    sets = Typical(Disagreement(), [first, second], np.array([[3, 1]]), [shares])
    drawn = sets.sample(0, 40, np.random.default_rng(0))
    costs = np.array([[Disagreement().total(data, labels) for data in (first, second)] for labels in drawn])
    assert (costs <= [3, 1]).all() and (costs[:, 0] > 1).any()


def test_labels_are_drawn_object_by_object():
    shares = np.array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]])
    rng = np.random.default_rng(0)
    drawn = np.array([Typical._draw(shares, rng) for _ in range(4000)])
    pairs = np.zeros((3, 3))
    np.add.at(pairs, tuple(drawn.T), 1 / 4000)
    np.testing.assert_allclose(pairs, np.outer(*shares), atol=0.03)
