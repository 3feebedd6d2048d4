"""Graph partitions: as many parts as asked for, or a word about it; dissimilarities by name."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import get_tags

from unmix.cluster import CorrelationClustering, GraphPartition
from unmix.datasets import blobs

groups = np.repeat([0, 1, 2], 8)


@pytest.mark.parametrize("balance", ["ratio", "normalized"])
def test_there_are_as_many_parts_as_asked_for(balance):
    pairs = np.kron(np.eye(3), np.ones((2, 2)))  # three pairs that know nobody else
    nothing = np.zeros((5, 5))
    for W in (pairs, nothing):
        for k in range(1, len(W) + 1):
            model = GraphPartition(k, balance=balance, random_state=0, metric="precomputed").fit(W)
            assert len(np.unique(model.labels_)) == k


def test_a_bare_cut_that_cuts_nothing_is_told():
    with pytest.warns(UserWarning, match=r"1 part\(s\) of 2 are not empty: .* take balance='normalized' or 'ratio'"):
        model = GraphPartition(2, balance="cut", random_state=0, metric="precomputed").fit(np.ones((6, 6)))
    assert model.cost_ == 0


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("balance", ["ratio", "normalized", "cut"])
def test_dissimilarities_by_name(balance):
    rng = np.random.default_rng(0)
    D = np.where(groups[:, None] == groups, 1.0, 4.0) + rng.random((24, 24))
    np.fill_diagonal(D, 0)
    model = GraphPartition(3, balance=balance, affinity="dissimilarity", random_state=0, metric="precomputed").fit(D)
    assert all(len(set(model.labels_[groups == g])) == 1 for g in range(3)) and len(set(model.labels_)) == 3


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(ValueError, match=r"affinity='distance' is not known; choose one of similarity, dissimilarity"):
        GraphPartition(affinity="distance", metric="precomputed").fit(np.ones((4, 4)))
    with pytest.raises(ValueError, match=r"holds similarities, not dissimilarities"):
        GraphPartition(affinity="dissimilarity", metric="precomputed").fit(np.eye(4))


def crowds(n=213):
    """Groups with objects far from all, which cuts that count objects are drawn to."""
    rng = np.random.default_rng(0)
    d, groups = int(rng.integers(2, 6)), int(rng.integers(2, 9))
    centers = 2.0 * rng.normal(size=(groups, d))
    X = centers[rng.integers(0, groups, n)] + rng.normal(size=(n, d))
    W = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 4)
    np.fill_diagonal(W, 0.0)
    return W


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("balance", ["ratio", "normalized"])
@pytest.mark.parametrize("inference", ["simulated_annealing", "mean_field"])
def test_parts_cost_no_more_than_those_of_the_eigenvectors(balance, inference):
    W = crowds()
    degrees = W.sum(axis=1)
    root = 1 / np.sqrt(degrees) if balance == "normalized" else np.ones(len(W))
    vectors = np.linalg.eigh(root[:, None] * (np.diag(degrees) - W) * root)[1][:, :4] * root[:, None]
    reference = sklearn.cluster.KMeans(4, n_init=10, random_state=0).fit(vectors).labels_
    sizes = degrees if balance == "normalized" else np.ones(len(W))
    parts = [reference == part for part in range(4)]
    wanted = sum(W[part][:, ~part].sum() / sizes[part].sum() for part in parts)
    model = GraphPartition(4, balance=balance, inference=inference, random_state=0, metric="precomputed").fit(W)
    assert model.cost_ <= wanted * (1 + 1e-9)


@pytest.mark.parametrize("affinity", ["similarity", "dissimilarity"])
def test_rows_are_linked_by_how_near_they_are(affinity):
    rows, truth = blobs(60, 2, 3, random_state=0)
    model = GraphPartition(3, affinity=affinity, random_state=0).fit(rows)
    D = np.linalg.norm(rows[:, None] - rows, axis=2)
    width = D.sum() / (60 * 59) / 3
    links = D if affinity == "dissimilarity" else np.exp(-0.5 * (D / width) ** 2)
    given = GraphPartition(3, metric="precomputed", affinity=affinity, random_state=0).fit(links)
    np.testing.assert_array_equal(model.labels_, given.labels_)
    assert model.cost_ == pytest.approx(given.cost_, rel=1e-9)
    assert adjusted_rand_score(truth, model.labels_) == 1
    assert get_tags(given).input_tags.pairwise and not get_tags(model).input_tags.pairwise


def test_rows_nearer_than_average_attract():
    rows = blobs(60, 2, 3, random_state=0)[0]
    model = CorrelationClustering(random_state=0).fit(rows)
    D = np.linalg.norm(rows[:, None] - rows, axis=2)
    given = CorrelationClustering(metric="precomputed", random_state=0).fit(D.sum() / (60 * 59) - D)
    np.testing.assert_array_equal(model.labels_, given.labels_)
    assert model.n_clusters_ > 1 and model.cost_ == pytest.approx(given.cost_, rel=1e-9)
    assert get_tags(given).input_tags.pairwise and not get_tags(model).input_tags.pairwise
