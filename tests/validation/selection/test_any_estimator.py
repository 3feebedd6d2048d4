"""Estimators of scikit-learn as they are: pipelines, models that find their number, ranks from 0, no single cluster."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, Birch, KMeans
from sklearn.decomposition import NMF, PCA, TruncatedSVD
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import unmix
import unmix.cluster
from unmix.datasets import blobs, uniform
from unmix.validation import (
    BIC,
    ApproximationSetCoding,
    Consensus,
    MixtureOrder,
    PosteriorAgreement,
    Score,
    Separation,
    Stability,
    compare,
    select,
)
from unmix.validation.fits.no_structure import Constant, OneCluster
from unmix.validation.fits.refit import labels_of, last_step, refit, size_of, size_parameter, transfer, with_size

QUICK = [Separation(n_references=6), Stability(n_resamples=4)]
THREE = blobs(150, 2, 3, random_state=0)[0]
NOTHING = uniform(150, random_state=0)


class Reconstruction:
    """Mean squared error of rebuilding X, charged per component so that it has a minimum."""

    name, higher_is_better = "reconstruction", False

    def evaluate(self, estimator, X, rng):
        rebuilt = estimator.inverse_transform(estimator.transform(X))
        return Score(float(np.mean((X - rebuilt) ** 2)) + 0.05 * size_of(estimator))


class AtLeastTwo(ClusterMixin, BaseEstimator):
    """K-means that cannot bear one cluster."""

    def __init__(self, n_clusters=2, random_state=None):
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X, y=None):
        if self.n_clusters < 2:
            raise ValueError("two clusters at least")
        self.labels_ = KMeans(self.n_clusters, n_init=2, random_state=self.random_state).fit(X).labels_
        return self


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "estimator",
    [
        Birch(threshold=0.1),
        BayesianGaussianMixture(covariance_type="spherical", max_iter=30),
        make_pipeline(StandardScaler(), KMeans(n_init=2)),
        make_pipeline(StandardScaler(), AgglomerativeClustering()),
        AtLeastTwo(),
    ],
    ids=lambda estimator: type(last_step(estimator)).__name__,
)
def test_clusters_and_their_absence(estimator):
    name = size_parameter(estimator)
    assert select(estimator, THREE, range(1, 5), QUICK, random_state=0).best_params == {name: 3}
    assert select(estimator, NOTHING, {name: range(1, 5)}, QUICK, random_state=0).best_params == {name: 1}


@pytest.mark.slow_without_jit
def test_a_model_that_finds_its_number_itself():
    grid = {"min_cluster_size": [5, 40]}
    found = select(HDBSCAN(copy=True), THREE, grid, QUICK, random_state=0)
    assert found.sizes == [3, 3, 1] and found.params[-1] == {} and found.verdict.startswith("3 clusters")
    assert "is a candidate too" in found.notes[0]
    nothing = select(HDBSCAN(copy=True), NOTHING, {"min_cluster_size": [5, 10]}, QUICK, random_state=0)
    assert nothing.best_params == {} and (nothing.best_estimator.labels_ == 0).all()
    assert nothing.verdict.startswith("No cluster structure")


def test_one_cluster_stands_in_where_a_model_cannot_have_it():
    found = select(AtLeastTwo(), THREE, [1, 2, 3], BIC(), random_state=0)
    assert found.best_params == {"n_clusters": 3} and isinstance(found.estimators[0], OneCluster)
    assert "cannot be fitted with one cluster" in found.notes[0]
    with pytest.raises(ValueError, match="two clusters at least"):
        select(AtLeastTwo(), THREE, [1], BIC(), random_state=0)
    with pytest.raises(ValueError, match="initial centers"):
        select(KMeans(init=THREE[:2], n_init=1), THREE, [2, 3], BIC(), random_state=0)  # a real mistake is not hidden


def test_ranks_begin_at_0():
    rng = np.random.default_rng(0)
    low = rng.normal(size=(80, 2)) @ rng.normal(size=(2, 6)) * 2 + rng.normal(scale=0.1, size=(80, 6)) + 5
    found = select(PCA(), low, range(6), [Reconstruction()], random_state=0)
    assert found.best_params == {"n_components": 2} and found.sizes == list(range(6))
    assert np.allclose(found.table[0]["value"], low.var(axis=0).mean())  # rank 0: the column means
    noise = rng.normal(scale=0.3, size=(80, 6))
    assert select(PCA(), noise, range(6), [Reconstruction()], random_state=0).best_params == {"n_components": 0}
    scaled = make_pipeline(StandardScaler(), TruncatedSVD())
    assert select(scaled, low, [0, 1], [Reconstruction()], random_state=0).params[0] == {
        "truncatedsvd__n_components": 0
    }
    assert select(NMF(init="nndsvda"), np.abs(low), [0, 1], [Reconstruction()], random_state=0).sizes == [0, 1]
    with pytest.raises(ValueError, match="from 0 up"):
        select(PCA(), low, [-1, 0], [Reconstruction()])
    with pytest.raises(ValueError, match="from 1 up"):
        select(GaussianMixture(), low, [0, 1], BIC())


def test_the_constant_model_is_probabilistic_pca_without_components():
    X = np.random.default_rng(0).normal([1.0, 2.0, 3.0], 2.0, size=(50, 3))
    model, spherical = Constant().fit(X), GaussianMixture(1, covariance_type="spherical", reg_covar=0.0).fit(X)
    assert np.allclose(model.score_samples(X), spherical.score_samples(X))
    assert model.score(X) == pytest.approx(spherical.score(X)) and model.n_parameters_ == 4
    holes, weights = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X), np.arange(50) % 3
    twice = np.repeat(holes, weights, axis=0)
    for kind in (Constant, OneCluster):
        weighted, repeated = kind().fit(holes, sample_weight=weights), kind().fit(twice)
        for name in {"mean_", "noise_variance_", "cluster_centers_", "inertia_"} & set(vars(repeated)):
            assert np.allclose(getattr(weighted, name), getattr(repeated, name))
    assert np.allclose(Constant().fit(holes).mean_, np.nanmean(holes, axis=0))


def test_parts_of_a_pipeline_are_found():
    model = make_pipeline(StandardScaler(), KMeans(4, init=np.zeros((4, 2)), n_init=1))
    assert size_parameter(model) == "kmeans__n_clusters" and size_of(model) == 4
    smaller = with_size(model, 2)
    assert size_of(smaller) == 2 and smaller[-1].init == "k-means++"
    assert refit(smaller, THREE, 3)[-1].random_state == 3
    assert isinstance(with_size(DBSCAN(), 2), unmix.cluster.KMeans)
    # The nearest row is looked for where the model saw it: here the long second axis does not count.
    X = np.array([[0.0, 0.0], [0.1, 1000.0], [5.0, 0.0], [5.1, 1000.0]])
    halves = make_pipeline(StandardScaler(), AgglomerativeClustering(2)).set_params(standardscaler__with_mean=False)
    labels = np.array([0, 0, 1, 1])
    assert transfer(halves.fit(X), X, labels, np.array([[4.9, 400.0]])) == [1]


def test_labels_of_rows_left_out():
    class Fitted:
        def __init__(self, labels):
            self.labels_ = np.array(labels)

    X = np.zeros((3, 1))
    assert labels_of(Fitted([-3, -1, 0]), X).tolist() == [-1, -1, 0]
    assert labels_of(Fitted([-1, -2, -1]), X).tolist() == [0, 0, 0] and size_of(Fitted([-1, -1, -1])) == 1
    assert size_of(Fitted([-1, 4, 7])) == 2


@pytest.mark.parametrize(
    "make, name",
    [
        (lambda: Stability(n_resamples=0), "n_resamples=0"),
        (lambda: Stability(n_random=0), "n_random=0"),
        (lambda: Stability(fraction=2), "fraction=2"),
        (lambda: Stability(noise=float("nan")), "noise=nan"),
        (lambda: Separation(n_references=0), "n_references=0"),
        (lambda: Separation(level=2), "level=2"),
        (lambda: Consensus(max_rows=0), "max_rows=0"),
        (lambda: PosteriorAgreement(n_pairs=0), "n_pairs=0"),
        (lambda: PosteriorAgreement(n_temperatures=0), "n_temperatures=0"),
        (lambda: PosteriorAgreement(pairing="halves"), "pairing='halves'"),
        (lambda: ApproximationSetCoding(n_walkers=0), "n_walkers=0"),
        (lambda: MixtureOrder(max_rows=0.5), "max_rows=0.5"),
    ],
)
def test_settings_of_a_criterion_that_judge_nothing_are_refused(make, name):
    with pytest.raises((TypeError, ValueError), match=name):
        make()


@pytest.mark.parametrize("criterion", [MixtureOrder(), ApproximationSetCoding()], ids=["mixture", "sets"])
def test_a_decomposition_has_no_number_of_clusters_to_judge(criterion):
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(TypeError, match="judges clusters, and PCA puts rows in none"):
        select(PCA(), X, range(3), criterion, random_state=0)
    with pytest.raises(TypeError, match="rank 0 is among the models"):
        criterion.evaluate_grid([Constant().fit(X), PCA(1).fit(X)], X, np.random.default_rng(0))


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_agreement_at_extreme_sizes_is_refused(scale):
    with pytest.raises(ValueError, match="give X in another unit"):
        compare([unmix.cluster.KMeans(2)], np.random.default_rng(0).normal(size=(20, 2)) * scale, random_state=0)


@pytest.mark.parametrize("given", [KMeans, [KMeans], [3], "KMeans"])
def test_what_is_no_estimator_is_not_compared(given):
    with pytest.raises(TypeError, match="is no estimator"):
        compare(given, np.eye(8))


def test_one_estimator_needs_no_list_to_be_compared():
    X = np.repeat(np.eye(2), 10, axis=0) + np.random.default_rng(0).normal(scale=0.05, size=(20, 2))
    assert compare(KMeans(2, n_init=2), X, random_state=0).names == ["KMeans"]
