"""Soft K-means: closed-form transitions, K-means in the limit, and the best of many restarts on real data."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans as SklearnKMeans

from tests.stored import stored
from unmix.cluster import KMeans, SoftKMeans

rng = np.random.default_rng(0)
X = np.repeat(rng.normal(size=(4, 3)) * 4, 50, axis=0) + rng.normal(size=(200, 3))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, k", [("a1", 20), ("s1", 15), ("unbalance", 8), ("aggregation", 7)])
def test_never_above_the_best_of_fifty_restarts(shared_data, name, k):
    data = stored(shared_data / "clustering" / f"sipu_{name}.npz")["X"].astype(np.float64)
    model = SoftKMeans(k, random_state=0).fit(data)
    best = min(
        SklearnKMeans(k, n_init=50, random_state=0).fit(data).inertia_, KMeans(k, random_state=0).fit(data).inertia_
    )
    assert model.inertia_ <= 1.001 * best
    first = 2 * np.linalg.eigvalsh(np.cov(data.T, bias=True))[-1]
    assert abs(model.critical_temperatures_[0] / first - 1) < 1e-6
    assert abs(model.hierarchy_["temperatures"][-1] / first - 1) < 0.02


def test_hard_limit_is_a_local_minimum_of_kmeans():
    model = SoftKMeans(4, refine="lloyd", random_state=0).fit(X)
    means = np.array([X[model.labels_ == c].mean(axis=0) for c in range(4)])
    np.testing.assert_allclose(model.cluster_centers_, means, atol=1e-8)
    assert np.array_equal(model.predict(X), model.labels_)
    np.testing.assert_allclose(model.predict_proba(X), np.eye(4)[model.labels_], atol=1e-12)
    np.testing.assert_allclose(model.inertia_, KMeans(4, random_state=0).fit(X).inertia_, rtol=1e-8)


def test_soft_result_is_a_fixed_point_of_both_steps():
    T = 4.0
    model = SoftKMeans(4, temperature=T, tol=1e-9, random_state=0).fit(X)
    h = ((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    q = model.weights_ * np.exp(-h / T)
    q /= q.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), q, atol=1e-10)
    np.testing.assert_allclose(q.mean(axis=0), model.weights_, atol=1e-3)
    np.testing.assert_allclose(q.T @ X / q.sum(axis=0)[:, None], model.cluster_centers_, atol=1e-2)
    assert np.array_equal(model.labels_, q.argmax(axis=1)) and model.temperature_ == T


def test_above_the_first_transition_there_is_one_cluster():
    first = 2 * np.linalg.eigvalsh(np.cov(X.T, bias=True))[-1]
    assert len(SoftKMeans(4, temperature=1.01 * first).fit(X).cluster_centers_) == 1
    assert len(SoftKMeans(4, temperature=0.98 * first).fit(X).cluster_centers_) == 2


def test_hierarchy_is_a_linkage():
    model = SoftKMeans(4, random_state=0).fit(X)
    children = model.hierarchy_["children"]
    assert sorted(children.ravel().tolist()) == list(range(6))  # every node but the root is a child once
    assert (children < 4 + np.arange(3)[:, None]).all()
    assert (np.diff(model.hierarchy_["temperatures"]) >= 0).all()
    path = model.temperature_path_
    assert (np.diff(path["temperature"]) < 0).all() and path["n_clusters"][0] == 1 and path["n_clusters"][-1] == 4


def test_online_steps_come_to_the_batch_result():
    T = 4.0
    batch = SoftKMeans(4, temperature=T, tol=1e-8, random_state=0).fit(X)
    online = SoftKMeans(4, temperature=T, random_state=0).partial_fit(X[::2])
    for _ in range(300):
        online.partial_fit(X[rng.permutation(200)[:100]])
    assert online.n_steps_ == 300
    apart = np.sqrt(((online.cluster_centers_[:, None] - batch.cluster_centers_) ** 2).sum(axis=2)).min(axis=1)
    assert apart.max() < 0.5


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("T", [0.0, 1.0])
def test_a_stream_cut_into_chunks_of_any_size_comes_near_the_batch_result(T):
    rng = np.random.default_rng(1)
    table = 5 * rng.normal(size=(5, 3))[rng.integers(5, size=450)] + rng.normal(size=(450, 3))
    best = SoftKMeans(5, temperature=T).fit(table).inertia_
    for size in (1, 7, 100, 450):
        model = SoftKMeans(5, temperature=T)
        for start in range(0, 450, size):
            model.partial_fit(table[start : start + size])
        assert cost_of(model, table) < 1.02 * best
        assert len(model.cluster_centers_) == 5
        assert model.n_steps_ == -(-450 // size) - 1


def cost_of(model, table):
    return ((table[:, None] - model.cluster_centers_) ** 2).sum(axis=2).min(axis=1).sum()


def test_a_fit_begins_a_new_stream():
    model = SoftKMeans(2).partial_fit(X[:3]).partial_fit(X[3:5]).fit(X)
    assert model.n_steps_ == 0
    assert len(model.partial_fit(X[:1]).labels_) == 1
    assert model.n_steps_ == 1
    fresh = SoftKMeans(2).fit(X).partial_fit(X[:1])
    np.testing.assert_array_equal(model.cluster_centers_, fresh.cluster_centers_)


def test_a_hard_result_on_sparse_rows_has_no_probabilities_until_asked_softly():
    from scipy.sparse import csr_array

    sparse = csr_array(np.where(rng.random(X.shape) < 0.5, 0.0, X))
    assert not hasattr(SoftKMeans(3, random_state=0).fit(sparse), "predict_proba")
    soft = SoftKMeans(3, temperature=2.0, random_state=0).fit(sparse)
    np.testing.assert_allclose(soft.predict_proba(sparse).sum(axis=1), 1)


@pytest.mark.parametrize(
    "change", [{"cooling": 1.0}, {"refine": "best"}, {"temperature": -1}, {"tol": "a"}, {"max_iter": 0}]
)
def test_wrong_parameters_are_named(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        SoftKMeans(2, **change).fit(X)


def test_few_distinct_rows_are_said():
    with pytest.warns(UserWarning, match="distinct"):
        model = SoftKMeans(3).fit(np.repeat([[0.0, 1.0], [5.0, 5.0]], 5, axis=0))
    assert len(model.cluster_centers_) == 2 and model.inertia_ == 0


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", [1e4, 1e8, 1e12])
@pytest.mark.parametrize("d, wrap", [(2, np.asarray), (2, csr_array), (70, np.asarray), (70, csr_array)])
def test_a_far_row_leaves_the_other_clusters_as_they_are(dtype, far, d, wrap):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(40, d)), 9 + rng.normal(size=(40, d)), [[far] * d]]).astype(dtype)
    model = SoftKMeans(3, refine="lloyd").fit(wrap(X))
    assert np.bincount(model.labels_).tolist() == [40, 40, 1]
    for part in (X[:40], X[40:80]):
        assert len(np.unique(model.predict(part))) == 1
    split = SoftKMeans(2, refine="lloyd").fit(wrap(X[:80])).critical_temperatures_[0]
    np.testing.assert_allclose(model.critical_temperatures_[1], split, rtol=0.01)
    soft = SoftKMeans(3, temperature=1.0).fit(X)
    assert np.bincount(soft.labels_).tolist() == [40, 40, 1]


def test_at_zero_temperature_a_far_centre_softens_no_probability():
    X = np.concatenate([np.random.default_rng(0).normal(size=(60, 2)), [[1e12, 0.0]]])
    model = SoftKMeans(4).fit(X)
    np.testing.assert_array_equal(model.predict_proba(X), np.eye(4)[model.labels_])


def test_rows_equally_far_from_two_clusters_do_not_keep_it_from_ending():
    model = SoftKMeans(2, refine="lloyd").fit(np.array([[-1.0], [0.0], [1.0]]))
    assert model.n_iter_ < 200
    assert sorted(np.bincount(model.labels_)) == [1, 2]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("wide", [2, 70])
def test_nothing_is_drawn_but_the_sample(wide):
    X = np.random.default_rng(5).normal(size=(400, wide))
    first = SoftKMeans(9, random_state=0).fit(X)
    for seed in (1, 2, None):
        other = SoftKMeans(9, random_state=seed).fit(X)
        np.testing.assert_array_equal(other.cluster_centers_, first.cluster_centers_)
        np.testing.assert_array_equal(other.critical_temperatures_, first.critical_temperatures_)
