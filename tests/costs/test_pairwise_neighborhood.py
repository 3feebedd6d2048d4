"""What nodes cost, by short series and by few terms, against the cost itself."""

import numpy as np
import pytest

from unmix.algorithms.self_organizing_map.grid import grid_distances, grid_positions, neighborhood
from unmix.costs.moves import packed
from unmix.costs.pairwise import make_dissimilarities
from unmix.costs.pairwise_neighborhood import PairwiseNeighborhood, price, rises
from unmix.inference.local.sweeps import price_moves

N, SHAPE = 60, (4, 6)
K = SHAPE[0] * SHAPE[1]


def grid(sigma):
    return neighborhood(grid_distances(grid_positions(SHAPE, "rectangular")), sigma, "gaussian")


def objects(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 3))
    labels = rng.integers(0, K, N)
    labels[labels == 5] = 6  # a node of its own that is empty
    return make_dissimilarities(((X[:, None] - X) ** 2).sum(axis=2)), labels


@pytest.mark.parametrize("sigma", [0.0, 0.3, 0.5, 1.0, 2.0, 8.0])
def test_fields_and_moves_are_differences_of_the_cost(sigma):
    (data, labels), cost = objects(), PairwiseNeighborhood(grid(sigma))
    some, moves = np.array([0, 17, 59]), np.empty((3, K))
    price_moves(packed(cost.state(data, np.eye(K)[labels])), labels, some, moves, *np.zeros((2, moves.shape[1])))
    fields = cost.fields(data, np.eye(K)[labels])[some]
    totals = np.array([[cost.total(data, np.where(np.arange(N) == i, c, labels)) for c in range(K)] for i in some])
    for found in (fields, moves):
        np.testing.assert_allclose(found - found[:, :1], totals - totals[:, :1], atol=1e-11 * totals.max())


@pytest.mark.parametrize("sigma", [0.5, 2.0, 8.0])
@pytest.mark.parametrize("largest", [1.0, 100.0])
def test_what_an_object_adds_is_the_price_with_it_less_the_price_without(sigma, largest):
    rng = np.random.default_rng(1)
    H, size = PairwiseNeighborhood(grid(sigma)).H, largest * rng.random((7, K))
    size[:, 3] = 0.0  # nobody else reaches it
    pull = rng.random((7, K))
    inside = size * rng.random((7, K))
    wanted = [(price(size + near, inside + 2 * near * pull) - price(size, inside)).sum(axis=1) for near in H]
    np.testing.assert_allclose(rises(H, size, inside, pull), np.stack(wanted, axis=1), rtol=1e-9)


def test_neighbours_that_get_nothing_are_left_out():
    cost = PairwiseNeighborhood(grid(0.5))
    data, labels = objects()
    assert len(cost.state(data, np.eye(K)[labels]).near) == np.count_nonzero(cost.H) < K * K
    np.testing.assert_allclose(cost.H, grid(0.5), atol=1e-11)
    np.testing.assert_allclose(cost.H.sum(axis=1), 1.0)
