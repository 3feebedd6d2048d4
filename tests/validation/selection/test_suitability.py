"""Questions that have no meaning for a model are refused in one sentence; what can be asked is answered."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn import decomposition
from sklearn.cluster import AgglomerativeClustering, SpectralClustering
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from unmix.cluster import CorrelationClustering, GraphPartition, HistogramClustering, PairwiseClustering
from unmix.datasets import blobs
from unmix.decomposition import PCA, CollaborativeFilter, DictionaryLearning
from unmix.validation import (
    BIC,
    ICL,
    MDL,
    ApproximationSetCoding,
    CalinskiHarabasz,
    Consensus,
    CrossValidation,
    DaviesBouldin,
    GapStatistic,
    MixtureOrder,
    PosteriorAgreement,
    Separation,
    Silhouette,
    Stability,
    select,
)
from unmix.validation.evidence.references.profile_reference import profile_reference, takes_no_negative_values

OF_CLUSTERS = [
    ApproximationSetCoding, CalinskiHarabasz, Consensus, DaviesBouldin, GapStatistic, ICL, MixtureOrder,
    PosteriorAgreement, Separation, Silhouette, Stability,
]  # fmt: skip


@pytest.mark.parametrize("criterion", OF_CLUSTERS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    "model", [PCA(), DictionaryLearning(), LatentDirichletAllocation()], ids=lambda m: type(m).__name__
)
def test_a_number_of_factors_is_no_number_of_clusters(criterion, model):
    X = np.abs(blobs(30, 3, 2, random_state=0)[0])
    with pytest.raises(TypeError, match=f"{criterion.__name__} judges clusters, and {type(model).__name__}"):
        select(model, X, [1, 2], [BIC(), criterion()], random_state=0)


@pytest.mark.parametrize(
    "criterion", [BIC, MDL, CrossValidation, *(each for each in OF_CLUSTERS if each not in (PosteriorAgreement, ICL))]
)
def test_distances_are_no_features(criterion):
    X, _ = blobs(30, 2, 2, random_state=0)
    model = AgglomerativeClustering(metric="precomputed", linkage="average")
    with pytest.raises(TypeError, match="rows of features, and AgglomerativeClustering takes a number for each"):
        select(model, cdist(X, X), [1, 2, 3], criterion(), random_state=0)


@pytest.mark.parametrize(
    "model",
    [
        GraphPartition(2, metric="precomputed"),
        CorrelationClustering(2, metric="precomputed"),
        SpectralClustering(affinity="precomputed"),
    ],
)
def test_links_are_no_features_either(model):
    X, _ = blobs(20, 2, 2, random_state=0)
    with pytest.raises(TypeError, match=f"Stability judges rows of features, and {type(model).__name__}"):
        select(model, np.exp(-cdist(X, X)), [1, 2], Stability(), random_state=0)


def test_who_predicts_no_labels():
    ratings = np.random.default_rng(0).integers(1, 6, size=(20, 6)).astype(float)
    with pytest.raises(TypeError, match="CollaborativeFilter has no likelihood with a known number"):
        select(CollaborativeFilter(), ratings, [1, 2], BIC(), random_state=0)


@pytest.mark.parametrize("criterion", [Silhouette("precomputed"), PosteriorAgreement(n_pairs=2)], ids=lambda c: c.name)
def test_who_can_judge_dissimilarities(criterion):
    X, _ = blobs(60, 2, 3, random_state=0)
    found = select(PairwiseClustering(metric="precomputed"), cdist(X, X), [1, 2, 3, 4], criterion, random_state=0)
    assert found.best_params == {"n_clusters": 3}


@pytest.mark.slow_without_jit
def test_models_of_counts_are_compared_with_counts():
    """A flat cloud has negative entries, on which such a model cannot be fitted."""
    rng = np.random.default_rng(0)
    laws = np.array([[6, 2, 1, 1], [1, 1, 2, 6]]) / 10
    grouped, alone = (rng.multinomial(60, p).astype(float) for p in (laws[np.arange(40) % 2], laws[np.zeros(40, int)]))
    for criterion in (Consensus(n_references=5), GapStatistic(n_references=5)):
        for X, real in ((grouped, True), (alone, False)):
            found = select(HistogramClustering(), X, [1, 2, 3], criterion, random_state=0)
            assert (found.best_params["n_clusters"] > 1) == real
    with pytest.raises(TypeError, match="HistogramClustering takes no negative values"):
        select(HistogramClustering(), grouped, [1, 2], Separation(), random_state=0)


def test_tables_of_counts_without_groups():
    X = np.random.default_rng(0).integers(0, 9, size=(40, 3)).astype(np.float32)
    drawn = profile_reference(X)(np.random.default_rng(0))
    assert drawn.dtype == X.dtype and np.array_equal(drawn.sum(axis=1), X.sum(axis=1))
    assert (profile_reference(X / 7)(np.random.default_rng(0)) > 0).all()
    assert takes_no_negative_values(HistogramClustering()) and not takes_no_negative_values(PCA())
    assert not takes_no_negative_values(make_pipeline(MaxAbsScaler(), HistogramClustering()))  # the scaler takes them


class Halves:
    """No estimator of scikit-learn, only of its shape: rows below and above a cut of the first column."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def get_params(self, deep=True):
        return {"n_clusters": self.n_clusters}

    def set_params(self, **settings):
        vars(self).update(settings)
        return self

    def fit(self, X):
        self.cuts_ = np.quantile(X[:, 0], np.linspace(0, 1, self.n_clusters + 1)[1:-1])
        self.labels_ = self.predict(X)
        return self

    def predict(self, X):
        return np.searchsorted(self.cuts_, X[:, 0])


@pytest.mark.parametrize(
    "criterion",
    [BIC(), MDL(), Stability(n_resamples=2), Silhouette(), GapStatistic(n_references=2), CrossValidation(n_splits=2),
     CrossValidation("entries", n_splits=2), Separation(n_references=2), PosteriorAgreement(n_pairs=1, n_references=0)],
    ids=lambda criterion: criterion.name,
)  # fmt: skip
def test_whoever_has_the_shape_of_an_estimator_can_be_judged(criterion):
    X = np.random.default_rng(0).normal(size=(60, 2)) + np.where(np.arange(60) % 2, 9.0, 0.0)[:, None] * [1.0, 0.0]
    found = select(Halves(), X, [1, 2, 3], criterion, random_state=0)
    assert len(found.table) == 3 and found.verdict


@pytest.mark.parametrize("criterion", [BIC(), CrossValidation(loss="error"), CrossValidation("entries")])
def test_steps_without_a_way_back_are_named(criterion):
    X = np.random.default_rng(0).normal(size=(30, 4))
    model = make_pipeline(SimpleImputer(), decomposition.PCA())
    with pytest.raises(TypeError, match="codes of Pipeline cannot be turned back into rows"):
        select(model, X, [1, 2], criterion, random_state=0)
