"""Growth stops at the bound and not before, and finds the number of clusters where there is one."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from unmix.cluster import GrowingKMeans, KMeans
from unmix.datasets import blobs


@pytest.mark.slow_without_jit
@parametrize_with_checks([GrowingKMeans(0.3, criterion="cluster")])
def test_scikit_learn(estimator, check):
    check(estimator)


def distortions(model, X, weights=None):
    weights = np.ones(len(X)) if weights is None else weights
    squares = ((X - model.cluster_centers_[model.labels_]) ** 2).sum(axis=1)
    each = [
        np.average(squares[model.labels_ == c], weights=weights[model.labels_ == c]) for c in range(model.n_clusters_)
    ]
    return np.average(squares, weights=weights), np.array(each)


@pytest.mark.parametrize("k", [1, 2, 5, 9])
@pytest.mark.parametrize("criterion", ["mean", "cluster"])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_number_of_groups_is_found(k, criterion, seed):
    X, truth = blobs(400, 3, k, random_state=seed)
    model = GrowingKMeans(4.0, relative=False, criterion=criterion, random_state=0).fit(X)  # unit noise: 3 a row
    assert model.n_clusters_ == k == model.n_iter_ + 1
    np.testing.assert_array_equal(np.unique(model.labels_), np.arange(k))
    assert k == 1 or adjusted_rand_score(model.labels_, truth) > 0.98
    batch = KMeans(k, random_state=0).fit(X)
    assert model.inertia_ <= 1.001 * batch.inertia_


@pytest.mark.parametrize("bound", [0.5, 0.2, 0.05])
@pytest.mark.parametrize("criterion", ["mean", "cluster"])
def test_it_stops_at_the_bound_and_not_before(bound, criterion):
    X = np.random.default_rng(1).uniform(size=(500, 2))
    model = GrowingKMeans(bound, criterion=criterion, random_state=0).fit(X)
    mean, each = distortions(model, X)
    limit = bound * X.var(axis=0).sum()
    assert (mean if criterion == "mean" else each.max()) <= limit * (1 + 1e-6)
    np.testing.assert_allclose(model.inertia_, mean * len(X))
    with pytest.warns(ConvergenceWarning, match="max_distortion"):
        fewer = clone(model).set_params(max_clusters=model.n_clusters_ - 1).fit(X)
    mean, each = distortions(fewer, X)
    assert (mean if criterion == "mean" else each.max()) > limit
    path = [X.var(axis=0).sum()] + [record["distortion"] for record in model.trace_]
    assert (np.diff(path) < 0).all()


def test_weights_and_sparse_rows():
    rng = np.random.default_rng(2)
    X = np.where(rng.random((150, 5)) < 0.5, 0.0, rng.normal(size=(150, 5)) + 6 * rng.integers(0, 2, (150, 1)))
    weights = rng.integers(0, 4, 150)
    make = GrowingKMeans(0.3, random_state=0)
    weighted, repeated = clone(make).fit(X, sample_weight=weights), clone(make).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, atol=1e-12)
    dense, sparse = clone(make).fit(X), clone(make).fit(csr_array(X))
    np.testing.assert_allclose(sparse.cluster_centers_, dense.cluster_centers_, atol=1e-10)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_rows_that_are_all_the_same_need_one_cluster(dtype):
    for value in (0.0, 7.0, 0.1, 1e30):
        model = GrowingKMeans(0.0, random_state=0).fit(np.full((11, 3), value, dtype))
        assert model.n_clusters_ == 1 and model.inertia_ == pytest.approx(0, abs=1e-6 * value**2 + 1e-12)


def test_no_distortion_at_all_takes_a_cluster_a_distinct_row():
    X = np.repeat(np.random.default_rng(3).normal(size=(7, 2)), 3, axis=0)
    model = GrowingKMeans(0.0, random_state=0).fit(X)
    assert model.n_clusters_ == 7 and model.inertia_ < 1e-20


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_extreme_scales(scale):
    X, _ = blobs(200, 2, 4, random_state=0)
    plain, scaled = GrowingKMeans(random_state=0).fit(X), GrowingKMeans(random_state=0).fit(X * scale)
    np.testing.assert_array_equal(plain.labels_, scaled.labels_)


@pytest.mark.parametrize(
    "wrong",
    [{"max_distortion": -1}, {"criterion": "all"}, {"max_clusters": 0}, {"max_iter": 0}, {"tol": np.nan}],
    ids=str,
)
def test_wrong_parameters_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GrowingKMeans(**wrong).fit(np.eye(3))
