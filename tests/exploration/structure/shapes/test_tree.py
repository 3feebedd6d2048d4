"""The tree of the density against scipy's spanning tree, and against a search for modes by hand."""

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from unmix.exploration.structure.shapes.tree import density_tree, shortest_ways


def test_the_shortest_ways_are_those_of_scipy():
    X = np.random.default_rng(0).normal(size=(60, 3))
    D = cdist(X, X)
    radius = np.sort(D, axis=1)[:, 10]
    _, lengths = shortest_ways(D, radius)
    reach = np.maximum(np.maximum(D, radius), radius[:, None])
    np.fill_diagonal(reach, 0.0)
    np.testing.assert_allclose(np.sort(lengths), np.sort(minimum_spanning_tree(reach).data))


def test_cuts_follow_the_prominence_of_modes_on_a_line():
    """Equally spaced rows: three dense stretches, the gap before the second wider than that before the third."""
    stretch = np.arange(30.0)
    X = np.concatenate([stretch, stretch + 29 + 60, stretch + 2 * 29 + 60 + 40])[:, None]
    tree = density_tree(cdist(X, X), 10)
    assert len(tree.cuts) == 2
    np.testing.assert_array_equal(tree.groups(2), np.repeat([0, 1, 1], 30))
    np.testing.assert_array_equal(tree.groups(3), np.repeat([0, 1, 2], 30))
    np.testing.assert_array_equal(tree.groups(9), tree.groups(3))


def test_groups_do_not_depend_on_units():
    X = np.random.default_rng(1).normal(size=(80, 2)) + np.repeat([[0], [6]], 40, axis=0)
    D = cdist(X, X)
    np.testing.assert_array_equal(density_tree(1e6 * D, 5).groups(2), density_tree(D, 5).groups(2))
