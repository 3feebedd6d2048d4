"""Graph partitions: as many parts as asked for, or a word about it; dissimilarities by name."""

import numpy as np
import pytest

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
