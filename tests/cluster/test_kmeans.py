"""KMeans against enumeration of all partitions, scikit-learn, and what the method promises."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.cluster import KMeans as Reference
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score, pairwise_distances

import unmix
from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.starts.plus_plus import STARTS
from unmix.cluster import KMeans, from_one_hot, one_hot
from unmix.costs.nearest.differences import Points
from unmix.io.dispatch import as_blocks


def partitions(n: int, k: int):
    """Labels of all partitions of n objects into at most k groups, each partition once."""

    def grow(labels: list[int], used: int):
        if len(labels) == n:
            yield np.array(labels)
            return
        for label in range(min(used + 1, k)):
            yield from grow([*labels, label], max(used, label + 1))

    yield from grow([], 0)


def within(X, labels, weights=None):
    weights = np.ones(len(X)) if weights is None else weights
    total = 0.0
    for c in np.unique(labels):
        part, w = X[labels == c], weights[labels == c]
        if w.sum() > 0:
            total += (w[:, None] * (part - w @ part / w.sum()) ** 2).sum()
    return total


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [2, 3, 4])
def test_best_of_all_partitions_is_found(seed, k):
    X = np.random.default_rng(seed).normal(size=(8, 2))
    best = min(within(X, labels) for labels in partitions(8, k))
    assert KMeans(k, n_init=5, random_state=0).fit(X).inertia_ == pytest.approx(best, rel=1e-9)


def test_best_of_all_weighted_partitions_is_found():
    rng = np.random.default_rng(5)
    X, weights = rng.normal(size=(9, 2)), rng.integers(0, 5, 9).astype(float)
    best = min(within(X, labels, weights) for labels in partitions(9, 3))
    assert KMeans(3, n_init=5, random_state=0).fit(X, sample_weight=weights).inertia_ == pytest.approx(best)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sparse", [False, True])
def test_from_given_centres_the_answer_is_scikit_learns(dtype, sparse):
    X, _ = make_blobs(3000, 6, centers=9, cluster_std=2.0, random_state=3)
    X = X.astype(dtype)
    if sparse:
        X = csr_array(np.where(np.abs(X) > 3, X, 0).astype(dtype))
    start = (X[:9].toarray() if sparse else X[:9]).astype(np.float64)
    ours = KMeans(9, init=start).fit(X)
    theirs = Reference(9, init=start.astype(dtype), n_init=1).fit(X)
    assert ours.n_iter_ == theirs.n_iter_
    assert adjusted_rand_score(ours.labels_, theirs.labels_) > 0.999
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-4 if dtype == np.float32 else 1e-9)
    assert ours.cluster_centers_.dtype == dtype


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", range(2))
def test_default_fit_is_no_worse_than_ten_restarts(seed):
    X, _ = make_blobs(20000, 4, centers=20, cluster_std=1.0, random_state=seed)
    X = X.astype(np.float32)
    reference = Reference(20, n_init=10, random_state=seed).fit(X)
    assert KMeans(20, random_state=seed).fit(X).inertia_ <= reference.inertia_ * (1 + 1e-4)


def test_conditions_of_an_optimum_hold():
    X, _ = make_blobs(2000, 3, centers=7, cluster_std=2.0, random_state=0)
    model = KMeans(7, tol=0, random_state=0).fit(X)
    distances = pairwise_distances(X, model.cluster_centers_)
    assert (model.labels_ == distances.argmin(axis=1)).all()
    means = np.stack([X[model.labels_ == c].mean(axis=0) for c in range(7)])
    np.testing.assert_allclose(model.cluster_centers_, means, atol=1e-9)
    assert model.inertia_ == pytest.approx((distances.min(axis=1) ** 2).sum(), rel=1e-12)
    assert model.inertia_ == -model.score(X)
    np.testing.assert_allclose(model.transform(X), distances, atol=1e-9)


def test_cost_never_rises():
    X = np.random.default_rng(0).normal(size=(3000, 4))
    trace = KMeans(12, init=X[:12], random_state=0).fit(X).trace_
    costs = [row["objective"] for row in trace if row["stage"] == "lloyd"]
    assert len(costs) > 5
    assert (np.diff(costs) <= 1e-12 * costs[0]).all()


def forms_of(X):
    """The table in every form that takes a way of its own through the fit."""
    weights = np.random.default_rng(1).integers(0, 4, len(X)).astype(float)
    gaps = np.where(np.random.default_rng(2).random(X.shape) < 0.1, np.nan, X)
    return {
        "plain": (X, None, {}),
        "float32": (X.astype(np.float32), None, {}),
        "weights": (X, weights, {}),
        "sparse": (csr_array(np.where(np.abs(X) < 0.5, 0.0, X)), None, {"n_init": 1}),
        "one start": (X, None, {"n_init": 1}),
        "no swaps": (X, None, {"swaps": 0, "n_init": 3, "init": "random"}),
        "one plain start": (X, None, {"swaps": 0, "n_init": 1, "init": "random"}),
        "gaps": (gaps, None, {"missing": "ignore", "n_init": 1}),
    }


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("form", list(forms_of(np.ones((2, 2)))))
@pytest.mark.parametrize("n, k", [(20, 3), (200, 8), (3000, 8), (30_000, 8)])
def test_more_iterations_never_end_worse(form, n, k):
    X, weights, options = forms_of(np.random.default_rng(n).standard_normal((n, 3)))[form]
    rounding = 1e-6 if form == "float32" else 1e-12
    for limits in (((1, 1e-4), (2, 1e-4), (5, 1e-4), (300, 1e-4)), ((300, 1e-2), (300, 0.0))):
        reached = [
            KMeans(k, random_state=0, max_iter=most, tol=tol, **options).fit(X, sample_weight=weights).inertia_
            for most, tol in limits
        ]
        assert (np.diff(reached) <= rounding * reached[0]).all(), reached


def test_predict_agrees_with_labels_and_order_is_canonical():
    X = np.random.default_rng(0).integers(0, 4, (5000, 3)).astype(np.float32)  # many ties
    model = KMeans(6, random_state=0).fit(X)
    assert (model.predict(X) == model.labels_).all()
    assert (KMeans(6, random_state=0).fit_predict(X) == model.labels_).all()
    sizes = np.bincount(model.labels_, minlength=6)
    assert (np.diff(sizes) <= 0).all()


def test_clusters_of_equal_size_are_ordered_by_their_centres():
    X = np.array([[9.0, 1.0], [9.0, 1.2], [0.0, 5.0], [0.0, 5.2], [0.0, -3.0], [0.0, -3.2]])
    centers = KMeans(3, random_state=0).fit(X).cluster_centers_
    np.testing.assert_allclose(centers, [[0.0, -3.1], [0.0, 5.1], [9.0, 1.1]])


@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("sparse", [False, True])
def test_weight_two_is_the_row_twice(init, sparse):
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(300, 4)), rng.integers(0, 4, 300)
    wrap = csr_array if sparse else np.asarray
    model = KMeans(7, init=init, random_state=3)
    weighted = clone(model).fit(wrap(X), sample_weight=weights)
    repeated = clone(model).fit(wrap(np.repeat(X, weights, axis=0)))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, atol=1e-9)
    assert weighted.inertia_ == pytest.approx(repeated.inertia_)
    np.testing.assert_array_equal(np.repeat(weighted.labels_, weights), repeated.labels_)


@pytest.mark.slow_without_jit
def test_weight_two_is_the_row_twice_when_a_sample_is_drawn():
    X, _ = make_blobs(9000, 3, centers=12, random_state=0)
    weights = np.random.default_rng(0).integers(1, 5, 9000)
    weighted = KMeans(12, random_state=0).fit(X, sample_weight=weights)
    repeated = KMeans(12, random_state=0).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, rtol=1e-7)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_scales(scale):
    X, _ = make_blobs(200, 3, centers=4, random_state=1)
    X /= np.abs(X).max()
    plain, scaled = KMeans(4, random_state=0).fit(X), KMeans(4, random_state=0).fit(scale * X)
    assert adjusted_rand_score(plain.labels_, scaled.labels_) == 1
    np.testing.assert_allclose(scaled.cluster_centers_, scale * plain.cluster_centers_, rtol=1e-9)
    np.testing.assert_allclose(scaled.transform(scale * X) / scale, plain.transform(X), atol=1e-9)
    assert (scaled.predict(scale * X) == scaled.labels_).all()


def test_float32_far_from_the_origin():
    X, truth = make_blobs(600, 3, centers=4, cluster_std=0.3, random_state=1)
    X = (X + 1e4).astype(np.float32)
    assert adjusted_rand_score(KMeans(4, random_state=0).fit(X).labels_, truth) == 1


def test_constant_columns_and_one_cluster():
    X = np.ones((20, 3))
    X[:, 1] = np.arange(20)
    model = KMeans(1, random_state=0).fit(X)
    np.testing.assert_allclose(model.cluster_centers_, [[1, 9.5, 1]])
    assert model.inertia_ == pytest.approx(665.0)


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_more_clusters_than_distinct_rows_is_said(wrap):
    X = wrap(np.repeat(np.arange(1.0, 4.0)[:, None], 5, axis=0))
    with pytest.warns(ConvergenceWarning, match=r"distinct clusters \(3\) found smaller than n_clusters \(5\)"):
        model = KMeans(5, random_state=0).fit(X)
    assert model.inertia_ == 0
    assert len(np.unique(model.labels_)) == 3
    assert model.cluster_centers_.shape == (5, 1)
    assert (model.predict(X) == model.labels_).all()


def test_bits_do_not_depend_on_threads_or_storage(tmp_path):
    X, _ = make_blobs(40000, 5, centers=10, random_state=0)
    X = X.astype(np.float32)
    np.save(tmp_path / "X.npy", X)
    expected = None
    for data, threads in [(X, 1), (X, 3), (np.asfortranarray(X), 2), (tmp_path / "X.npy", 2)]:
        with unmix.execution(threads=threads):
            model = KMeans(10, random_state=0).fit(data)
        found = (model.cluster_centers_.tobytes(), model.labels_.tobytes(), model.inertia_)
        expected = expected or found
        assert found == expected


def test_missing_entries_by_partial_distances():
    X, truth = make_blobs(600, 8, centers=4, random_state=0)
    gaps = X.copy()
    gaps[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    model = KMeans(4, missing="ignore", tol=0, random_state=0).fit(gaps)
    assert adjusted_rand_score(model.labels_, truth) > 0.99
    means = np.stack([np.nanmean(gaps[model.labels_ == c], axis=0) for c in range(4)])
    np.testing.assert_allclose(model.cluster_centers_, means, atol=1e-9)
    residuals = np.nansum((gaps - means[model.labels_]) ** 2)
    assert model.inertia_ == pytest.approx(residuals, rel=1e-9)
    costs = [row["objective"] for row in model.trace_ if row["stage"] == "lloyd"]
    assert (np.diff(costs) <= 1e-9 * costs[0]).all()
    from sklearn.metrics.pairwise import nan_euclidean_distances

    np.testing.assert_allclose(model.transform(gaps), nan_euclidean_distances(gaps, means), atol=1e-9)
    assert (model.predict(gaps) == model.labels_).all()


def test_without_gaps_partial_distances_are_distances():
    X = load_iris().data
    assert KMeans(3, missing="ignore", random_state=0).fit(X).inertia_ == pytest.approx(
        KMeans(3, random_state=0).fit(X).inertia_, rel=1e-6
    )


def test_iris_has_the_known_optimum():
    assert KMeans(3, random_state=0).fit(load_iris().data).inertia_ == pytest.approx(78.851441, abs=1e-5)


def test_start_may_be_a_function():
    X = load_iris().data
    model = KMeans(3, init=lambda rows, k, random_state: rows[:k], swaps=0, random_state=0).fit(X)
    assert model.inertia_ < 143


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters=0"),
        ({"n_clusters": 2.5}, "n_clusters=2.5"),
        ({"init": "best"}, "one of 'k-means\\+\\+', 'random'"),
        (
            {"init": np.zeros((2, 2))},
            r"The shape of the initial centers \(2, 2\) does not match the number of clusters 8",
        ),
        ({"n_init": 0}, "n_init=0"),
        ({"swaps": -1}, "swaps=-1"),
        ({"tol": -1.0}, "tol=-1.0"),
        ({"missing": "drop"}, "missing='drop' is not known; give 'error' or 'ignore'"),
        ({"algorithm": "full"}, "algorithm='full' is not known; give 'lloyd' or 'elkan'"),
        ({"n_clusters": 200}, "n_samples=150 should be >= n_clusters=200"),
    ],
)
def test_bad_parameters_get_a_sentence(parameters, message):
    with pytest.raises(ValueError, match=message):
        KMeans(**parameters).fit(load_iris().data)


def test_all_gaps_in_a_column_is_said():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [5.0, np.nan]])
    with pytest.raises(ValueError, match="column 1 has no observed value"):
        KMeans(2, missing="ignore").fit(X)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", [1e4, 1e6, 1e10, 1e12])
@pytest.mark.parametrize(
    "n", [1500, 15000]
)  # of twice as many rows, the last is a sample drawn that misses the far one
def test_a_far_row_changes_only_its_own_cluster(dtype, far, n):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(n, 2)), 10 + rng.normal(size=(n, 2)), [[far, -far]]]).astype(dtype)
    X = X[rng.permutation(len(X))]
    model = KMeans(3, random_state=0).fit(X)
    lone = np.abs(X[:, 1]) > 1e3
    assert set(model.labels_[lone]) == {2}
    assert (model.labels_[~lone] < 2).all()
    without = KMeans(2, random_state=0).fit(X[~lone])
    assert adjusted_rand_score(model.labels_[~lone], without.labels_) == 1
    np.testing.assert_allclose(model.inertia_, without.inertia_, rtol=1e-5)
    distances = ((X[:, None].astype(np.float64) - model.cluster_centers_) ** 2).sum(axis=2)
    assert (model.labels_ == distances.argmin(axis=1)).all()
    np.testing.assert_allclose(model.inertia_, distances.min(axis=1).sum(), rtol=1e-9)
    np.testing.assert_allclose(model.transform(X), np.sqrt(distances), rtol=1e-5)


@pytest.mark.parametrize("missing", ["error", "ignore"])
@pytest.mark.parametrize("value", [1e20, 1e39, 1e300])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_given_centres_may_be_anywhere(value, dtype, missing):
    X = np.random.default_rng(0).normal(size=(200, 3)).astype(dtype)
    model = KMeans(2, init=[[value] * 3, [-value] * 3], missing=missing).fit(X)
    distances = ((X[:, None].astype(np.float64) - model.cluster_centers_) ** 2).sum(axis=2)
    assert (model.labels_ == distances.argmin(axis=1)).all()
    assert (np.bincount(model.labels_) > 20).all()
    np.testing.assert_allclose(model.inertia_, distances.min(axis=1).sum(), rtol=1e-9)


@pytest.mark.parametrize(
    "returned, message",
    [(np.full((2, 3), np.nan), "init holds NaN"), (np.full((2, 3), np.inf), "init holds NaN or infinity"),
     (np.zeros((3, 2)), r"initial centers \(3, 2\) does not match .* let init be of shape \(2, 3\)")],
)  # fmt: skip
def test_what_a_function_returns_is_checked(returned, message):
    with pytest.raises(ValueError, match=message):
        KMeans(2, init=lambda rows, k, random_state: returned).fit(np.random.default_rng(0).normal(size=(50, 3)))
    with pytest.raises(ValueError, match="init holds NaN"):
        KMeans(2, init=[[np.nan] * 3, [0.0] * 3]).fit(np.zeros((50, 3)))


def test_one_hot_and_back():
    labels = np.array([2, 0, 1, 2])
    Z = one_hot(labels, 4)
    assert Z.shape == (4, 4)
    assert (Z.sum(axis=1) == 1).all()
    assert (from_one_hot(Z) == labels).all()
    X = np.arange(8.0).reshape(4, 2)
    np.testing.assert_allclose((Z.T @ X)[2], X[labels == 2].sum(axis=0))
    with pytest.raises(ValueError, match="row 1"):
        from_one_hot([[1, 0], [1, 1]])
    with pytest.raises(ValueError, match="labels run from -1"):
        one_hot([-1, 0])


def lloyd(X, centers):
    """More than enough iterations."""
    for _ in range(100):
        labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        centers = np.stack([X[labels == c].mean(axis=0) for c in range(len(centers))])
    return centers, labels


@pytest.mark.parametrize("missing", ["error", "ignore"])
@pytest.mark.parametrize("kind", ["array", "function"])
def test_given_centres_keep_their_numbers(kind, missing):
    X, _ = make_blobs([20, 60, 120], 2, centers=None, random_state=3)
    start = X[[1, 30, 150]]
    init = start if kind == "array" else lambda rows, k, random_state: start
    model = KMeans(3, init=init, n_init=1, tol=0, missing=missing).fit(X)
    centers, labels = lloyd(X, start)
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_allclose(model.cluster_centers_, centers)
    assert np.bincount(labels)[0] < np.bincount(labels).max(), "the order is not that of the weights"


def test_a_function_is_shown_the_rows_and_a_random_state():
    X, seen = load_iris().data, []

    def init(rows, n_clusters, random_state):
        seen.append((rows, n_clusters, random_state))
        return rows[random_state.choice(len(rows), n_clusters, replace=False)]

    KMeans(3, init=init, n_init=4, random_state=0).fit(X)
    assert len(seen) == 4
    for rows, k, drawn in seen:
        np.testing.assert_array_equal(rows, X)
        assert k == 3 and isinstance(drawn, np.random.RandomState)


def test_random_starts_are_rows():
    X = np.random.default_rng(0).normal(size=(40, 3))
    for seed in range(5):
        start = STARTS["random"](Points(X, None, find_frame(as_blocks(X), None)), 4, seed, 0)
        start = find_frame(as_blocks(X), None).leave(start)
        assert np.isclose(start[:, None], X).all(axis=2).any(axis=1).all()


def test_verbose_prints_and_changes_nothing(capsys):
    X = np.random.default_rng(0).normal(size=(500, 3))
    quiet = KMeans(4, random_state=0, tol=0).fit(X)
    assert capsys.readouterr().out == ""
    loud = KMeans(4, random_state=0, tol=0, verbose=1, copy_x=False, algorithm="elkan").fit(X)
    assert capsys.readouterr().out.count("\n") >= loud.n_iter_
    np.testing.assert_array_equal(loud.cluster_centers_, quiet.cluster_centers_)
