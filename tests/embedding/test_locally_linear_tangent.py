"""Maps by tangent coordinates: against plain loops, scikit-learn, and sheets whose coordinates are known."""

import numpy as np
import pytest
from sklearn.manifold import LocallyLinearEmbedding as Peer

from unmix.algorithms.locally_linear.tangent import everyone_somewhere, excluded, tangent_rows, tangents
from unmix.algorithms.neighbors.search import nearest_others
from unmix.embedding import LocallyLinearEmbedding


def roll(n, seed=0):
    """A sheet rolled up, and its two coordinates."""
    rng = np.random.default_rng(seed)
    angle, height = 1.5 * np.pi * (1 + rng.random(n)), 15 * rng.random(n)
    length = 0.5 * (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle))
    return np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)]), np.column_stack([length, height])


def explained(places, truth):
    """The share of the true coordinates that an affine function of the map explains."""
    design = np.column_stack([np.ones(len(places)), places])
    left = truth - design @ np.linalg.lstsq(design, truth, rcond=None)[0]
    return 1 - left.var(axis=0) / truth.var(axis=0)


@pytest.mark.parametrize("d", [3, 20])
def test_alignment_is_a_sum_of_projections(d):
    X = np.random.default_rng(d).normal(size=(40, d))
    found = everyone_somewhere(nearest_others(X, 8).indices)
    M = np.zeros((40, 40))
    for places in found:
        centred = X[places] - X[places].mean(axis=0)
        T = np.column_stack([np.full(8, 8**-0.5), np.linalg.svd(centred, full_matrices=False)[0][:, :2]])
        M[np.ix_(places, places)] += np.eye(8) - T @ T.T
    A = tangent_rows(X, nearest_others(X, 8).indices, 2, "ltsa").toarray()
    np.testing.assert_allclose(A.T @ A, M, atol=1e-9)
    np.testing.assert_allclose(A.sum(axis=1), 0, atol=1e-12)


def test_second_derivatives_are_those_of_quadratics():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    A = tangent_rows(X, nearest_others(X, 9).indices, 2, "hessian")
    assert A.shape == (3 * 60, 60)
    affine, squares = X @ rng.normal(size=2) + 3, X[:, 0] ** 2
    assert np.abs(A @ affine).max() < 1e-9 < 1e-3 < np.abs(A @ squares).max()
    T = tangents(rng.normal(size=(1, 9, 2)), 2)
    directions = excluded(T, "hessian")[0]
    np.testing.assert_allclose(directions.T @ directions, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(directions.T @ np.column_stack([np.ones(9), T[0]]), 0, atol=1e-12)


@pytest.mark.parametrize("method", ["hessian", "ltsa"])
@pytest.mark.parametrize("solver", ["arpack", "dense"])
def test_a_rolled_up_sheet_comes_back_flat(method, solver):
    X, truth = roll(700)
    model = LocallyLinearEmbedding(n_neighbors=12, method=method, eigen_solver=solver).fit(X)
    assert (explained(model.embedding_, truth) > 0.98).all()
    np.testing.assert_allclose(model.embedding_.T @ model.embedding_, np.eye(2), atol=1e-9)
    A = tangent_rows(X, nearest_others(X, 12).indices, 2, method)
    assert model.reconstruction_error_ == pytest.approx(np.linalg.norm(A @ model.embedding_) ** 2, rel=1e-6)


def test_alignment_is_that_of_the_peer_where_everyone_has_a_neighbour():
    X, _ = roll(400, 3)
    found = nearest_others(X, 14).indices
    assert np.array_equal(everyone_somewhere(found), found) or len(np.unique(found)) < 400
    X = X[np.unique(found)]
    while len(np.unique(nearest_others(X, 14).indices)) < len(X):
        X = X[np.unique(nearest_others(X, 14).indices)]
    ours = LocallyLinearEmbedding(n_neighbors=14, method="ltsa").fit(X)
    peer = Peer(n_neighbors=14, method="ltsa", eigen_solver="dense").fit(X)
    cosines = np.linalg.svd(ours.embedding_.T @ peer.embedding_, compute_uv=False)
    np.testing.assert_allclose(cosines, 1, atol=1e-6)
    assert ours.reconstruction_error_ == pytest.approx(peer.reconstruction_error_, rel=1e-5)


@pytest.mark.parametrize("method", ["hessian", "ltsa"])
def test_a_row_far_off_is_not_the_whole_map(method):
    X, truth = roll(500)
    X = np.vstack([X, [[30.0, 30.0, 30.0]]])
    places = LocallyLinearEmbedding(n_neighbors=12, method=method).fit_transform(X)
    assert (explained(places[:-1], truth) > 0.9).all()


@pytest.mark.parametrize("method", ["standard", "modified", "hessian", "ltsa"])
def test_solvers_agree(method):
    X, _ = roll(350)
    options = {"n_neighbors": 10, "method": method}
    dense, arpack = (LocallyLinearEmbedding(eigen_solver=name, **options).fit(X) for name in ("dense", "arpack"))
    np.testing.assert_allclose(np.abs(dense.embedding_), np.abs(arpack.embedding_), atol=1e-5)
    few = LocallyLinearEmbedding(1, n_neighbors=4, eigen_solver="arpack").fit(X[:6])  # no room for an iteration
    assert few.embedding_.shape == (6, 1)


def test_names_of_scikit_learn():
    X, _ = roll(120)
    model = LocallyLinearEmbedding(n_neighbors=8, neighbors_algorithm="ball_tree", random_state=3, n_jobs=2).fit(X)
    np.testing.assert_array_equal(model.embedding_, LocallyLinearEmbedding(n_neighbors=8).fit_transform(X))
    found = model.nbrs_.kneighbors(X[:5], 9, return_distance=False)[:, 1:]
    np.testing.assert_array_equal(found, nearest_others(X, 8).indices[:5])


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"method": "hessian"}, "n_neighbors=5 with method='hessian': give at least 6"),
        ({"method": "ltsa", "n_neighbors": 3}, "n_neighbors=3 with method='ltsa': give at least 4"),
        ({"method": "ltsa", "n_components": 4, "n_neighbors": 9}, "n_components=4 with method='ltsa'"),
        ({"method": "best"}, "method='best'"),
        ({"eigen_solver": "lobpcg"}, "eigen_solver='lobpcg'"),
        ({"tol": -1}, "tol=-1"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"hessian_tol": -1}, "hessian_tol=-1"),
        ({"modified_tol": "x"}, "modified_tol='x'"),
    ],
)
def test_what_cannot_be_is_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        LocallyLinearEmbedding(**parameters).fit(roll(50)[0])


@pytest.mark.parametrize("size", [1e154, 1e300, -1e308])
@pytest.mark.parametrize("d", [3, 15])
def test_rows_out_of_this_world_have_a_place(size, d):
    X = np.random.default_rng(0).normal(size=(60, d))
    model = LocallyLinearEmbedding(n_neighbors=8).fit(X)
    places = model.transform(X[:4] * (size / 4))
    assert places.shape == (4, 2) and np.isfinite(places).all()
