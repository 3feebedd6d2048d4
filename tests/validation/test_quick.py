"""The stand-in for K-means: a fixed point of Lloyd's iteration, as good as scikit-learn's, used only where allowed."""

import numpy as np
import pytest
from sklearn.cluster import KMeans, MiniBatchKMeans

from unmix.datasets import blobs, gaussian
from unmix.validation import Stability
from unmix.validation.quick import Fits, QuickKMeans, quick_fit, quick_labels

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
    monkeypatch.setattr("unmix.validation.stability.stands_in", lambda *_: False)
    one_by_one = Stability(n_resamples=4).evaluate_grid(models, X, np.random.default_rng(0)).details
    for one, other in zip(at_once, one_by_one):
        assert one.score == pytest.approx(other.score, nan_ok=True)
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one[1:5], other[1:5]))
