"""What different costs have in common, and what estimators make of known structure."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from unmix.cluster import (
    CorrelationClustering,
    GraphPartition,
    KMeans,
    LeastAngleClustering,
    PairwiseClustering,
    SmoothKMeans,
)
from unmix.costs.correlation import Correlation
from unmix.costs.links import make_links
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.potts import Couplings, Potts
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.enumerate import enumerate_labellings
from unmix.inference.prototypes.domains import relabel_domains
from unmix.inference.prototypes.smooth import grid_links

rng = np.random.default_rng(0)
y = np.repeat(np.arange(3), 20)
X = rng.normal(size=(60, 2)) + 6 * np.array([[0, 0], [1, 0], [0, 1]])[y]
D = ((X[:, None] - X[None]) ** 2).sum(-1)


def draw(seed=7):
    return np.random.default_rng(seed)


def random_labels(count, n=60, k=4):
    return np.random.default_rng(1).integers(0, k, (count, n))


def test_pairwise_on_squared_distances_is_k_means():
    data = make_dissimilarities(D)
    for labels in random_labels(5):
        assert Pairwise().total(data, labels) == pytest.approx(SquaredDistance().total(X, labels))
    model = PairwiseClustering(3, metric="sqeuclidean", random_state=0).fit(X)
    assert model.cost_ == pytest.approx(KMeans(3, random_state=0).fit(X).inertia_)
    assert adjusted_rand_score(y, model.labels_) == 1.0


def test_pairwise_does_not_see_asymmetry_and_feels_a_shift_as_a_constant():
    E = D + draw().normal(size=D.shape)
    shifted = E + 5.0 * (1 - np.eye(60))
    plain, symmetric, moved = (make_dissimilarities(M) for M in (E, (E + E.T) / 2, shifted))
    gaps = []
    for labels in random_labels(5):
        assert Pairwise().total(plain, labels) == pytest.approx(Pairwise().total(symmetric, labels))
        gaps.append(Pairwise().total(moved, labels) - Pairwise().total(plain, labels))
    np.testing.assert_allclose(gaps, 5.0 * (60 - 4) / 2)  # λ (n - k) / 2


def test_first_split_of_pairwise_is_that_of_k_means():
    critical = Pairwise().critical_temperature(make_dissimilarities(D))
    assert critical == pytest.approx(2 * np.linalg.eigvalsh(np.cov(X.T, ddof=0))[-1], rel=1e-6)


@pytest.mark.parametrize("inference", ["mean_field", "sequential_mean_field", "simulated_annealing", "metropolis"])
def test_every_inference_finds_the_groups(inference):
    model = PairwiseClustering(3, inference=inference, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    assert model.trace_[0]["temperature"] > model.trace_[10]["temperature"]


def test_a_third_of_the_dissimilarities_may_be_missing():
    holes = D.copy()
    gone = np.triu(draw().random(D.shape) < 0.3, 1)
    holes[gone | gone.T] = np.nan
    model = PairwiseClustering(3, metric="precomputed", missing="ignore", random_state=0).fit(holes)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    np.testing.assert_array_equal(model.predict(holes), model.labels_)


def test_soft_shares_above_zero_temperature():
    soft = PairwiseClustering(3, metric="sqeuclidean", temperature=30.0, random_state=0).fit(X)
    assert ((soft.probabilities_ > 0.01) & (soft.probabilities_ < 0.99)).any()
    np.testing.assert_allclose(soft.probabilities_.sum(axis=1), 1.0)


def test_correlation_clustering_reaches_the_optimum_of_small_signed_graphs():
    for seed in range(8):
        S = draw(seed).choice([-1.0, 1.0], (5, 5)) * draw(seed + 50).random((5, 5))
        S = np.triu(S, 1) + np.triu(S, 1).T
        best = enumerate_labellings(Correlation(), make_links(S), 5, 1.0).costs.min()
        for matrix in (S, csr_array(S)):
            assert CorrelationClustering(random_state=0, metric="precomputed").fit(matrix).cost_ == pytest.approx(
                best, abs=1e-12
            )


def test_correlation_clustering_finds_the_number_of_clusters():
    S = np.where(y[:, None] == y, 1.0, -1.0) + draw().normal(scale=1.0, size=(60, 60))
    model = CorrelationClustering(random_state=0, metric="precomputed").fit((S + S.T) / 2)
    assert model.n_clusters_ == 3 and adjusted_rand_score(y, model.labels_) == 1.0


@pytest.mark.parametrize("balance", ["normalized", "ratio"])
@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_a_planted_partition_is_recovered(balance, make):
    W = (draw().random((60, 60)) < np.where(y[:, None] == y, 0.6, 0.05)).astype(float)
    W = make(np.triu(W, 1) + np.triu(W, 1).T)
    model = GraphPartition(3, balance=balance, random_state=0, metric="precomputed").fit(W)
    assert adjusted_rand_score(y, model.labels_) == 1.0


def test_least_angle_is_blind_to_length():
    angle = np.array([0.0, 2.1, 4.2])[y] + 0.2 * draw().normal(size=60)
    rows = np.stack([np.cos(angle), np.sin(angle)], axis=1) * draw(8).lognormal(size=(60, 1))
    model = LeastAngleClustering(3, random_state=0).fit(rows)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    np.testing.assert_array_equal(model.predict(100 * rows), model.labels_)
    np.testing.assert_array_equal(LeastAngleClustering(3, random_state=0).fit(1e-200 * rows).labels_, model.labels_)


def test_coupling_restores_a_noisy_picture():
    truth = np.zeros((40, 40))
    truth[8:30, 10:28] = 1
    noisy = truth + draw().normal(scale=0.7, size=truth.shape)
    rows = noisy.reshape(-1, 1)
    wrong = []
    for coupling in (0.0, 4.0):
        labels = SmoothKMeans(2, coupling=coupling, neighbors=(40, 40), random_state=0).fit(rows).labels_
        wrong.append(min((labels != truth.ravel()).mean(), (labels == truth.ravel()).mean()))
    assert wrong[0] > 0.15 and wrong[1] < 0.03


def test_without_coupling_it_is_k_means():
    model = SmoothKMeans(3, coupling=0.0, neighbors=(6, 10), random_state=0).fit(X)
    assert model.cost_ == pytest.approx(KMeans(3, random_state=0).fit(X).inertia_)


CLEAR = {
    "not square": (PairwiseClustering(2, metric="precomputed"), np.zeros((3, 2)), "square"),
    "too many": (PairwiseClustering(9), np.zeros((3, 2)), "n_clusters=9"),
    "unknown inference": (PairwiseClustering(2, inference="magic"), D, "give one of 'mean_field'"),
    "no known pair": (
        PairwiseClustering(2, metric="precomputed", missing="ignore"),
        np.array([[0, 1, 2, np.nan], [1, 0, 3, np.nan], [2, 3, 0, np.nan], [np.nan, np.nan, np.nan, 0]]),
        "object 3",
    ),
    "negative links": (GraphPartition(2, metric="precomputed"), -D, "CorrelationClustering"),
    "unknown balance": (GraphPartition(2, balance="even", metric="precomputed"), D, "normalized"),
    "grid of other size": (SmoothKMeans(2, neighbors=(3, 3)), X, r"60 rows"),
    "negative coupling": (SmoothKMeans(2, coupling=-1), X, "coupling=-1"),
    "negative temperature": (LeastAngleClustering(2, temperature=-1), X, "temperature=-1"),
}


@pytest.mark.parametrize("case", CLEAR)
def test_refused_in_one_sentence(case):
    model, data, words = CLEAR[case]
    with pytest.raises(ValueError, match=words):
        clone(model).fit(data)


def test_degenerate_dissimilarities():
    # equal dissimilarities: ½ Σ_α (|α| - 1), whatever the two clusters are
    for matrix, least in ((np.zeros((5, 5)), 0.0), (np.ones((5, 5)) - np.eye(5), 1.5)):
        model = PairwiseClustering(2, metric="precomputed", random_state=0).fit(matrix)
        assert model.cost_ == pytest.approx(least, abs=1e-12)
    assert PairwiseClustering(1, random_state=0).fit(np.ones((1, 2))).labels_.tolist() == [0]


def test_domains_change_where_no_single_object_gains():
    n, k = 12, 3
    for seed in range(20):
        links = grid_links(3, 4, 1.0)
        data, labels = Couplings(links, draw(seed).normal(size=(n, k))), draw(seed + 50).integers(0, k, n)
        new = relabel_domains(data, labels)
        change = Potts().total(data, new) - Potts().total(data, labels)
        assert change < 0 or (new == labels).all()
    field = np.tile([0.0, 1.0], (n, 1))
    field[5:7] = [0.4, 0.0]  # two that would rather be 1, each held by the other, in a sea of 0
    island = np.zeros(n, int)
    island[5:7] = 1
    np.testing.assert_array_equal(relabel_domains(Couplings(links, field), island), 0)
