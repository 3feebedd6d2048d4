"""The local search at the end: optima by enumeration, the same cost from every inference and in every unit."""

import numpy as np
import pytest

from tests.exact.costs import CASES, K
from unmix.costs.base import HasMoves, HasPrototypes
from unmix.costs.cut import Cut
from unmix.costs.least_angle import LeastAngle
from unmix.costs.links import make_links
from unmix.costs.moves import packed
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.inference.enumerate import enumerate_labellings
from unmix.inference.local import local_moves
from unmix.inference.local.first_temperature import hot
from unmix.inference.local.local_search import (
    AGREED,
    LONG,
    MANY_OBJECTS,
    MOST_MOVES,
    ROUNDS,
    STILL,
    VAIN,
    Found,
    _accepted,
    _cooled,
    budget,
    refine,
)
from unmix.inference.presets import solve

SEARCHED = [
    name for name, (cost, _) in CASES.items() if isinstance(cost, HasMoves) and not isinstance(cost, HasPrototypes)
]


def dissimilarities(n, seed):
    D = np.random.default_rng(seed).random((n, n))
    D = D + D.T
    np.fill_diagonal(D, 0)
    return D


@pytest.mark.parametrize("name", SEARCHED)
def test_small_problems_are_solved_from_one_cluster(name):
    cost, data = CASES[name]
    every = enumerate_labellings(cost, data, K, 1.0)
    start = np.zeros(every.labellings.shape[1], np.int64)
    labels = refine(cost, data, start, K, hot(cost, data, K, 0), 0)
    assert cost.total(data, labels) == pytest.approx(every.costs.min(), abs=1e-9)


def test_few_objects_are_looked_at_often_and_many_not_more_often_than_that():
    assert budget(2, 10) == LONG // 2
    assert budget(LONG, 100) == ROUNDS * 100
    assert budget(LONG, MANY_OBJECTS) == MOST_MOVES


def test_the_search_ends_by_agreement_in_vain_or_when_enough_was_seen():
    labels, other = np.zeros(3, int), np.ones(3, int)
    first = Found(0, False, labels, 5.0, 0, 0, 0)
    begun = _accepted(first, other, 5.0, 7, most=100)  # the first turn has nothing to agree with
    assert (begun.agreed, begun.vain, begun.seen, begun.done) == (0, 0, 7, False)
    state = begun
    for turn in range(1, AGREED + 1):
        state = _accepted(state, other, 5.0, 7, most=100)
        assert (state.agreed, state.done) == (turn, turn == AGREED) and state.labels is labels
    state = begun
    for turn in range(1, VAIN + 1):
        state = _accepted(state, other, 6.0, 0, most=100)
        assert (state.agreed, state.vain, state.done) == (0, turn, turn == VAIN)
    better = _accepted(state._replace(agreed=2), other, 4.0, 0, most=100)
    assert (better.cost, better.agreed, better.vain, better.done) == (4.0, 0, 0, False) and better.labels is other
    assert _accepted(begun, other, 6.0, 94, most=100).done


@pytest.mark.slow_without_jit
def test_labels_are_descended_from_before_they_are_heated(monkeypatch):
    heated = []
    heat = local_moves.sample
    monkeypatch.setattr(local_moves, "sample", lambda *given: heated.append(True) or heat(*given))
    data = make_dissimilarities(dissimilarities(12, 0))
    refine(Pairwise(), data, np.arange(12) % 3, 3, 1.0, 0, most=0)
    assert not heated
    refine(Pairwise(), data, np.arange(12) % 3, 3, 1.0, 0)
    assert heated


def test_a_cooling_ends_where_it_has_frozen():
    """Groups far apart are left as they are at once; random dissimilarities go on moving."""
    rng = np.random.default_rng(0)
    X, labels = np.repeat(np.eye(3), 20, axis=0) + 0.01 * rng.normal(size=(60, 3)), np.repeat(np.arange(3), 20)
    apart = make_dissimilarities(((X[:, None] - X) ** 2).sum(axis=2))
    noise = make_dissimilarities(dissimilarities(60, 0))
    for data, temperature, sweeps in ((apart, 0.01, STILL), (noise, 10.0, 95)):
        kept, state = labels.copy(), packed(Pairwise().state(data, np.eye(3)[labels]))
        looked = _cooled(state, kept, np.full(95, 1 / temperature), np.random.default_rng(1), 3)
        assert looked == sweeps * len(labels)
        assert np.array_equal(kept, labels) == (data is apart)


@pytest.mark.parametrize("n, k", [(8, 2), (8, 3)])
def test_pairwise_optima_by_enumeration(n, k):
    for seed in range(3):
        data = make_dissimilarities(dissimilarities(n, seed))
        least = enumerate_labellings(Pairwise(), data, k, 1.0).costs.min()
        assert solve(Pairwise(), data, k, seed=seed).cost == pytest.approx(least)


@pytest.mark.slow_without_jit
def test_every_inference_ends_at_the_same_cost_where_there_is_no_structure():
    """Thirty objects with random dissimilarities: the mean field alone ends up to 3 % above the optimum."""
    for seed in range(3):
        data = make_dissimilarities(dissimilarities(30, seed))
        costs = [
            solve(Pairwise(), data, 3, inference=inference, seed=seed).cost
            for inference in ("mean_field", "sequential_mean_field", "gibbs", "metropolis")
        ]
        np.testing.assert_allclose(costs, min(costs), rtol=1e-9)


@pytest.mark.slow_without_jit
def test_labels_do_not_depend_on_the_unit_of_dissimilarities():
    D = np.round(10 * dissimilarities(40, 5))  # with many ties
    labels = [solve(Pairwise(), make_dissimilarities(unit * D), 4, seed=1).labels for unit in (1.0, 0.1, 3e7, 1e-9)]
    for other in labels[1:]:
        np.testing.assert_array_equal(labels[0], other)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("balance", ["ratio", "normalized"])
def test_all_parts_are_there(balance):
    """Two pairs that only know each other are parts for nothing; asked for three or four, one is split all the same."""
    W = np.kron(np.eye(2), np.ones((2, 2)))
    for k in (2, 3, 4):
        found = solve(Cut(balance, k), make_links(W), k, inference="gibbs", seed=0)
        assert len(np.unique(found.labels)) == k


class Counted(LeastAngle):
    """Counts how often moves are begun."""

    begun = 0

    def state(self, data, q):
        self.begun += 1
        return super().state(data, q)


@pytest.mark.parametrize("n, searched", [(200, True), (4 * MANY_OBJECTS, False)])
def test_very_many_objects_are_left_to_the_annealing(n, searched):
    data, cost = np.random.default_rng(0).normal(size=(n, 2)), Counted()
    labels = np.arange(n) % 3
    found = refine(cost, data, labels, 3, 1.0, 0)
    assert bool(cost.begun) == searched
    assert (cost.total(data, found) < cost.total(data, labels)) == searched


def test_the_search_is_as_long_among_few_and_ends_for_many():
    assert budget(4, 60) == budget(4, MANY_OBJECTS)
    looks = [budget(4, n) / n for n in (MANY_OBJECTS, 2 * MANY_OBJECTS, 4 * MANY_OBJECTS)]
    assert looks[0] > looks[1] > looks[2]
