"""select: grids, criteria, shared fits, seeds, words, refusals."""

import threading
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import coo_array, csr_array
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

import unmix
from unmix.datasets import blobs, gaussian
from unmix.validation import AIC, BIC, Score, Separation, Stability, select
from unmix.validation.fits.parallel import in_parallel

QUICK = [Separation(n_references=6), Stability(n_resamples=4), BIC(), AIC()]


@dataclass(frozen=True)
class Prefers:
    """A criterion that wants one number of clusters, and counts how often it is asked."""

    wanted: int
    name: str = "prefers"
    higher_is_better: bool = False

    def evaluate(self, estimator, X, rng):
        return Score(abs(estimator.n_clusters - self.wanted))


class Counting(KMeans):
    fits = 0

    def fit(self, X, y=None, sample_weight=None):
        Counting.fits += 1
        return super().fit(X, y, sample_weight)


@pytest.fixture(scope="module")
def three():
    return blobs(150, 2, 3, random_state=0)[0]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "estimator",
    [
        KMeans(n_init=3),
        GaussianMixture(),
        AgglomerativeClustering(),
        SpectralClustering(gamma=0.1),
        unmix.cluster.KMeans(),
        unmix.density.GaussianMixture(),
    ],
    ids=lambda estimator: f"{type(estimator).__module__.split('.')[0]}.{type(estimator).__name__}",
)
def test_any_clusterer(estimator, three):
    selection = select(estimator, three, [1, 2, 3, 4], QUICK, random_state=0)
    assert list(selection.best_params.values()) == [3]
    assert selection.best_estimator is selection.estimators[2]
    assert selection.verdict.startswith("3 clusters")
    assert len(selection.table) == 4 * 4
    assert set(selection.table[0]) >= {"criterion", "value", "error", "chosen"}


@pytest.mark.slow_without_jit
def test_nothing_in_words():
    selection = select(KMeans(n_init=2), gaussian(150, 3, random_state=0), range(1, 5), QUICK, random_state=0)
    assert selection.best_params == {"n_clusters": 1}
    assert selection.verdict.startswith("No cluster structure beyond chance")
    assert str(selection) == selection.verdict


@pytest.mark.slow_without_jit
def test_disagreement_and_the_end_of_the_grid_are_said(three):
    selection = select(KMeans(n_init=3), three, [1, 2, 3], [Separation(n_references=6), Prefers(2)], random_state=0)
    assert selection.choices == {"separation": {"n_clusters": 3}, "prefers": {"n_clusters": 2}}
    assert "prefers prefers 2" in selection.verdict and "largest number on the grid" in selection.verdict
    coarse = select(KMeans(n_init=3), three, [1, 2, 4, 5], Separation(n_references=6), random_state=0)
    assert coarse.best_params == {"n_clusters": 2} and "no K = 3" in coarse.verdict


def test_the_majority_decides_without_separation(three):
    wishes = [Prefers(2, "a"), Prefers(3, "b"), Prefers(3, "c")]
    assert select(KMeans(n_init=1), three, [1, 2, 3], wishes, random_state=0).best_params == {"n_clusters": 3}
    assert select(KMeans(n_init=1), three, [1, 2, 3], wishes[:2], random_state=0).best_params == {"n_clusters": 2}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("criteria", [QUICK, Stability(n_resamples=5)])
def test_same_seed_same_answer_on_any_number_of_threads(three, criteria):
    answers = []
    for threads in (1, 2, 3):
        with unmix.execution(threads=threads):
            answers.append(select(KMeans(n_init=1), three, [1, 2, 5], criteria, random_state=7).table)
    assert str(answers[0]) == str(answers[1]) == str(answers[2])
    assert str(select(KMeans(n_init=1), three, [1, 2, 5], criteria, random_state=8).table) != str(answers[0])


def test_fits_are_shared_and_the_estimator_is_left_alone(three):
    Counting.fits = 0
    estimator = Counting(n_init=1)
    select(estimator, three, [1, 2, 3], [BIC(), AIC(), Prefers(1)], random_state=0)
    assert Counting.fits == 3
    assert not hasattr(estimator, "labels_") and estimator.random_state is None


