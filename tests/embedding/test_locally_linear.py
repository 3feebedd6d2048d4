"""Locally linear embedding against its definition, scikit-learn's solver, its invariances and a sheet that is known."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import ortho_group, spearmanr
from sklearn.datasets import load_digits, make_swiss_roll
from sklearn.manifold import LocallyLinearEmbedding as Peer
from sklearn.neighbors import NearestNeighbors

from unmix.algorithms.locally_linear import bottom
from unmix.algorithms.locally_linear.pieces import closed_pieces, graph_of, join_pieces
from unmix.algorithms.locally_linear.weights import reconstruction_weights, relative_errors
from unmix.algorithms.neighbors import search as neighbors
from unmix.algorithms.neighbors.search import nearest, nearest_others
from unmix.embedding import LocallyLinearEmbedding

ROLL, ALONG = make_swiss_roll(2000, random_state=0)


@pytest.fixture(scope="module")
def rolled():
    return LocallyLinearEmbedding(n_neighbors=12).fit(ROLL)


def weights_of(X, k, reg=1e-3):
    found = nearest_others(np.asarray(X, float), k).indices
    return found, reconstruction_weights(X, X, found, reg)


@pytest.mark.parametrize("d", [3, 30])
def test_neighbours_are_the_nearest(d):
    X = np.random.default_rng(d).normal(size=(300, d)) + 1e6  # far from the origin, where products of rows lose digits
    got = nearest_others(X, 7)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    np.testing.assert_array_equal(np.sort(got.indices, axis=1), np.sort(np.argsort(squares, axis=1)[:, :7], axis=1))
    np.testing.assert_allclose(got.distances, np.sqrt(np.sort(squares, axis=1)[:, :7]), rtol=1e-9)
    assert (np.diff(got.distances, axis=1) >= 0).all()
    assert nearest(X, X[5:6], 1).indices[0, 0] == 5


def test_blocks_of_distances_do_not_change_the_neighbours(monkeypatch):
    X = np.random.default_rng(0).normal(size=(90, 20))
    whole = nearest_others(X, 5)
    monkeypatch.setattr(neighbors, "BLOCK_ENTRIES", 90 * 7)
    np.testing.assert_array_equal(nearest_others(X, 5).indices, whole.indices)


def test_weights_sum_to_one_and_minimise():
    X = np.random.default_rng(1).normal(size=(60, 6))
    found, weights = weights_of(X, 4, reg=0.0)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-12)
    for i in (0, 17):  # the constraint put in by hand: least squares on differences to the last neighbour
        last = X[found[i, -1]]
        free = np.linalg.lstsq((X[found[i, :-1]] - last).T, X[i] - last, rcond=None)[0]
        np.testing.assert_allclose(weights[i, :-1], free, rtol=1e-6, atol=1e-9)


def test_regularised_weights_have_the_stated_normal_equations():
    X = np.random.default_rng(2).normal(size=(40, 2))
    found, weights = weights_of(X, 6, reg=0.01)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-12)
    for i in range(40):
        Z = X[found[i]] - X[i]
        C = Z @ Z.T + 0.01 * (Z**2).sum() * np.eye(6)
        np.testing.assert_allclose(C @ weights[i], (C @ weights[i])[0], rtol=1e-9)


@pytest.mark.parametrize("reg", [1e-3, 0.0])
def test_weights_do_not_feel_rotation_scale_and_place(reg):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 5))
    moved = 7.5 * X @ ortho_group.rvs(5, random_state=1) + rng.normal(size=5) * 10
    found, weights = weights_of(X, 4, reg)
    found_moved, weights_moved = weights_of(moved, 4, reg)
    np.testing.assert_array_equal(found, found_moved)
    np.testing.assert_allclose(weights, weights_moved, rtol=1e-6, atol=1e-9)


def test_map_does_not_feel_rotation_scale_and_place(rolled):
    moved = 1e-3 * ROLL @ ortho_group.rvs(3, random_state=0) + [50.0, -3.0, 1.0]
    other = LocallyLinearEmbedding(n_neighbors=12).fit(moved)
    np.testing.assert_allclose(other.embedding_, rolled.embedding_, atol=1e-6)
    assert other.reconstruction_error_ == pytest.approx(rolled.reconstruction_error_, rel=1e-6)


def test_extreme_units_change_nothing():
    X = ROLL[:400]
    plain = LocallyLinearEmbedding(n_neighbors=10).fit(X)
    for factor in (2.0**900, 2.0**-900):
        np.testing.assert_allclose(LocallyLinearEmbedding(n_neighbors=10).fit(X * factor).embedding_, plain.embedding_)


def test_swiss_roll_is_unrolled(rolled):
    ranks = [abs(spearmanr(rolled.embedding_[:, j], ALONG)[0]) for j in range(2)]
    assert max(ranks) > 0.99
    assert abs(spearmanr(ROLL[:, 0], ALONG)[0]) < 0.5  # and was not flat before


def test_map_is_scikit_learns(rolled):
    peer = Peer(n_neighbors=12, eigen_solver="arpack", random_state=0).fit(ROLL)
    assert rolled.reconstruction_error_ == pytest.approx(peer.reconstruction_error_, rel=1e-5)
    signs = np.sign((rolled.embedding_ * peer.embedding_).sum(axis=0))
    np.testing.assert_allclose(rolled.embedding_, peer.embedding_ * signs, atol=1e-5)


def test_map_fulfils_its_constraints(rolled):
    U = rolled.embedding_
    np.testing.assert_allclose(U.T @ U, np.eye(2), atol=1e-10)
    np.testing.assert_allclose(U.sum(axis=0), 0, atol=1e-10)
    assert (U[np.abs(U).argmax(axis=0), [0, 1]] > 0).all()


def test_sparse_solver_agrees_with_all_eigenvectors(monkeypatch):
    X = load_digits().data[:360]
    joined, _ = join_pieces(X, nearest_others(X, 12).indices)
    W = graph_of(joined, reconstruction_weights(X, X, joined, 1e-3))
    few, values = bottom.bottom_map(W, 5)
    monkeypatch.setattr(bottom, "MOST_POINTS_DENSE", 1000)
    everything, expected = bottom.bottom_map(W, 5)
    np.testing.assert_allclose(values, expected, rtol=1e-6)
    np.testing.assert_allclose(few, everything, atol=1e-5)


def test_too_many_components_of_many_points_are_refused():
    W = csr_array((np.ones(2400), (np.arange(2400), np.roll(np.arange(2400), 1))), shape=(2400, 2400))
    with pytest.raises(ValueError, match="n_components=700"):
        bottom.bottom_map(W, 700)


def test_pieces_are_closed_classes():
    # 0-1 and 2-3 keep to themselves; 4 leads to both and is no piece of its own
    pieces = closed_pieces(np.array([[1], [0], [3], [2], [0]]))
    assert sorted(map(sorted, pieces)) == [[0, 1], [2, 3]]


def test_every_piece_is_an_eigenvalue_of_zero():
    group = np.random.default_rng(7).uniform(-1, 1, size=(40, 2))
    X = np.concatenate([group, group + np.array([6.0, 0.0]), [[3.0, 0.0]]])  # the last hangs on both groups, none on it
    found, weights = weights_of(X, 6)
    A = np.eye(len(X)) - graph_of(found, weights).toarray()
    zeros = int((np.linalg.svd(A, compute_uv=False) < 1e-10).sum())
    assert len(closed_pieces(found)) == zeros == 2
    assert connected_components(graph_of(found), directed=False)[0] == 1


def test_joined_pieces_reach_each_other():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 2)) + np.repeat(20.0 * np.indices((3, 2)).reshape(2, 6).T, 10, axis=0)
    joined, pieces = join_pieces(X, nearest_others(X, 3).indices)
    assert pieces >= 6
    assert len(closed_pieces(joined)) == 1
    assert connected_components(graph_of(joined), directed=False)[0] == 1


def test_pieces_are_counted_and_warned_about():
    rng = np.random.default_rng(5)
    X = np.concatenate([rng.uniform(size=(150, 2)) + shift for shift in (0, 10, 20)])
    with pytest.warns(UserWarning, match="3 pieces.*n_neighbors"):
        model = LocallyLinearEmbedding(n_neighbors=8).fit(X)
    assert model.n_pieces_ == 3
    means = model.embedding_.reshape(3, 150, 2).mean(axis=1)
    spread = model.embedding_.reshape(3, 150, 2).std(axis=1).max()
    gaps = np.linalg.norm(means - np.roll(means, 1, axis=0), axis=1)
    assert gaps.min() > 3 * spread  # the pieces stay apart


def test_equal_rows_get_one_place():
    X = ROLL[:300]
    once = LocallyLinearEmbedding(n_neighbors=10).fit(X)
    repeated = LocallyLinearEmbedding(n_neighbors=10).fit(np.concatenate([X, X[:20], X[:20], np.repeat(X[:1], 30, 0)]))
    np.testing.assert_allclose(repeated.embedding_[:300], once.embedding_, atol=1e-6)
    np.testing.assert_array_equal(repeated.embedding_[300:320], repeated.embedding_[:20])
    assert repeated.n_pieces_ == 1


def test_hardly_any_distinct_rows():
    X = np.repeat([[0.0, 1.0], [2.0, 3.0]], 10, axis=0)
    with pytest.warns(UserWarning, match="2 distinct row"):
        model = LocallyLinearEmbedding().fit(X)
    assert model.embedding_[0, 0] == pytest.approx(-model.embedding_[-1, 0])
    assert (model.embedding_[:, 1] == 0).all()
    with pytest.warns(UserWarning, match="1 distinct row"):
        assert (LocallyLinearEmbedding().fit_transform(np.ones((9, 3))) == 0).all()


def test_new_points_lie_between_their_neighbours(rolled):
    np.testing.assert_array_equal(rolled.transform(ROLL[:50]), rolled.embedding_[:50])
    X, along = make_swiss_roll(3000, random_state=1)
    learned = LocallyLinearEmbedding(n_neighbors=12).fit(X[:2000])
    axis = int(np.argmax([abs(spearmanr(learned.embedding_[:, j], along[:2000])[0]) for j in range(2)]))
    assert abs(spearmanr(learned.transform(X[2000:])[:, axis], along[2000:])[0]) > 0.99
    peer = Peer(n_neighbors=12, random_state=0).fit(X[:2000])
    signs = np.sign((learned.embedding_ * peer.embedding_).sum(axis=0))
    np.testing.assert_allclose(learned.transform(X[2000:]), peer.transform(X[2000:]) * signs, atol=1e-4)


def test_distortion_counts_lost_neighbours(rolled):
    own = NearestNeighbors(n_neighbors=12).fit(ROLL).kneighbors(return_distance=False)
    mapped = NearestNeighbors(n_neighbors=12).fit(rolled.embedding_).kneighbors(return_distance=False)
    expected = [1 - len(set(a) & set(b)) / 12 for a, b in zip(own, mapped)]
    np.testing.assert_allclose(rolled.distortion_, expected, atol=1e-12)


def test_distortion_is_high_where_the_map_folds():
    # onto a line a closed circle can only be laid double: everywhere but at the ends neighbours come from both halves
    angle = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * (1 + 0.01 * np.cos(angle))[:, None]
    flat, round_ = (LocallyLinearEmbedding(m, n_neighbors=6).fit(circle) for m in (1, 2))
    assert np.median(flat.distortion_) > 0.3
    assert np.median(round_.distortion_) < 0.1


def test_row_errors_are_relative_residuals(rolled):
    X = np.random.default_rng(6).normal(size=(50, 8))
    found, weights = weights_of(X, 5)
    residual = X - np.einsum("ij,ijl->il", weights, X[found])
    spread = ((X[found] - X[:, None]) ** 2).sum(axis=2).mean(axis=1)
    np.testing.assert_allclose(relative_errors(X, found, weights), (residual**2).sum(axis=1) / spread, rtol=1e-9)
    assert rolled.row_errors_.shape == (2000,)
    assert rolled.row_errors_.mean() < 0.01


def test_single_precision_gives_nearly_the_same_map(rolled):
    single = LocallyLinearEmbedding(n_neighbors=12).fit(ROLL.astype(np.float32))
    assert single.embedding_.dtype == np.float32
    assert abs((single.embedding_ * rolled.embedding_).sum(axis=0)).min() > 0.999


@pytest.mark.parametrize(
    "parameters, name",
    [
        ({"n_neighbors": 0}, "n_neighbors=0"),
        ({"n_neighbors": 50}, "n_neighbors=50 of n_samples=50"),
        ({"n_components": 60}, "n_components=60"),
        ({"n_components": 1.5}, "n_components=1.5"),
        ({"reg": -1.0}, "reg=-1.0"),
    ],
)
def test_impossible_parameters_are_named(parameters, name):
    with pytest.raises(ValueError, match=name):
        LocallyLinearEmbedding(**parameters).fit(ROLL[:50])
