"""Pairwise clustering: similarities are refused, offsets are not."""

import numpy as np
import pytest

from unmix.cluster import CorrelationClustering, PairwiseClustering
from unmix.embedding import PairwiseSOM

rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(size=(8, 2)), rng.normal(size=(8, 2)) + 6])
D = np.linalg.norm(X[:, None] - X, axis=2)
S = np.exp(-D)
MODELS = [PairwiseClustering(2, metric="precomputed", missing="ignore"), PairwiseSOM(2, metric="precomputed")]


@pytest.mark.parametrize("model", MODELS)
def test_similarities_are_refused_with_what_to_give(model):
    with pytest.raises(ValueError, match=r"holds similarities, not dissimilarities: .* s.max\(\) - s, or s_ii"):
        model.fit(S)
    missing = np.where(rng.random(S.shape) < 0.1, np.nan, S)
    if isinstance(model, PairwiseClustering):
        with pytest.raises(ValueError, match=r"holds similarities"):
            model.fit(missing)


def test_offsets_and_what_was_asked_for_are_accepted():
    labels = [
        PairwiseClustering(2, metric="precomputed", missing="ignore", random_state=0).fit(matrix).labels_
        for matrix in (D, D + 3.0, S.max() - S, np.where(np.eye(16, dtype=bool), np.nan, D))
    ]
    for found in labels:
        np.testing.assert_array_equal(found, np.repeat([0, 1], 8))


def test_dissimilarities_given_as_similarities_are_told():
    with pytest.warns(UserWarning, match=r"above threshold=0.0, so that one cluster is best"):
        assert CorrelationClustering(random_state=0, metric="precomputed").fit(D).n_clusters_ == 1