def test_observer_hears_of_progress(three):
    heard = []
    with unmix.execution(observe=heard.append, threads=2):
        select(KMeans(n_init=1), three, [1, 2], Stability(n_resamples=3), random_state=0)
    assert [(r.stage, r.iteration, r.max_iter) for r in heard] == [
        ("fits", 1, 2), ("fits", 2, 2),
        ("stability: resamples", 1, 3), ("stability: resamples", 2, 3), ("stability: resamples", 3, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "make", [pd.DataFrame, lambda X: pl.DataFrame(X), lambda X: X.tolist(), np.asfortranarray, csr_array]
)
def test_tables_of_any_kind(three, make):
    expected = select(KMeans(n_init=1), three, [2, 3], BIC(), random_state=0).table
    assert str(select(KMeans(n_init=1), make(three), [2, 3], BIC(), random_state=0).table) == str(expected)


def test_float32_stays_float32(three):
    selection = select(KMeans(n_init=1), three.astype(np.float32), [2, 3], BIC(), random_state=0)
    assert selection.best_estimator.cluster_centers_.dtype == np.float32


@pytest.mark.slow_without_jit
def test_grid_over_more_than_the_number(three):
    grid = {"n_clusters": [1, 3], "init": ["k-means++", "random"]}
    selection = select(KMeans(n_init=2), three, grid, QUICK, random_state=0)
    assert len(selection.params) == 4 and selection.best_params["n_clusters"] == 3


def test_settings_without_a_number_of_clusters(three):
    grid = {"min_cluster_size": [5, 40]}
    selection = select(HDBSCAN(copy=True), three, grid, Stability("subsample", n_resamples=3), random_state=0)
    assert selection.params[0] == {"min_cluster_size": 5}


@pytest.mark.parametrize(
    "grid, error, match",
    [
        ([], ValueError, "no setting"),
        ({}, ValueError, "no setting"),
        ({"n_clusters": []}, ValueError, "no setting"),
        ({"n_cluster": [2]}, ValueError, "did you mean 'n_clusters'"),
        ({"temperature": [2]}, ValueError, "it has algorithm"),
        ({"n_clusters": 3}, TypeError, "one value"),
        (5, TypeError, "no grid"),
        ([0, 1], ValueError, "from 1 up"),
        ([1.5], ValueError, "from 1 up"),
        ([2, 5000], ValueError, "only 150 rows"),
        ([True, 2], ValueError, "n_clusters=True; give whole numbers"),
        (np.array(3), TypeError, "no grid"),
        ([1, {"n_clusters": 2}], TypeError, "mixes numbers and settings"),
    ],
)
def test_bad_grids_are_named(three, grid, error, match):
    with pytest.raises(error, match=match):
        select(KMeans(), three, grid)


@pytest.mark.parametrize(
    "grid", [[3, 1, 2], [1.0, 2.0, 3.0], np.arange(1, 4), {3, 1, 2}, (k for k in (1, 2, 3)), pd.Series([1, 2, 3, 3])]
)
def test_numbers_of_clusters_in_any_form_and_order(three, grid):
    found = select(KMeans(n_init=1), three, grid, BIC(), random_state=0)
    assert found.best_params == {"n_clusters": 3} and type(found.best_params["n_clusters"]) is int


def test_the_rows_that_can_be_judged_bound_the_grid(three):
    with pytest.raises(ValueError, match="n_clusters=3, but only 2 rows can be judged"):
        select(KMeans(), three, [1, 3], BIC(), random_state=0, sample_weight=np.arange(150) < 2)
    with pytest.raises(ValueError, match="n_clusters=3, but only 2 rows can be judged"):
        select(KMeans(), three, [1, 3], BIC(), random_state=0, max_rows=2)
    with pytest.raises(ValueError, match="n_clusters=2, but only 1 row can be judged"):
        select(KMeans(), three, [2], BIC(), random_state=0, sample_weight=9 * (np.arange(150) < 1))


@pytest.mark.parametrize("given", [1.5, "a", -1, 2**40, np.random.SeedSequence(0)])
def test_what_seeds_nothing_is_named(three, given):
    with pytest.raises(ValueError, match=r"random_state=(.|\n)* give a whole number below"):
        select(KMeans(), three, [1, 2], BIC(), random_state=given)


def test_generators_seed_too_and_go_on(three):
    first, again, later = (
        select(KMeans(n_init=1), three, [2, 5], Stability(n_resamples=2), random_state=rng).table
        for rng in (np.random.default_rng(3), np.random.default_rng(3), advanced())
    )
    assert str(first) == str(again) != str(later)


def advanced():
    rng = np.random.default_rng(3)
    rng.random(5)
    return rng


@pytest.mark.parametrize("criteria", [(BIC(),), {BIC()}, (c for c in [BIC()]), BIC, BIC()])
def test_criteria_in_any_form(three, criteria):
    assert select(KMeans(n_init=1), three, [1, 3], criteria, random_state=0).choices == {"BIC": {"n_clusters": 3}}


@pytest.mark.parametrize(
    "X, words",
    [
        (np.array([["a", "b"]] * 9), "X holds text"),
        (pd.DataFrame({"a": ["x", "y"] * 5, "b": range(10)}), "X holds text .*leave them out"),
        ("rows.csv", "There is no file"),
        ({"a": [1, 2]}, "X is a dict, no table"),
        (np.ma.masked_array(np.eye(5), np.eye(5) == 1), "missing values"),
        (np.empty((5, 0)), "0 feature"),
        (coo_array(([1.0], ([0], [0])), shape=(10**6, 10**4)), "10,000,000,000 entries when dense"),
        (np.ones((1, 2)), "minimum of 2"),
    ],
)
def test_what_is_no_table_of_numbers_is_named(X, words):
    with pytest.raises((TypeError, ValueError), match=words):
        select(KMeans(), X, [1, 2], BIC(), random_state=0)


def test_weights_count_rows_and_are_no_probabilities(three):
    """Of weights that sum to one, log n would be 0 and BIC free of charge."""
    with pytest.raises(ValueError, match=r"sample_weight sums to 1, .*multiply the weights"):
        select(KMeans(), three, [1, 2], BIC(), random_state=0, sample_weight=np.full(150, 1 / 150))


def test_weights_that_are_no_numbers_are_named(three):
    with pytest.raises(ValueError, match="sample_weight holds a value that is not a number"):
        select(KMeans(), three, [1, 2], BIC(), random_state=0, sample_weight=["a"] * 150)


def test_bad_data_and_criteria_are_named(three):
    holes = three.copy()
    holes[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"missing values \(NaN\) in 1 of 150 rows"):
        select(KMeans(), holes, [1, 2])
    holes[3, 1] = np.inf
    with pytest.raises(ValueError, match="infinite"):
        select(KMeans(), holes, [1, 2])
    with pytest.raises(TypeError, match="is no criterion"):
        select(KMeans(), three, [1, 2], ["bic"])
    with pytest.raises(ValueError, match="each name once"):
        select(KMeans(), three, [1, 2], [BIC(), BIC()])
    with pytest.raises(TypeError, match="PCA puts rows in none"):
        select(PCA(), three, [1, 2], [Separation()])


@pytest.mark.parametrize(
    "given, words",
    [
        ({"estimator": KMeans}, "estimator=.* give an instance"),
        ({"estimator": None}, "estimator=None"),
        ({"criteria": "BIC"}, "criteria: 'BIC' is no criterion"),
        ({"cache": 3}, "cache=3 is no folder"),
    ],
)
def test_what_is_no_estimator_criterion_or_folder_is_named(given, words):
    given = {"estimator": KMeans(), "X": np.eye(4), "grid": [1, 2], "random_state": 0} | given
    with pytest.raises(TypeError, match=words):
        select(**given)


def test_selections_in_two_threads_leave_the_warnings_of_the_process_alone():
    """One is still at work while the other ends, and neither mutes what others say."""
    before, shows = list(warnings.filters), warnings.showwarning
    X = blobs(40, 2, 2, random_state=0)[0]
    inside, over = threading.Event(), threading.Event()

    class Waits(Prefers):
        def evaluate(self, estimator, X, rng):
            inside.set()
            over.wait(20)
            return super().evaluate(estimator, X, rng)

    def slow():
        in_parallel(lambda i: Waits(2).evaluate(KMeans(2), X, None), 1, "waits")

    thread = threading.Thread(target=slow)
    thread.start()
    inside.wait(20)
    select(KMeans(n_init=1), X, [1, 2], Prefers(2), random_state=0)
    with pytest.warns(ConvergenceWarning, match="others"):
        warnings.warn("others", ConvergenceWarning, stacklevel=1)
    over.set()
    thread.join(20)
    assert list(warnings.filters) == before and warnings.showwarning is shows


def test_fits_that_do_not_converge_are_not_talked_about():
    X = blobs(40, 2, 2, random_state=0)[0]
    select(GaussianMixture(max_iter=1), X, [1, 2, 3], [BIC()], random_state=0)


class Bare:
    name, higher_is_better = "bare", True

    def evaluate(self, estimator, X, rng):
        return 1.0 / (estimator.n_clusters - 1)


def test_a_criterion_that_fails_is_named():
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(TypeError, match=r"bare.evaluate returned 1.0; return a Score"):
        select(KMeans(random_state=0), X, range(2, 4), Bare())
    with pytest.raises(ZeroDivisionError) as caught:
        select(KMeans(random_state=0), X, range(1, 3), Bare())
    assert "criterion 'bare' judged KMeans(n_clusters=1" in caught.value.__notes__[0]
