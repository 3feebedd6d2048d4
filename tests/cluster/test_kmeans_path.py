"""Many numbers of clusters at once, against fits one by one."""

import numpy as np
import pytest
from sklearn.cluster import KMeans as Reference
from sklearn.datasets import make_blobs

from unmix.cluster import kmeans_path


def test_path_is_as_good_as_single_fits():
    X, _ = make_blobs(2000, 4, centers=5, random_state=0)
    path = kmeans_path(X, [1, 3, 5, 6], n_init=4, random_state=0)
    singles = [Reference(k, n_init=5, random_state=0).fit(X).inertia_ for k in [1, 3, 5, 6]]
    np.testing.assert_array_less(path.inertia, np.array(singles) * 1.01)
    np.testing.assert_allclose(path.inertia[:3], singles[:3], rtol=1e-3)
    assert (np.diff(path.inertia) < 0).all()


def test_models_of_a_path_are_fitted():
    X, _ = make_blobs(500, 3, centers=3, random_state=0)
    path = kmeans_path(X, [3, 2], random_state=0)
    assert path.n_clusters.tolist() == [3, 2]
    for k, model, inertia in zip(path.n_clusters, path.models, path.inertia):
        assert model.n_clusters == k
        assert (model.predict(X) == model.labels_).all()
        assert -model.score(X) == inertia


def test_paths_repeat_and_weights_count():
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(200, 2)), rng.integers(0, 3, 200)
    weighted = kmeans_path(X, [2, 5], sample_weight=weights, random_state=1)
    repeated = kmeans_path(np.repeat(X, weights, axis=0), [2, 5], random_state=1)
    np.testing.assert_allclose(weighted.inertia, repeated.inertia, rtol=1e-9)


def test_empty_range_is_refused():
    with pytest.raises(ValueError, match="at least one number of clusters"):
        kmeans_path(np.eye(3), [])
