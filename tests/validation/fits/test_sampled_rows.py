"""Which rows are judged: weights as repeated rows, tables with gaps, tables too large to look at whole."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.impute import SimpleImputer
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import unmix
from unmix.datasets import blobs
from unmix.validation import AIC, BIC, Score, Separation, Stability, select
from unmix.validation.fits.sampled_rows import counted, on_rows, sample_rows, weight_keywords
from unmix.validation.selection.notes import sample_in_words

X = blobs(120, 2, 3, random_state=0)[0]
WEIGHTS = np.arange(120) % 3
TWICE = np.repeat(X, WEIGHTS, axis=0)
START = X[[0, 50, 100]]


@dataclass(frozen=True)
class Seen:
    """A criterion that keeps what it was shown."""

    name: str = "seen"
    higher_is_better: bool = True

    def evaluate(self, estimator, X, rng):
        shown.append((X, getattr(estimator, "labels_", None)))
        return Score(float(len(X)))


@dataclass(frozen=True)
class SeenWithWeights(Seen):
    allow_nan = True

    def evaluate(self, estimator, X, rng, sample_weight=None):
        shown.append((X, sample_weight))
        return Score(1.0)


shown: list = []


@pytest.fixture(autouse=True)
def _forget():
    shown.clear()


@pytest.mark.parametrize(
    "estimator", [KMeans(3, init=START, n_init=1), make_pipeline(StandardScaler(), KMeans(3, init="random", n_init=9))]
)
def test_weight_2_is_the_row_twice_for_likelihoods(estimator):
    name = "n_clusters" if isinstance(estimator, KMeans) else "kmeans__n_clusters"
    weighted = select(estimator, X, {name: [3]}, [AIC(), BIC()], random_state=0, sample_weight=WEIGHTS)
    repeated = select(estimator, TWICE, {name: [3]}, [AIC(), BIC()], random_state=0)
    for a, b in zip(weighted.table, repeated.table):
        assert a["value"] == pytest.approx(b["value"], rel=1e-10)


@pytest.mark.slow_without_jit
def test_weight_2_is_the_row_twice_for_the_verdict():
    criteria = [Separation(n_references=4), Stability(), BIC()]
    weighted = select(unmix.cluster.KMeans(), X, [1, 2, 3, 4], criteria, random_state=0, sample_weight=WEIGHTS)
    repeated = select(unmix.cluster.KMeans(), TWICE, [1, 2, 3, 4], criteria, random_state=0)
    assert weighted.best_params == repeated.best_params == {"n_clusters": 3}
    for a, b in zip(weighted.table, repeated.table):
        assert a["value"] == pytest.approx(b["value"], rel=1e-9, nan_ok=True)


def test_weights_go_to_criteria_that_know_them():
    select(KMeans(n_init=1), X, [2], [Seen(), SeenWithWeights(name="weights")], random_state=0, sample_weight=WEIGHTS)
    (rows, labels), (whole, weights) = shown
    assert np.array_equal(rows, TWICE) and len(labels) == len(TWICE)
    counts = WEIGHTS > 0  # what does not count is not shown
    assert np.array_equal(whole, X[counts]) and np.array_equal(weights, WEIGHTS[counts])


def test_weights_that_are_no_counts_become_draws():
    found = select(KMeans(n_init=1), X, [2], Seen(), random_state=0, sample_weight=WEIGHTS / 7)
    rows = found.rows["seen"]
    times = np.bincount(rows, minlength=120)
    assert len(rows) == 120 and (np.abs(times - WEIGHTS * 120 / WEIGHTS.sum()) < 1).all()
    assert "in proportion" in found.notes[0]


def test_weights_that_cannot_be_used_are_refused():
    with pytest.raises(TypeError, match="AgglomerativeClustering takes none; repeat the rows"):
        select(AgglomerativeClustering(), X, [1, 2], BIC(), sample_weight=WEIGHTS)
    with pytest.raises(TypeError, match="GaussianMixture takes none"):
        select(make_pipeline(StandardScaler(), GaussianMixture()), X, [1, 2], BIC(), sample_weight=WEIGHTS)
    for bad in (WEIGHTS[1:], -WEIGHTS, 0 * WEIGHTS, WEIGHTS * np.nan):
        with pytest.raises(ValueError, match="give 120 finite weights"):
            select(KMeans(), X, [1, 2], BIC(), sample_weight=bad)
    pipeline = make_pipeline(SimpleImputer(), StandardScaler(), KMeans())
    assert weight_keywords(pipeline) == ["standardscaler__sample_weight", "kmeans__sample_weight"]
    found = select(pipeline, X, [2], BIC(), random_state=0, sample_weight=WEIGHTS)
    assert any("'simpleimputer' takes no sample_weight" in note for note in found.notes)


def test_counting_rows():
    rng = np.random.default_rng(0)
    assert counted(np.array([0.0, 2.0, 0.0, 1.0]), 10, rng).tolist() == [1, 1, 3]
    part = counted(np.array([1000.0, 0.0, 3000.0]), 400, rng)
    assert len(part) == 400 and 70 < (part == 0).sum() < 130 and (part != 1).all()
    assert np.bincount(counted(np.array([0.5, 1.0, 0.5]), 10, rng), minlength=3).sum() == 3


def gappy():
    holes = X.copy()
    holes[::4, 0] = np.nan
    return holes


def test_gaps_are_shown_to_criteria_that_can_judge_them():
    imputed = make_pipeline(SimpleImputer(), KMeans(n_init=1))
    criteria = [SeenWithWeights(), Seen(name="whole rows")]
    found = select(imputed, gappy(), [2], criteria, random_state=0)
    assert np.isnan(shown[0][0]).any() and len(shown[0][0]) == 120
    assert np.array_equal(shown[1][0], X[np.arange(120) % 4 > 0])
    assert found.notes == ["whole rows cannot use missing values: it was given the 90 of 120 rows that have none."]
    with pytest.raises(ValueError, match="only 0 rows of X have none"):
        select(imputed, np.where(np.eye(2)[np.arange(120) % 2] > 0, np.nan, X), [2], Seen(), random_state=0)
    with pytest.raises(ValueError, match="infinite values"):
        select(imputed, np.where(np.isnan(gappy()), np.inf, X), [2], Seen())


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "estimator, grid",
    [
        (unmix.density.GaussianMixture(missing="ignore"), [1, 2, 3, 4]),
        (unmix.cluster.KMeans(missing="ignore"), [1, 2, 3, 4]),
        (make_pipeline(SimpleImputer(), KMeans(n_init=3)), [1, 2, 3, 4]),
    ],
    ids=["mixture", "partial distances", "imputed"],
)
def test_clusters_in_a_table_with_gaps(estimator, grid):
    found = select(estimator, gappy(), grid, [Separation(n_references=6), Stability(n_resamples=3)], random_state=0)
    assert found.sizes[found.best_index] == 3


def test_rows_a_model_leaves_out_for_their_gaps_are_no_cluster():
    found = select(HDBSCAN(copy=True), gappy(), {"min_cluster_size": [10]}, Stability(n_resamples=3), random_state=0)
    assert (found.estimators[0].labels_ == -3).sum() == 30 and found.sizes == [3, 1]
    assert found.choices["stability"] == {"min_cluster_size": 10} and found.table[0]["value"] > 0.9


def test_labels_go_along_with_rows():
    rows = np.array([5, 5, 0])
    for model in (AgglomerativeClustering(3), make_pipeline(StandardScaler(), AgglomerativeClustering(3))):
        model.fit(X)
        labels = getattr(model, "labels_", None) if hasattr(model, "labels_") else model[-1].labels_
        seen = on_rows(model, rows, len(X))
        inner = seen if hasattr(seen, "labels_") else seen[-1]
        assert np.array_equal(inner.labels_, labels[rows]) and len(labels) == 120


@pytest.mark.slow_without_jit
def test_a_large_table_is_judged_on_a_part_and_the_model_fitted_on_all():
    large = blobs(3000, 2, 3, random_state=1)[0]
    criteria = [Separation(n_references=4, max_rows=300), BIC()]
    found = select(KMeans(n_init=2), large, [1, 2, 3, 4], criteria, random_state=0, max_rows=500)
    assert found.best_params == {"n_clusters": 3}
    assert len(found.best_estimator.labels_) == 3000 and len(found.estimators[2].labels_) == 500
    assert "300 of 3,000 rows drawn at random" in found.verdict
    assert found.notes[0] == "The grid was fitted on 500 of 3,000 rows, the chosen model on all of them."
    turned = select(KMeans(n_init=2), large[::-1], [1, 2, 3, 4], criteria, random_state=0, max_rows=500)
    assert str(turned.table) == str(found.table)  # which rows are drawn does not depend on their order
    with pytest.raises(ValueError, match="max_rows=1"):
        select(KMeans(), large, [1, 2], BIC(), max_rows=1)


def test_a_weighted_sample_draws_rows_as_often_as_they_count():
    weights = np.repeat([0.0, 1.0, 3.0], 1000)
    values = np.arange(3000.0)[:, None]
    rows = sample_rows(values, weights, 400, np.random.default_rng(0))
    share = (rows >= 2000).mean()
    assert len(rows) == 400 and rows.min() >= 1000 and abs(share - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 400)


def test_the_smallest_cluster_a_sample_shows():
    text = sample_in_words(2000, 10**6)
    share = float(text.split("less than ")[1].split(" %")[0]) / 100
    assert binom.cdf(4, 2000, share) == pytest.approx(0.05, abs=0.005)
