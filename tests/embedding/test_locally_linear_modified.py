"""Several weights a point against their definition, scikit-learn's, and a rectangle that was rolled up."""

import numpy as np
import pytest
from scipy.stats import ortho_group, spearmanr
from sklearn.datasets import make_swiss_roll
from sklearn.manifold import LocallyLinearEmbedding as Peer

from unmix.algorithms.locally_linear import bottom
from unmix.algorithms.locally_linear.modified import count_weights, many_weights, residual_rows
from unmix.algorithms.locally_linear.weights import reconstruction_weights
from unmix.algorithms.neighbors.search import nearest_others
from unmix.embedding import LocallyLinearEmbedding

ROLL, ALONG = make_swiss_roll(1500, random_state=0)
ACROSS = ROLL[:, 1]


@pytest.fixture(scope="module")
def rolled():
    return LocallyLinearEmbedding(n_neighbors=12, method="modified").fit(ROLL)


def test_swiss_roll_is_unrolled_in_both_directions(rolled):
    assert abs(spearmanr(rolled.embedding_[:, 0], ALONG)[0]) > 0.99
    assert abs(spearmanr(rolled.embedding_[:, 1], ACROSS)[0]) > 0.99
    arc = 0.5 * (ALONG * np.sqrt(1 + ALONG**2) + np.arcsinh(ALONG))  # the length of the spiral
    assert abs(np.corrcoef(rolled.embedding_[:, 0], arc)[0, 1]) > 0.999  # not only in order: flat
    assert abs(np.corrcoef(rolled.embedding_[:, 1], ACROSS)[0, 1]) > 0.99
    new, along = make_swiss_roll(500, random_state=1)
    places = rolled.transform(new)
    assert abs(spearmanr(places[:, 0], along)[0]) > 0.99
    assert abs(spearmanr(places[:, 1], new[:, 1])[0]) > 0.98


def test_map_is_scikit_learns():
    peer = Peer(n_neighbors=12, method="modified", eigen_solver="dense").fit(ROLL[:600])
    model = LocallyLinearEmbedding(n_neighbors=12, method="modified").fit(ROLL[:600])
    assert model.reconstruction_error_ == pytest.approx(peer.reconstruction_error_, rel=1e-6)
    signs = np.sign((model.embedding_ * peer.embedding_).sum(axis=0))
    np.testing.assert_allclose(model.embedding_, peer.embedding_ * signs, atol=1e-7)


def test_every_set_of_weights_sums_to_one_and_rebuilds_the_point():
    X = np.random.default_rng(0).normal(size=(50, 2)) @ np.eye(2, 5)  # a plane in five dimensions
    found = nearest_others(X, 7).indices
    A = residual_rows(X, found, 1e-6, 2)
    assert A.shape == (50 * 5, 50)  # k - n_components of each
    np.testing.assert_allclose(A @ np.ones(50), 0, atol=1e-10)
    np.testing.assert_allclose(A @ X, 0, atol=1e-4)


def test_weights_of_a_point_are_as_stated():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(9, 3))
    V = np.linalg.eigh(Z @ Z.T)[1][None, :, :6]  # the null space
    w = reconstruction_weights(np.zeros((1, 3)), Z, np.arange(9)[None], 1e-10)
    W = many_weights(V, w)[0]
    np.testing.assert_allclose(W.sum(axis=0), 1, rtol=1e-10)
    np.testing.assert_allclose(Z.T @ W, 0, atol=1e-6)  # each rebuilds the point, which lies at 0
    assert np.linalg.matrix_rank(W) == 6  # and they are different ones
    assert np.isfinite(many_weights(np.eye(4)[None, :, :1] / 1.0, np.full((1, 4), 0.25))).all()


def test_number_of_weights_follows_the_small_eigenvalues():
    flat = np.array([0.0, 0.0, 0.01, 0.39, 0.6])
    curved = np.array([0.1, 0.15, 0.2, 0.25, 0.3])
    # the median of what lies beyond two dimensions is 0.01 / 0.99; the curved neighbourhood keeps the least number
    assert count_weights(np.array([flat, flat, flat, curved]), 2).tolist() == [3, 3, 3, 1]
    on_a_line = np.array([0.0, 0.0, 0.0, 0.0, 1.0])
    assert count_weights(np.array([flat, flat, on_a_line]), 2).tolist() == [3, 3, 3]  # at most k - 2


def test_map_does_not_feel_rotation_scale_and_place(rolled):
    moved = 1e-3 * ROLL @ ortho_group.rvs(3, random_state=0) + [50.0, -3.0, 1.0]
    other = LocallyLinearEmbedding(n_neighbors=12, method="modified").fit(moved)
    np.testing.assert_allclose(other.embedding_, rolled.embedding_, atol=1e-6)


def test_sparse_solver_agrees_with_all_eigenvectors(monkeypatch):
    X = ROLL[:500]
    A = residual_rows(X, nearest_others(X, 10).indices, 1e-3, 2)
    few, values = bottom.bottom_vectors(A, 2)
    monkeypatch.setattr(bottom, "MOST_POINTS_DENSE", 1000)
    everything, expected = bottom.bottom_vectors(A, 2)
    np.testing.assert_allclose(values, expected, rtol=1e-5)
    np.testing.assert_allclose(few, everything, atol=1e-5)


def test_few_distinct_rows_get_a_map():
    X = np.repeat(np.random.default_rng(0).normal(size=(4, 3)), 5, axis=0)
    model = LocallyLinearEmbedding(2, n_neighbors=6, method="modified").fit(X)
    assert np.isfinite(model.embedding_).all()
    assert len(np.unique(model.embedding_.round(6), axis=0)) == 4


@pytest.mark.parametrize(
    "parameters, name",
    [({"method": "hessian"}, "method='hessian'"), ({"method": "modified", "n_neighbors": 2}, "n_neighbors=2")],
)
def test_impossible_parameters_are_named(parameters, name):
    with pytest.raises(ValueError, match=name):
        LocallyLinearEmbedding(**parameters).fit(ROLL[:50])
