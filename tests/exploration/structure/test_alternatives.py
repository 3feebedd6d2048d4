"""The clusters for other numbers of them: those of K-means, with labels that go on from number to number."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

import unmix
from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.alternatives import Grouped, make_alternatives, short_names

CENTERS = np.array([[0.0, 0.0], [12.0, 0.0], [0.0, 12.0], [12.0, 12.0]])


def table(n=200):
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 4
    return CENTERS[truth] + rng.normal(size=(n, 2)), truth


def grouped(X, labels, k):
    return Grouped(X, labels, [f"group {c}" for c in range(k)], X, ["width", "height"])


def selected(chosen, shares=None):
    return Selection([1, 2, 3, 4, 5, 6], [], chosen, "", None, 200, 0.9, shares)


def test_labels_are_those_of_kmeans_and_the_chosen_ones_stay_as_they_are():
    X, truth = table()
    made = make_alternatives(grouped(X, truth, 4), selected(4, [0.1, 0.2, 0.0, 0.6, 0.1, 0.0]), 0)
    assert [one.k for one in made] == [2, 3, 4, 5, 6]
    assert [one.probability for one in made] == [0.2, 0.0, 0.6, 0.1, 0.0]
    chosen = made[2]
    assert chosen.labels == truth.tolist() and chosen.names == ["group 0", "group 1", "group 2", "group 3"]
    for one in made:
        assert one.sizes == np.bincount(one.labels, minlength=one.k).tolist() and min(one.sizes) > 0
        assert len(one.names) == one.k
        theirs = KMeans(one.k, n_init=10, random_state=0).fit(X)
        means = np.stack([X[np.array(one.labels) == c].mean(axis=0) for c in range(one.k)])
        assert ((X - means[one.labels]) ** 2).sum() <= 1.1 * theirs.inertia_  # another cut of a square costs the same
    assert adjusted_rand_score(made[2].labels, KMeans(4, n_init=5, random_state=0).fit_predict(X)) == 1.0


def test_a_group_keeps_its_label_where_its_rows_stay_together():
    X, truth = table()
    made = {one.k: np.array(one.labels) for one in make_alternatives(grouped(X, truth, 4), selected(4), 0)}
    for label in range(4):
        assert np.bincount(made[5][truth == label]).argmax() == label  # what parts from a group gets a label above
        assert {label, 4} >= set(made[5][truth == label])
    three = made[3]
    assert sorted(set(three)) == [0, 1, 2]


def test_without_clusters_there_are_alternatives_too():
    X = np.random.default_rng(1).normal(size=(80, 2))
    made = make_alternatives(grouped(X, np.zeros(80, int), 1), selected(1), 0)
    assert [one.k for one in made] == [2, 3, 4, 5, 6]


def test_equal_rows_have_no_alternatives():
    X = np.ones((30, 2))
    assert make_alternatives(grouped(X, np.zeros(30, int), 1), selected(1), 0) == []


def test_names_tell_groups_apart():
    X, truth = table(400)
    named = [set(name.split(", ")) for name in short_names(X, truth, 4, ["width", "height"])]
    sides = [(f"{'higher' if x else 'lower'} width", f"{'higher' if y else 'lower'} height") for x, y in CENTERS]
    assert named == [set(side) for side in sides]
    flat = np.random.default_rng(0).normal(size=(400, 2))
    assert short_names(flat, truth, 4, ["width", "height"]) == ["no column stands out"] * 4


@pytest.mark.slow_without_jit
def test_explore_makes_them_from_the_rows_of_its_map():
    X, _ = table(120)
    found = unmix.explore({"width": X[:, 0], "height": X[:, 1]}, max_k=6)
    assert [one.k for one in found.alternatives] == [2, 3, 4, 5, 6]
    chosen = next(one for one in found.alternatives if one.k == found.selection.chosen_k)
    assert chosen.labels == found.map.label
    assert chosen.names == [cluster.name for cluster in found.clusters]
    assert all(len(one.labels) == len(found.map.row) for one in found.alternatives)


def test_other_numbers_of_groups_that_are_not_round_follow_the_density():
    """Three bars: one of them against two is a cut between bars, which K-means makes across all of them."""
    rng = np.random.default_rng(2)
    truth = np.arange(360) % 3
    X = np.c_[rng.uniform(-12, 12, 360), np.array([0.0, 3.0, 7.0])[truth] + 0.4 * rng.normal(size=360)]
    of_bars = grouped(X, truth, 3)._replace(shape="density")
    two = {one.k: np.array(one.labels) for one in make_alternatives(of_bars, selected(3), 0)}[2]
    assert all(len(set(two[truth == bar])) == 1 for bar in range(3))
    across = {one.k: np.array(one.labels) for one in make_alternatives(grouped(X, truth, 3), selected(3), 0)}[2]
    assert any(len(set(across[truth == bar])) == 2 for bar in range(3))
