"""Groups of clusters where they were planted, and none among clusters at even distances."""

import numpy as np
import pytest

from unmix.exploration.levels.above import distances_of_clusters, groups_of_clusters


def rows(centers, rng, n=40):
    labels = np.repeat(np.arange(len(centers)), n)
    return np.asarray(centers, float)[labels] + rng.normal(size=(len(labels), 2)), labels


@pytest.mark.parametrize("seed", range(3))
def test_two_pairs_far_from_each_other(seed):
    X, labels = rows([[0, 0], [40, 0], [6, 0], [40, 6]], np.random.default_rng(seed))
    assert groups_of_clusters(X, labels, 0).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("seed", range(3))
def test_clusters_at_even_distances_belong_to_no_groups(seed):
    X, labels = rows([[0, 0], [8, 0], [0, 8], [8, 8]], np.random.default_rng(seed))
    assert groups_of_clusters(X, labels, 0) is None
    assert groups_of_clusters(*rows([[0, 0], [50, 0]], np.random.default_rng(seed)), 0) is None


def test_distances_are_in_units_of_the_spread_along_the_way():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 2)) * [2.0, 9.0] + np.repeat([[0, 0], [20, 0]], 2000, axis=0)
    found = distances_of_clusters(X, np.repeat([0, 1], 2000), 2)
    assert found[0, 1] == found[1, 0] == pytest.approx(10.0, rel=0.05)
