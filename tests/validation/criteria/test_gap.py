"""The gap statistic against a plain transcription of its definition, and on the tables it was published with."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans

from unmix.datasets import blobs, gaussian, tibshirani
from unmix.validation import GapStatistic, Score, select
from unmix.validation.criteria.gap import box_of_axes, box_of_columns, first_not_beaten, log_dispersion


def plain_gap(X, ks, draw, B, rng):
    """Gap and s straight from the paper: sums of squared distances between all pairs of a cluster."""

    def log_w(table, k):
        labels = AgglomerativeClustering(k, linkage="ward").fit_predict(table)
        return np.log(sum((pdist(table[labels == c]) ** 2).sum() / np.sum(labels == c) for c in range(k)))

    data = np.array([log_w(X, k) for k in ks])
    null = np.array([[log_w(table, k) for k in ks] for table in (draw(rng) for _ in range(B))])
    return null.mean(axis=0) - data, null.std(axis=0) * np.sqrt(1 + 1 / B)


@pytest.mark.parametrize("reference, draw", [("uniform", box_of_columns), ("pca", box_of_axes)])
def test_equals_a_plain_transcription(reference, draw):
    X, _ = blobs(90, 2, 3, random_state=0)
    ks = [1, 2, 3, 4, 5]
    models = [AgglomerativeClustering(k).fit(X) for k in ks]
    seen = GapStatistic(reference, n_references=40).evaluate_grid(models, X, np.random.default_rng(0))
    gaps, errors = plain_gap(X, ks, draw(X), 40, np.random.default_rng(1))
    # The references are other draws, so equal within their error; the data's own dispersion is the same number.
    difference = np.array([score.value for score in seen.scores]) - gaps
    assert np.all(np.abs(difference) < 4 * np.sqrt(2 / 40) * errors)
    assert np.allclose([score.error for score in seen.scores], errors, rtol=0.6)
    assert seen.choice == 2


def test_same_tables_same_numbers():
    """With the very same references there is no difference at all."""
    X, _ = blobs(60, 2, 3, random_state=0)
    tables = [box_of_axes(X)(np.random.default_rng(b)) for b in range(3)]
    given = iter(tables)
    models = [AgglomerativeClustering(k).fit(X) for k in (1, 2, 3, 4)]
    criterion = GapStatistic(lambda _: lambda rng: next(given), n_references=3)
    seen = criterion.evaluate_grid(models, X, np.random.default_rng(0))
    again = iter(tables)
    gaps, errors = plain_gap(X, [1, 2, 3, 4], lambda rng: next(again), 3, None)
    assert np.allclose([score.value for score in seen.scores], gaps)
    assert np.allclose([score.error for score in seen.scores], errors)


def test_references_fill_the_box():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 2)) @ np.array([[3.0, 3.0], [-0.2, 0.2]])
    columns, axes = box_of_columns(X)(rng), box_of_axes(X)(rng)
    assert np.all(columns.min(axis=0) >= X.min(axis=0)) and np.all(columns.max(axis=0) <= X.max(axis=0))
    assert abs(np.corrcoef(columns.T)[0, 1]) < 0.1 and np.corrcoef(axes.T)[0, 1] > 0.9
    turn = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2].T
    assert np.allclose(np.ptp(axes @ turn, axis=0), np.ptp(X @ turn, axis=0), rtol=0.01)
    assert np.all(np.ptp(axes @ turn, axis=0) <= np.ptp(X @ turn, axis=0))


def test_the_least_number_not_beaten():
    scores = [Score(0.1, 0.05), Score(0.5, 0.05), Score(0.53, 0.05), Score(0.9, 0.05)]
    assert first_not_beaten(scores, [1, 2, 3, 4]) == 1
    assert first_not_beaten(scores[::-1], [4, 3, 2, 1]) == 2
    assert first_not_beaten(scores[:2], [1, 2]) == 1
    assert first_not_beaten([Score(0.0, 0.1), Score(0.2, 0.1), Score(0.1, 0.1)], [1, 2, 2]) == 1
    assert first_not_beaten([Score(float("nan"))], [1]) is None


def test_rows_without_label_count_as_unexplained():
    X, y = blobs(40, 2, 2, random_state=0)
    some = np.where(np.arange(40) < 5, -1, y)
    centred = X - X.mean(axis=0)
    expected = (centred[:5] ** 2).sum() + sum(((X[some == c] - X[some == c].mean(axis=0)) ** 2).sum() for c in (0, 1))
    assert log_dispersion(X, some) == pytest.approx(np.log(expected))
    assert log_dispersion(X * 1e200, some) == pytest.approx(np.log(expected) + 400 * np.log(10))


def test_a_perfect_fit_is_finite():
    X = np.repeat(np.eye(2), 5, axis=0)
    found = select(KMeans(n_init=1), X, [1, 2], GapStatistic(n_references=5), random_state=0)
    assert found.best_params == {"n_clusters": 2}
    assert all(np.isfinite(row["value"]) for row in found.table)


def test_any_clusterer_without_a_number_of_clusters():
    X, _ = blobs(80, 2, 3, random_state=0)
    grid = {"min_cluster_size": [5, 40]}
    found = select(HDBSCAN(copy=True), X, grid, GapStatistic(n_references=4), random_state=0)
    assert found.best_params == {"min_cluster_size": 5}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("model, truth", [(1, 1), (2, 3), (5, 2)])
def test_published_tables(model, truth):
    """Tibshirani et al. report 50, 48 and 50 of 50 for these with principal axes."""
    right = 0
    for seed in range(4):
        X, _ = tibshirani(model, random_state=seed)
        found = select(KMeans(n_init=3), X, range(1, 7), GapStatistic(n_references=10), random_state=seed)
        right += found.best_params["n_clusters"] == truth
    assert right >= 3


def test_large_tables_and_refusals():
    X = gaussian(300, 2, random_state=0)
    models = [KMeans(k, n_init=1, random_state=0).fit(X) for k in (1, 2)]
    seen = GapStatistic(max_rows=100, n_references=3).evaluate_grid(models, X, np.random.default_rng(0))
    assert seen.choice == 0
    with pytest.raises(ValueError, match="'pca', 'uniform' or a function"):
        GapStatistic("gaussian").evaluate(models[0], X, np.random.default_rng(0))
    with pytest.raises(ValueError, match="n_references=1"):
        GapStatistic(n_references=1).evaluate(models[0], X, np.random.default_rng(0))
