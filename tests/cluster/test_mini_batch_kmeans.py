"""The online rule against a hand-written loop, closed forms, and the cost of batch K-means."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from unmix.algorithms.rows.presentation import presentation
from unmix.cluster import KMeans, MiniBatchKMeans
from unmix.datasets import blobs

rng = np.random.default_rng(0)
X = rng.normal(size=(240, 3)) + 5 * rng.integers(0, 3, (240, 1))


@pytest.mark.slow_without_jit
@parametrize_with_checks([MiniBatchKMeans(3, schedule="inverse", init="random")])
def test_scikit_learn(estimator, check):
    check(estimator)


def sorted_rows():
    """Few rows are shown from a fixed order."""
    return X[np.argsort(X @ np.random.default_rng(np.random.SeedSequence(0)).random(3), kind="stable")]


RATES = {
    "constant": lambda t: 0.2,
    "inverse": lambda t: 1 / (t + 1),
    "power": lambda t: 0.2 * (8 / (t + 7)) ** 0.6,
}


@pytest.mark.parametrize("schedule", RATES)
def test_the_rule_row_by_row(schedule):
    options = {"init": X[:4], "schedule": schedule, "learning_rate": 0.2, "tau": 7, "kappa": 0.6, "random_state": 5}
    model = MiniBatchKMeans(4, max_iter=2, **options)
    rows, centers, wins = sorted_rows(), X[:4].copy(), np.zeros(4)
    for epoch in range(2):
        for i in presentation(None, 240, model._seed(), epoch):
            c = ((rows[i] - centers) ** 2).sum(axis=1).argmin()
            wins[c] += 1
            centers[c] += RATES[schedule](wins[c]) * (rows[i] - centers[c])
    model.fit(X)
    np.testing.assert_allclose(model.cluster_centers_, centers)
    np.testing.assert_array_equal(model.counts_, wins)
    by_parts = clone(model).partial_fit(X).partial_fit(X)
    np.testing.assert_array_equal(by_parts.cluster_centers_, model.cluster_centers_)
    assert by_parts.n_steps_ == model.n_steps_ == model.n_iter_ == 2


def test_one_centre_with_rate_one_over_t_is_the_mean():
    model = MiniBatchKMeans(1, schedule="inverse", init=X[:1], max_iter=3, random_state=0).fit(X)
    np.testing.assert_allclose(model.cluster_centers_[0], (X[0] + 3 * X.sum(axis=0)) / (1 + 3 * len(X)))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("schedule, within", [("power", 1.02), ("inverse", 1.03), ("constant", 1.06)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_cost_comes_near_that_of_batch_k_means(schedule, within, seed):
    data, truth = blobs(3000, 4, 6, random_state=seed)
    start = np.stack([data[truth == c][0] for c in range(6)])
    batch = KMeans(6, init=start, swaps=0).fit(data)
    rate = 0.05 if schedule == "constant" else 0.3
    model = MiniBatchKMeans(6, init=start, schedule=schedule, learning_rate=rate, random_state=seed).fit(data)
    assert batch.inertia_ * (1 - 1e-9) <= model.inertia_ <= within * batch.inertia_


def test_a_constant_rate_follows_drift_and_the_inverse_one_does_not():
    follows = MiniBatchKMeans(1, schedule="constant", learning_rate=0.1, random_state=0)
    settles = MiniBatchKMeans(1, schedule="inverse", random_state=0)
    for step in range(20):
        for model in (follows, settles):
            model.partial_fit(X[:60] + step)
    goal = X[:60].mean(axis=0) + 19
    assert np.abs(follows.cluster_centers_ - goal).max() < 3 < np.abs(settles.cluster_centers_ - goal).min()
    assert follows.n_steps_ == 20 and follows.counts_.sum() == 1200


def test_weights_repeat_and_sparse_is_dense():
    weights = rng.integers(0, 4, len(X))
    make = MiniBatchKMeans(3, max_iter=3, random_state=0)
    weighted, repeated = make.fit(X, sample_weight=weights), clone(make).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_)
    sparse = clone(make).fit(csr_array(X))
    np.testing.assert_allclose(sparse.cluster_centers_, clone(make).fit(X).cluster_centers_)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_extreme_scales(scale):
    make = MiniBatchKMeans(3, max_iter=3, random_state=0)
    plain, scaled = clone(make).fit(X), clone(make).fit(X * scale)
    np.testing.assert_array_equal(plain.labels_, scaled.labels_)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_clusters": 0},
        {"max_iter": 0},
        {"schedule": "slow"},
        {"learning_rate": 0},
        {"learning_rate": 1.5},
        {"tau": -1},
        {"kappa": np.nan},
        {"init": "best"},
        {"batch_size": 0},
        {"max_no_improvement": -1},
        {"init_size": 0},
        {"n_init": 0},
        {"reassignment_ratio": -1},
        {"tol": -1},
    ],
    ids=str,
)
def test_wrong_parameters_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        MiniBatchKMeans(**{"n_clusters": 3, **wrong}).fit(X)


def test_a_fit_refuses_fewer_rows_than_clusters():
    with pytest.raises(ValueError, match="fewer clusters"):
        MiniBatchKMeans(5).fit(X[:4])


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("size", [1, 3])
def test_given_centres_learn_from_the_first_row_on(size, form):
    model, centers, wins = MiniBatchKMeans(4, init=X[:4], schedule="inverse", random_state=0), X[:4].copy(), np.zeros(4)
    for i in range(0, 60, size):
        model.partial_fit(form(X[[i]] if size == 1 else np.repeat(X[[i]], size, axis=0)))
        for _ in range(size):
            c = ((X[i] - centers) ** 2).sum(axis=1).argmin()
            wins[c] += 1
            centers[c] += (X[i] - centers[c]) / (wins[c] + 1)
    np.testing.assert_allclose(model.cluster_centers_, centers)
    np.testing.assert_array_equal(model.counts_, wins)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("size", [1, 2, 8, 32, 400])
def test_a_stream_may_be_cut_anywhere(size, seed):
    rows = np.random.default_rng(seed).permutation(blobs(400, 5, 3, random_state=seed)[0])
    model = MiniBatchKMeans(3, random_state=0)
    for start in range(0, len(rows), size):
        model.partial_fit(rows[start : start + size])
    assert -model.score(rows) < 1.05 * KMeans(3, random_state=0).fit(rows).inertia_


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_rows_are_kept_until_there_are_as_many_different_ones_as_clusters(form):
    model = MiniBatchKMeans(3, random_state=0)
    for i in range(200):
        model.partial_fit(form(np.array([[0.0, 1.0], [2.0, 2.0]])[[i % 2]]))
    assert len(np.unique(model.cluster_centers_, axis=0)) == 2
    model.partial_fit(form([[5.0, 5.0]]))
    np.testing.assert_allclose(np.sort(model.cluster_centers_[:, 0]), [0.0, 2.0, 5.0], atol=1e-12)
    assert model.first_rows_ is None, "nothing is kept once there are enough"


def test_batches_are_cut_from_one_epoch_after_the_other():
    options = {"init": X[:4], "reassignment_ratio": 0, "tol": 0, "max_no_improvement": None, "random_state": 5}
    model = MiniBatchKMeans(4, max_iter=3, batch_size=100, **options).fit(X)
    assert (model.n_steps_, model.n_iter_) == (7, 3)
    rows, centers, wins = sorted_rows(), X[:4].copy(), np.zeros(4)
    for i in np.concatenate([presentation(None, 240, model._seed(), epoch) for epoch in range(3)])[:700]:
        c = ((rows[i] - centers) ** 2).sum(axis=1).argmin()
        wins[c] += 1
        centers[c] += 0.3 * (11 / (wins[c] + 10)) ** 0.8 * (rows[i] - centers[c])
    np.testing.assert_allclose(model.cluster_centers_, centers)


def test_a_fit_ends_when_the_cost_falls_no_more():
    ends = MiniBatchKMeans(3, batch_size=40, max_no_improvement=3, random_state=0).fit(X)
    goes_on = MiniBatchKMeans(3, batch_size=40, max_no_improvement=None, random_state=0).fit(X)
    assert ends.n_steps_ < goes_on.n_steps_ == 100 * 240 // 40
    costs = np.array([row["objective"] for row in ends.trace_])
    average, lowest, waited = costs[1], np.inf, 0
    for cost in costs[1:]:
        average = average + (cost - average) * 2 * 40 / 240 if np.isfinite(lowest) else cost
        waited, lowest = (0, average) if average < lowest * (1 - 0.005 * 40 / 240) else (waited + 1, lowest)
    assert waited == 3
    rests = MiniBatchKMeans(3, tol=1.0, max_no_improvement=None, random_state=0).fit(X)
    assert rests.n_iter_ == 2, "the first step does not count"


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_a_centre_that_wins_nothing_moves_where_the_cost_falls(form):
    start = np.vstack([X[:2], [[500.0, 500.0, 500.0]]])
    options = {"init": start, "batch_size": 80, "random_state": 0}
    left = MiniBatchKMeans(3, reassignment_ratio=0, **options).fit(form(X))
    moved = MiniBatchKMeans(3, **options).fit(form(X))
    assert left.counts_[2] == 0 and (left.cluster_centers_[2] == 500).all()
    assert moved.inertia_ < left.inertia_ and np.abs(moved.cluster_centers_).max() < 20


def test_labels_are_left_out_if_not_wanted():
    model = MiniBatchKMeans(3, compute_labels=False, random_state=0).fit(X)
    full = MiniBatchKMeans(3, random_state=0).fit(X)
    assert not hasattr(model, "labels_")
    np.testing.assert_array_equal(model.cluster_centers_, full.cluster_centers_)
    assert model.inertia_ == pytest.approx(full.inertia_, rel=0.05)


def test_the_best_of_several_starts_is_followed():
    rows = np.concatenate([np.zeros((200, 1)), np.full((3, 1), 50.0), np.full((3, 1), 90.0)])
    tries = [
        MiniBatchKMeans(3, init="random", n_init=n, init_size=206, random_state=1).fit(rows).inertia_ for n in (1, 50)
    ]
    assert tries[1] <= tries[0]
