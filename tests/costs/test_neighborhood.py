"""The parts of the cost of a self-organising map against its definition."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.cluster import one_hot
from unmix.costs.base import HasPrototypes
from unmix.costs.nearest.centers import frame_around, nearest
from unmix.costs.neighborhood import Neighborhood
from unmix.costs.squared_distance import SquaredDistance

rng = np.random.default_rng(0)
X, labels, previous = rng.normal(size=(60, 4)), rng.integers(5, size=60), rng.normal(size=(5, 4))
H = rng.random((5, 5))
H /= H.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_every_part_agrees_with_the_double_sum(wrap):
    cost = Neighborhood(H)
    stats = cost.statistics(wrap(X), one_hot(labels, 5), previous)
    nodes = cost.prototypes(stats, previous)
    plain = [[sum(H[c, r] * ((x - nodes[r]) ** 2).sum() for r in range(5)) for c in range(5)] for x in X]
    np.testing.assert_allclose(cost.distances(wrap(X), nodes), plain)
    total = sum(plain[i][labels[i]] for i in range(60))
    np.testing.assert_allclose(cost.total(wrap(X), labels), total)
    np.testing.assert_allclose(cost.expected(stats, (X * X).sum(), nodes), total)
    assert isinstance(cost, HasPrototypes)


def test_prototypes_are_the_best_for_their_labels():
    cost = Neighborhood(H)
    stats = cost.statistics(X, one_hot(labels, 5), previous)
    best = cost.prototypes(stats, previous)
    least = cost.expected(stats, (X * X).sum(), best)
    for _ in range(20):
        assert cost.expected(stats, (X * X).sum(), best + 0.01 * rng.normal(size=best.shape)) > least


def test_without_neighbours_it_is_the_cost_of_k_means():
    cost, plain = Neighborhood(np.eye(5)), SquaredDistance()
    np.testing.assert_allclose(cost.total(X, labels), plain.total(X, labels))
    np.testing.assert_array_equal(cost.distances(X, previous), plain.distances(X, previous))
    stats = plain.statistics(X, one_hot(labels, 5), previous)
    np.testing.assert_allclose(cost.prototypes(stats, previous), plain.prototypes(stats, previous))


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_the_cheapest_node_is_the_nearest_smoothed_prototype_with_an_offset(wrap, dtype):
    cost = Neighborhood(H)
    centers, offsets = cost.smooth(previous)
    frame = frame_around(np.zeros(4), 1.0, dtype)
    found = nearest(wrap(X.astype(dtype)), frame, centers, offsets)
    expected = cost.distances(X, previous)
    np.testing.assert_array_equal(found.label, expected.argmin(axis=1))
    np.testing.assert_allclose(found.near, expected.min(axis=1), rtol=1e-4 if dtype == "f4" else 1e-10)


def test_a_node_that_gets_no_share_keeps_its_prototype():
    cost = Neighborhood([[1.0, 0.0], [0.0, 1.0]])
    stats = cost.statistics(np.array([[2.0], [4.0]]), np.array([[1, 0], [1, 0]]), np.array([[1.0], [7.0]]))
    assert cost.prototypes(stats, np.array([[1.0], [7.0]])).tolist() == [[3.0], [7.0]]


@pytest.mark.parametrize("wrong", [np.ones((2, 2)), np.ones((2, 3)) / 3, [[2.0, -1.0], [0.0, 1.0]]])
def test_what_is_no_neighbourhood_is_refused(wrong):
    with pytest.raises(ValueError, match="rows sum to 1"):
        Neighborhood(wrong)
