"""The parts of the cost against its definition."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.cluster import one_hot
from unmix.costs.base import HasPrototypes
from unmix.costs.squared_distance import SquaredDistance


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_total_is_the_distance_to_the_prototypes_of_the_labels(wrap):
    rng = np.random.default_rng(0)
    X, labels, cost = rng.normal(size=(60, 4)), rng.integers(5, size=60), SquaredDistance()
    previous = np.zeros((5, 4))
    means = cost.prototypes(cost.statistics(wrap(X), one_hot(labels, 5), previous), previous)
    distances = cost.distances(wrap(X), means)
    np.testing.assert_allclose(distances[np.arange(60), labels].sum(), cost.total(wrap(X), labels))
    np.testing.assert_allclose(distances, ((X[:, None] - means) ** 2).sum(axis=2))
    assert isinstance(cost, HasPrototypes)


def test_a_cluster_without_rows_keeps_its_prototype():
    cost, previous = SquaredDistance(), np.array([[1.0], [7.0]])
    stats = cost.statistics(np.array([[2.0], [4.0]]), np.array([[1, 0], [1, 0]]), previous)
    assert cost.prototypes(stats, previous).tolist() == [[3.0], [7.0]]
