"""Graph partitions: as many parts as asked for, or a word about it; dissimilarities by name."""

import numpy as np
import pytest
import sklearn.cluster

from unmix.cluster import GraphPartition

groups = np.repeat([0, 1, 2], 8)


@pytest.mark.parametrize("balance", ["ratio", "normalized"])
def test_there_are_as_many_parts_as_asked_for(balance):
    pairs = np.kron(np.eye(3), np.ones((2, 2)))  # three pairs that know nobody else
    nothing = np.zeros((5, 5))
    for W in (pairs, nothing):
        for k in range(1, len(W) + 1):
            model = GraphPartition(k, balance=balance, random_state=0).fit(W)
            assert len(np.unique(model.labels_)) == k


def test_a_bare_cut_that_cuts_nothing_is_told():
    with pytest.warns(UserWarning, match=r"1 part\(s\) of 2 are not empty: .* take balance='normalized' or 'ratio'"):
        model = GraphPartition(2, balance="cut", random_state=0).fit(np.ones((6, 6)))
    assert model.cost_ == 0


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("balance", ["ratio", "normalized", "cut"])
def test_dissimilarities_by_name(balance):
    rng = np.random.default_rng(0)
    D = np.where(groups[:, None] == groups, 1.0, 4.0) + rng.random((24, 24))
    np.fill_diagonal(D, 0)
    model = GraphPartition(3, balance=balance, affinity="dissimilarity", random_state=0).fit(D)
    assert all(len(set(model.labels_[groups == g])) == 1 for g in range(3)) and len(set(model.labels_)) == 3


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(ValueError, match=r"affinity='distance' is not known; choose one of similarity, dissimilarity"):
        GraphPartition(affinity="distance").fit(np.ones((4, 4)))
    with pytest.raises(ValueError, match=r"holds similarities, not dissimilarities"):
        GraphPartition(affinity="dissimilarity").fit(np.eye(4))


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
    model = GraphPartition(4, balance=balance, inference=inference, random_state=0).fit(W)
    assert model.cost_ <= wanted * (1 + 1e-9)
