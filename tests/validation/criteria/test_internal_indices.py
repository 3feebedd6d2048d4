"""Silhouette, Calinski-Harabasz and Davies-Bouldin against scikit-learn, brute force and the bootstrap."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn import metrics
from sklearn.cluster import KMeans

from unmix.datasets import blobs, gaussian, uniform
from unmix.validation import CalinskiHarabasz, DaviesBouldin, Silhouette, select
from unmix.validation.criteria import silhouette

INDICES = {
    "silhouette": (Silhouette(), metrics.silhouette_score),
    "squared": (
        Silhouette(metric="sqeuclidean"),
        lambda X, y: metrics.silhouette_score(X, y, metric="sqeuclidean"),
    ),
    "Calinski-Harabasz": (CalinskiHarabasz(), metrics.calinski_harabasz_score),
    "Davies-Bouldin": (DaviesBouldin(n_bootstrap=0), metrics.davies_bouldin_score),
}
index = pytest.mark.parametrize("criterion, peer", INDICES.values(), ids=INDICES)


class Labelled:
    def __init__(self, labels):
        self.labels_ = np.asarray(labels)


def a_table(n=120, d=3, k=4, seed=0):
    X, y = blobs(n, d, k, separation=2.0, sizes=np.arange(1, k + 1), random_state=seed)
    return X, np.random.default_rng(seed).permutation(50)[:k][y]  # any names of clusters


@index
@pytest.mark.parametrize("seed", range(3))
def test_equals_scikit_learn(criterion, peer, seed):
    X, y = a_table(seed=seed, d=1 + 2 * seed, k=2 + seed)
    assert criterion.evaluate(Labelled(y), X).value == pytest.approx(peer(X, y), rel=1e-10)


@index
def test_far_from_the_origin_and_in_any_unit(criterion, peer):
    X, y = a_table()
    plain = criterion.evaluate(Labelled(y), X).value
    assert criterion.evaluate(Labelled(y), X + 1e6).value == pytest.approx(plain, rel=1e-6)
    assert criterion.evaluate(Labelled(y), X * 1e250).value == pytest.approx(plain, rel=1e-10)


@index
def test_rows_without_label_are_absent(criterion, peer):
    X, y = a_table()
    y = np.where(np.arange(len(y)) % 5 == 0, -1, y)
    assert criterion.evaluate(Labelled(y), X).value == pytest.approx(peer(X[y != -1], y[y != -1]), rel=1e-10)


@index
def test_one_cluster_has_no_value(criterion, peer):
    X = gaussian(20, 2, random_state=0)
    for labels in (np.zeros(20, int), np.arange(20), np.full(20, -1)):
        assert np.isnan(criterion.evaluate(Labelled(labels), X).value)


@index
def test_weight_two_is_the_row_twice(criterion, peer):
    X, y = a_table(60)
    weight = np.random.default_rng(0).integers(0, 3, 60)
    weighted = criterion.evaluate(Labelled(y), X, sample_weight=weight)
    assert weighted.value == pytest.approx(peer(np.repeat(X, weight, axis=0), np.repeat(y, weight)), rel=1e-9)


@pytest.mark.parametrize("d", [2, 5])
def test_silhouettes_of_rows_over_many_tiles(monkeypatch, d):
    monkeypatch.setattr(silhouette, "_block", 7)
    monkeypatch.setattr(silhouette, "_width", 11)
    X, y = a_table(80, d)
    y[3] = 99  # a cluster of one
    assert np.allclose(Silhouette().rows(Labelled(y), X), metrics.silhouette_samples(X, y), atol=1e-12)


def test_silhouette_of_dissimilarities():
    X, y = a_table(50)
    D = cdist(X, X, "cityblock")
    value = Silhouette(metric="precomputed").evaluate(Labelled(y), D).value
    assert value == pytest.approx(metrics.silhouette_score(X, y, metric="cityblock"))
    with pytest.raises(ValueError, match="'euclidean', 'sqeuclidean' or 'precomputed'"):
        Silhouette(metric="cosine").evaluate(Labelled(y), X)


def test_the_sample_states_its_error():
    """A sample of rows misses the mean over all of them by the error it states."""
    X, y = a_table(150)
    exact, misses = Silhouette().evaluate(Labelled(y), X).value, []
    for seed in range(40):
        value, error = Silhouette(max_rows=40).evaluate(Labelled(y), X, np.random.default_rng(seed))
        misses.append((value - exact) / error)
    assert 0.6 < np.std(misses) < 1.2  # below 1: the rows not drawn are fewer than all the others there could be
    assert abs(np.mean(misses)) < 0.4


@pytest.mark.parametrize("criterion", [Silhouette(metric="sqeuclidean"), CalinskiHarabasz(), DaviesBouldin(25)])
def test_errors_are_those_of_new_rows(criterion):
    """Tables drawn anew, labelled by their source, differ by the stated error."""
    drawn = [a_table(400, seed=0)]
    centres, labels = [drawn[0][0][drawn[0][1] == c].mean(axis=0) for c in np.unique(drawn[0][1])], drawn[0][1]
    _, source = np.unique(labels, return_inverse=True)
    scores = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        again = rng.integers(400, size=400)
        X = np.array(centres)[source[again]] + rng.normal(size=(400, 3))
        scores.append(criterion.evaluate(Labelled(source[again]), X, rng))
    stated = np.mean([score.error for score in scores])
    assert np.std([score.value for score in scores]) == pytest.approx(stated, rel=0.35)


def test_degenerate_clusters():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0]], 5, axis=0)
    y = np.repeat([0, 1], 5)
    assert Silhouette().evaluate(Labelled(y), X).value == 1.0
    assert CalinskiHarabasz().evaluate(Labelled(y), X).value == np.inf
    assert DaviesBouldin().evaluate(Labelled(y), X).value == 0.0
    same = np.zeros((10, 2))
    assert Silhouette().evaluate(Labelled(y), same).value == 0.0
    assert DaviesBouldin().evaluate(Labelled(y), same).value == np.inf


@pytest.mark.parametrize("criterion", [Silhouette(), CalinskiHarabasz(), DaviesBouldin()])
def test_they_find_clear_clusters_and_also_some_in_noise(criterion):
    X, _ = blobs(150, 2, 4, random_state=0)
    assert select(KMeans(n_init=5), X, range(1, 7), criterion, random_state=0).best_params == {"n_clusters": 4}
    noise = uniform(150, 2, random_state=0)
    assert select(KMeans(n_init=2), noise, range(1, 7), criterion, random_state=0).best_params["n_clusters"] > 1


def test_equal_rows_in_each_cluster_have_no_spread_whatever_rounding_says():
    X = np.repeat(np.random.default_rng(0).normal(size=(3, 4)), 11, axis=0)
    y = np.repeat([0, 1, 2], 11)
    for scale in (1.0, 1e-200, 1e200):
        assert CalinskiHarabasz().evaluate(Labelled(y), scale * X).value == np.inf
    X[0, 0] += 1e-9
    assert 1e12 < CalinskiHarabasz().evaluate(Labelled(y), X).value < np.inf


def test_the_error_of_a_row_that_counts_twice_is_that_of_the_row_twice():
    """Over many bootstrap samples; a weight of 2 that moved as one would give an error √2 times as large."""
    X, y = a_table(120)
    criterion = DaviesBouldin(n_bootstrap=800)
    rng = np.random.default_rng(0)
    once = criterion.evaluate(Labelled(y), X, rng, sample_weight=np.full(120, 4.0))
    twice = criterion.evaluate(Labelled(np.repeat(y, 4)), np.repeat(X, 4, axis=0), rng)
    assert once.value == pytest.approx(twice.value) and once.error == pytest.approx(twice.error, rel=0.1)
