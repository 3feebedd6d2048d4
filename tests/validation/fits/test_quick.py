"""The stand-in for K-means: a fixed point of Lloyd's iteration, as good as scikit-learn's, used only where allowed."""

import numpy as np
import pytest
from sklearn.cluster import KMeans, MeanShift, MiniBatchKMeans

from unmix.datasets import blobs, gaussian
from unmix.validation import Stability
from unmix.validation.fits.quick import Fits, QuickKMeans, quick_fit, quick_labels
from unmix.validation.fits.quick_mean_shift import QuickMeanShift

pytestmark = pytest.mark.slow_without_jit


def inertia(X, model):
    return ((X - model.cluster_centers_[model.labels_]) ** 2).sum()


@pytest.mark.parametrize("k", [1, 3, 8])
def test_is_a_fixed_point_of_lloyd(k):
    X = gaussian(200, 3, random_state=0) + 100
    model = QuickKMeans(X, k, seed=0)
    again = KMeans(k, init=model.cluster_centers_, n_init=1, max_iter=1).fit(X)
    assert np.allclose(again.cluster_centers_, model.cluster_centers_)
    assert np.array_equal(again.labels_, model.labels_)
    assert np.array_equal(model.predict(X), model.labels_)


@pytest.mark.long
def test_as_good_as_scikit_learn():
    costs = []
    for seed in range(10):
        X = gaussian(300, 4, random_state=seed)
        costs.append((inertia(X, QuickKMeans(X, 6, seed)), KMeans(6, n_init=5, random_state=seed).fit(X).inertia_))
    ours, theirs = np.mean(costs, axis=0)
    assert ours < 1.02 * theirs


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_any_scale(scale):
    X, y = blobs(90, 2, 3, random_state=0)
    model = QuickKMeans(X * scale, 3, seed=0)
    assert len(set(zip(y.tolist(), model.labels_.tolist()))) == 3


def test_more_clusters_than_different_rows():
    X = np.repeat(np.eye(2), 5, axis=0)
    assert len(np.unique(QuickKMeans(X, 4, seed=0).labels_)) == 2


def test_stands_in_only_for_plain_kmeans_on_small_tables():
    X = gaussian(50, 2, random_state=0)
    assert quick_fit(KMeans(3), X, 0) is not None
    assert quick_fit(KMeans(3, init=X[:3]), X, 0) is None
    assert quick_fit(KMeans(3, init="random"), X, 0) is None
    assert quick_fit(MiniBatchKMeans(3), X, 0) is None
    assert quick_fit(KMeans(51), X, 0) is None
    assert quick_fit(KMeans(100), gaussian(30_000, 2, random_state=0), 0) is None


def test_several_sizes_at_once_are_the_single_fits():
    X, half = gaussian(300, 3, random_state=1), np.arange(0, 300, 2)
    sizes = np.array([2, 7, 4])
    fits = Fits(X, half, sizes, seed=3)
    carried = fits.predict(X)
    for s, k in enumerate(sizes):
        alone = QuickKMeans(X[half], k, seed=3)
        assert np.array_equal(fits.labels[s], alone.labels_)
        nearest = KMeans(k, init=alone.cluster_centers_, n_init=1, max_iter=1).fit(X[half])
        assert np.array_equal(carried[s], nearest.predict(X))
    labels = quick_labels([KMeans(k) for k in sizes], X, seed=3)
    assert all(np.array_equal(z, quick_fit(KMeans(k), X, 3).labels_) for z, k in zip(labels, sizes))
    assert quick_labels([KMeans(2), MiniBatchKMeans(2)], X, seed=3) is None


def test_stability_of_all_sizes_at_once_is_that_of_one_after_the_other(monkeypatch):
    X, _ = blobs(240, 2, 3, random_state=0)
    models = [KMeans(k, n_init=2, random_state=0).fit(X) for k in (1, 2, 3, 5)]
    at_once = Stability(n_resamples=4).evaluate_grid(models, X, np.random.default_rng(0)).details
    monkeypatch.setattr("unmix.validation.criteria.stability.stands_in", lambda *_: False)
    one_by_one = Stability(n_resamples=4).evaluate_grid(models, X, np.random.default_rng(0)).details
    for one, other in zip(at_once, one_by_one):
        assert one.score == pytest.approx(other.score, nan_ok=True)
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one[1:5], other[1:5]))


@pytest.mark.parametrize("bandwidth", [0.3, 1.0, 2.0, 5.0, None])
@pytest.mark.parametrize("cluster_all", [True, False])
def test_mean_shift_of_all_rows_at_once_is_scikit_learns(bandwidth, cluster_all):
    for seed in range(3):
        X = blobs(60, 2, 3, random_state=seed)[0]
        peer = MeanShift(bandwidth=bandwidth, cluster_all=cluster_all).fit(X)
        mine = QuickMeanShift(peer, X)
        np.testing.assert_allclose(mine.cluster_centers_, peer.cluster_centers_, atol=1e-9)
        np.testing.assert_array_equal(mine.labels_, peer.labels_)
        np.testing.assert_array_equal(mine.predict(X + 0.1), peer.predict(X + 0.1))


def test_mean_shift_is_stood_in_for_only_where_it_is_plain():
    X = blobs(30, 2, 2, random_state=0)[0]
    assert isinstance(quick_fit(MeanShift(bandwidth=1.0), X, 0), QuickMeanShift)
    assert quick_fit(MeanShift(bandwidth=1.0, bin_seeding=True), X, 0) is None
    assert quick_fit(MeanShift(bandwidth=1.0, seeds=X[:3]), X, 0) is None


def test_a_far_group_takes_no_digits_from_the_others():
    rng = np.random.default_rng(0)
    y = np.r_[np.arange(90) % 3, np.full(10, 3)]
    X = np.array([[0.0, 0.0], [9.0, 1.0], [-6.0, 11.0], [1e12, 1e12]])[y] + rng.normal(size=(100, 2))
    fits = Fits(X, np.arange(100), np.array([2, 4]), 0)
    for labels in (fits.labels[1], fits.predict(X)[1]):
        assert len(np.unique(np.column_stack([y, labels]), axis=0)) == 4  # one label a group
