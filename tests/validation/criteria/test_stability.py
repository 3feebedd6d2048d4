"""Stability: its definition, its invariances, and what it says of clear, absent and small clusters."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsClassifier

from unmix.datasets import blobs, gaussian
from unmix.validation import Stability, clustering_distance, row_stability, select

PERTURBATIONS = ["split", "subsample", "noise"]
START = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]])


class Shuffled(ClusterMixin, BaseEstimator):
    """A clusterer that renames its clusters at random in every fit."""

    def __init__(self, n_clusters=2, random_state=None):
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X, y=None):
        self.model_ = KMeans(self.n_clusters, init=START[: self.n_clusters], n_init=1).fit(X)
        self.names_ = np.random.default_rng(int(1e6 * abs(X.sum()))).permutation(self.n_clusters)
        self.labels_ = self.names_[self.model_.labels_]
        return self

    def predict(self, X):
        return self.names_[self.model_.predict(X)]


class AtRandom(Shuffled):
    """Labels that have nothing to do with the data."""

    def fit(self, X, y=None):
        self.labels_ = np.random.default_rng(self.random_state).integers(self.n_clusters, size=len(X))
        return self

    def predict(self, X):
        return np.random.default_rng(self.random_state).integers(self.n_clusters, size=len(X))


def measure(model, X, seed=0, **settings):
    return Stability(**settings).measure(model.fit(X), X, np.random.default_rng(seed))


@pytest.mark.parametrize("perturb", PERTURBATIONS)
@pytest.mark.parametrize(
    "model", [KMeans(3, n_init=5), GaussianMixture(3, n_init=3, random_state=0), AgglomerativeClustering(3)]
)
def test_clear_clusters_are_stable_for_any_clusterer(perturb, model):
    X, _ = blobs(120, 2, 3, random_state=0)
    seen = measure(model, X, perturb=perturb, n_resamples=5)
    assert seen.score.value > 0.97
    assert seen.rows.mean() > 0.97 and len(seen.clusters) == 3


@pytest.mark.parametrize("perturb", PERTURBATIONS)
def test_labels_at_random_have_stability_zero(perturb):
    seen = measure(AtRandom(4, random_state=0), gaussian(400, 2, random_state=0), perturb=perturb)
    assert abs(seen.score.value) < 4 * seen.score.error + 0.02
    # Equal sizes: (K - 1)/K, a little less because the best matching profits from chance.
    assert 0.65 < seen.random < 0.75


@pytest.mark.parametrize("perturb", PERTURBATIONS)
def test_names_of_clusters_do_not_count(perturb):
    X = gaussian(150, 2, random_state=1)
    plain = measure(KMeans(3, init=START, n_init=1), X, perturb=perturb)
    renamed = measure(Shuffled(3, random_state=0), X, perturb=perturb)
    assert np.array_equal(plain.distances, renamed.distances)
    assert np.array_equal(plain.rows, renamed.rows)


@pytest.mark.parametrize("perturb", PERTURBATIONS)
def test_order_of_rows_does_not_count(perturb):
    X = gaussian(150, 2, random_state=2)
    order = np.random.default_rng(0).permutation(150)
    start = X[:3]
    first = measure(KMeans(3, init=start, n_init=1), X, perturb=perturb)
    again = measure(KMeans(3, init=start, n_init=1), X[order], perturb=perturb)
    assert np.array_equal(first.distances, again.distances)
    assert np.array_equal(first.rows[order], again.rows)


def test_two_halves_worked_by_hand():
    """Split-half with K = 2 in one dimension: r is the share of rows between the two cuts."""
    X = np.sort(gaussian(60, 1, random_state=3), axis=0)
    settings = Stability(n_resamples=1)
    seed = np.random.default_rng(0).integers(2**31, size=1)[0]
    half = np.random.default_rng(seed).permutation(60)
    halves = [X[np.sort(half[:30])], X[np.sort(half[30:])]]
    cuts = [KMeans(2, init=X[[0, -1]], n_init=1).fit(h).cluster_centers_.mean() for h in halves]
    between = np.mean((halves[1] > min(cuts)) & (halves[1] <= max(cuts)))
    seen = settings.measure(KMeans(2, init=X[[0, -1]], n_init=1).fit(X), X, np.random.default_rng(0))
    assert seen.distances[0] == pytest.approx(between)


def test_a_blurred_pair_is_less_stable_than_the_cluster_apart():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((80, 2)), rng.standard_normal((40, 2)) + 15])
    model = KMeans(3, n_init=5, random_state=0)
    seen = measure(model, X)
    apart = model.labels_[-1]
    assert seen.clusters[apart] > 0.95
    assert np.delete(seen.clusters, apart).max() < 0.95
    assert seen.rows[80:].mean() > seen.rows[:80].mean()


def test_error_falls_with_the_number_of_resamples():
    X = gaussian(100, 2, random_state=0)
    model = KMeans(3, n_init=1, random_state=0)
    few, many = (measure(model, X, n_resamples=n).score.error for n in (8, 128))
    assert many < 0.5 * few  # 1/4 on average


def test_one_cluster_has_no_value_and_is_chosen_where_nothing_is_stable():
    X = gaussian(200, 5, random_state=0)
    selection = select(KMeans(n_init=1), X, range(1, 6), Stability(n_resamples=8), random_state=0)
    assert np.isnan(selection.table[0]["value"])
    assert selection.best_params == {"n_clusters": 1}


def test_picks_the_true_number_of_clear_clusters():
    X, _ = blobs(240, 3, 5, random_state=1)
    selection = select(KMeans(n_init=5), X, range(1, 8), Stability(n_resamples=8), random_state=0)
    assert selection.best_params == {"n_clusters": 5}


def test_large_tables_are_judged_on_some_rows():
    X = gaussian(500, 2, random_state=0)
    seen = measure(KMeans(2, n_init=1, random_state=0), X, max_rows=100, n_resamples=3)
    assert np.isfinite(seen.rows).sum() == 100


def test_noise_points_of_dbscan_are_left_out():
    X, _ = blobs(150, 2, 3, random_state=0)
    seen = measure(DBSCAN(eps=1.0), X, perturb="subsample", n_resamples=4)
    assert seen.score.value > 0.8


@pytest.mark.parametrize("way", ["auto", "predict", "nearest", "prototype", LogisticRegression()], ids=str)
def test_labels_are_carried_in_any_way(way):
    X, _ = blobs(120, 2, 3, random_state=0)
    seen = measure(KMeans(3, n_init=5), X, transfer=way, n_resamples=5)
    assert seen.score.value > 0.97


def test_the_nearest_mean_is_what_kmeans_predicts():
    X = gaussian(100, 2, random_state=0)
    model = KMeans(3, init=START, n_init=1, tol=0, max_iter=1000)
    own, mean, row = (measure(model, X, transfer=way).distances for way in ("predict", "prototype", "nearest"))
    assert np.allclose(own, mean, atol=0.011)  # a row on the border may fall to either side by rounding
    assert not np.allclose(row, own, atol=0.011)


def test_a_classifier_is_trained_anew_and_left_alone():
    X, _ = blobs(90, 2, 3, random_state=0)
    classifier = KNeighborsClassifier(3)
    seen = measure(AgglomerativeClustering(3), X, transfer=classifier, n_resamples=4)
    assert seen.score.value > 0.97 and not hasattr(classifier, "classes_")


def test_transfers_that_cannot_be():
    X = gaussian(30, 2, random_state=0)
    with pytest.raises(ValueError, match="'auto', 'predict', 'nearest', 'prototype', or a classifier"):
        measure(KMeans(2, n_init=1), X, transfer="knn")
    with pytest.raises(TypeError, match="has no predict"):
        measure(AgglomerativeClustering(2), X, transfer="predict")
    with pytest.raises(TypeError, match="is no classifier"):
        measure(KMeans(2, n_init=1), X, transfer=KMeans(2))


def test_random_labellings_of_the_same_sizes():
    """Against the exact expectation for 8 rows in clusters of 5 and 3, by all labellings."""
    a = np.array([0] * 5 + [1] * 3)
    exact = np.mean([clustering_distance(a, np.isin(np.arange(8), c).astype(int)) for c in combinations(range(8), 3)])

    class Fixed(Shuffled):
        def fit(self, X, y=None):
            self.labels_ = (X[:, 0] > 4.5).astype(int)
            return self

    X = np.arange(8.0)[:, None]
    details = measure(Fixed(2), X, perturb="noise", noise=1e-9, n_resamples=200)
    assert details.score.value == 1.0 and details.inconsistency.value == 0.0
    assert details.random == pytest.approx(exact, abs=4 * details.random_error)
    assert details.random_error == pytest.approx(0.15 / np.sqrt(1000), rel=0.5)


def test_the_error_counts_that_of_chance_too():
    X = gaussian(60, 2, random_state=0)
    seen = measure(KMeans(3, n_init=1, random_state=0), X, n_random=1)
    r, error = seen.distances.mean(), seen.distances.std(ddof=1) / np.sqrt(20)
    assert seen.inconsistency.value == pytest.approx(r / seen.random)
    both = np.sqrt((error / r) ** 2 + (seen.random_error / seen.random) ** 2) * seen.inconsistency.value
    assert seen.score.error == pytest.approx(both)


@pytest.mark.parametrize("perturb", PERTURBATIONS)
def test_a_weight_is_a_repetition(perturb):
    X, _ = blobs(90, 2, 3, separation=3.0, random_state=0)
    weight = np.random.default_rng(0).integers(0, 4, 90)
    X[weight == 0] = 50.0
    often, model = np.repeat(X, weight, axis=0), KMeans(3, n_init=1, init=X[weight > 0][:3], tol=0.0)
    for max_rows in (2000, 80):
        settings, rng = Stability(perturb, n_resamples=4, max_rows=max_rows), np.random.default_rng
        by_weight = settings.measure(model.fit(X, sample_weight=weight), X, rng(0), sample_weight=weight)
        repeated = settings.measure(clone(model).fit(often), often, rng(0))
        assert np.array_equal(by_weight.distances, repeated.distances)
        assert by_weight.score.value == pytest.approx(repeated.score.value)
        if perturb != "subsample" and max_rows == 2000:  # else copies are judged more or less often
            assert np.allclose(by_weight.clusters, repeated.clusters)
    assert np.isnan(by_weight.rows[weight == 0]).all()


def test_row_stability_by_weight_is_that_of_rows_repeated():
    X = gaussian(100, 2, random_state=1)
    weight = np.random.default_rng(0).integers(0, 4, 100)
    X[weight == 0] = 50.0
    model = KMeans(3, init=START, n_init=1).fit(X, sample_weight=weight)
    often = np.repeat(X, weight, axis=0)
    by_weight = row_stability(model, X, sample_weight=weight)
    repeated = row_stability(KMeans(3, init=START, n_init=1).fit(often), often)
    np.testing.assert_allclose(np.repeat(by_weight, weight), repeated)


def test_row_stability_is_low_between_the_clusters_and_known_everywhere():
    X = np.concatenate([np.linspace(0, 3, 60), np.linspace(7, 10, 60), [4.95, 5.05]])[:, None]
    model = KMeans(2, n_init=2, random_state=0).fit(X)
    sure = row_stability(model, X, max_rows=40)
    assert sure.shape == (122,) and np.isfinite(sure).all()
    assert sure[:120].min() == 1.0 and sure[120:].min() < 1.0
    assert np.all(row_stability(KMeans(1, n_init=1).fit(X), X, n_resamples=3) == 1.0)


def test_row_stability_knows_no_names_and_no_order():
    X = gaussian(150, 2, random_state=1)
    order = np.random.default_rng(0).permutation(150)
    plain, renamed = KMeans(3, init=START, n_init=1), Shuffled(3, random_state=0)
    sure = row_stability(plain.fit(X), X)
    assert np.array_equal(sure, row_stability(renamed.fit(X), X))
    assert np.array_equal(sure[order], row_stability(plain.fit(X[order]), X[order]))
    weight = np.random.default_rng(0).integers(1, 3, 150).astype(float)
    assert np.isfinite(row_stability(plain.fit(X), X, sample_weight=weight)).all()


def test_row_stability_of_rows_in_no_cluster():
    X, _ = blobs(150, 2, 3, random_state=0)
    X[0] = 100.0
    sure = row_stability(DBSCAN(eps=1.5).fit(X), X, fraction=0.9, n_resamples=5)
    assert np.isnan(sure[0]) and np.nanmean(sure) > 0.8
    with pytest.raises(ValueError, match=r"fraction=0\.0: give a number above 0"):
        row_stability(KMeans(2).fit(X), X, fraction=0.0)


def test_a_model_that_found_fewer_clusters_than_asked_for_is_not_preferred_for_asking():
    X = np.repeat(np.array([[0.0, 0.0], [1.0, 2.0]]), 30, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = [KMeans(k, n_init=1, random_state=0).fit(X) for k in (1, 2, 3)]
    seen = Stability(n_resamples=4).evaluate_grid(models, X, np.random.default_rng(0))
    assert [score.value for score in seen.scores[1:]] == [1.0, 1.0]
    assert seen.choice == 1
