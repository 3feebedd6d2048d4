"""A script of dictionaries and clusters, which learn from rows in orders of their own, ends about as well."""

import numpy as np
import pytest
from sklearn.decomposition import sparse_encode

from tests.scikit_learn.examples.both import run_both

POSITIVE_CODES = {
    "batch_dict_estimator": False,
    "dict_pos_dict_estimator": False,
    "dict_pos_code_estimator": True,
    "dict_pos_estimator": True,
}


def lasso(X, atoms, positive):
    """The objective of a dictionary, with the best codes there are for it."""
    codes = sparse_encode(X, atoms, algorithm="lasso_cd", alpha=0.1, positive=positive, max_iter=5000)
    return 0.5 * np.sum((X - codes @ atoms) ** 2) + 0.1 * np.abs(codes).sum()


def inertia(X, centers):
    return ((X[:, None] - centers) ** 2).sum(axis=2).min(axis=1).sum()


@pytest.mark.slow_without_jit
def test_faces_dictionaries():
    theirs, ours = run_both("faces_dictionaries")
    X = ours.faces_centered
    for name, positive in POSITIVE_CODES.items():
        mine, peer = (vars(script)[name].components_ for script in (ours, theirs))
        assert lasso(X, mine, positive) <= 1.15 * lasso(X, peer, positive), name
        np.testing.assert_allclose(np.linalg.norm(mine, axis=1), 1, atol=1e-6)
        assert mine.min() >= 0 or "pos_dict" not in name
    mine, peer = (script.kmeans_estimator.cluster_centers_ for script in (ours, theirs))
    assert inertia(X, mine) <= 1.1 * inertia(X, peer)
