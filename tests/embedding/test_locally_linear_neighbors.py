"""Neighbours of sparse rows and by approximate search, and what they leave of memory."""

import sys
import tracemalloc
import types

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix, random_array
from scipy.stats import spearmanr
from sklearn.datasets import make_swiss_roll

import unmix
from unmix.algorithms.neighbors import approximate
from unmix.algorithms.neighbors import search as neighbors
from unmix.algorithms.neighbors.gather import difference_blocks
from unmix.algorithms.neighbors.search import choose_algorithm, nearest, nearest_others
from unmix.embedding import LocallyLinearEmbedding, distortion, false_neighbors

rng = np.random.default_rng(0)
COUNTS = np.where(rng.random((350, 40)) < 0.75, 0.0, rng.normal(size=(350, 40)))


def peak_megabytes(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("entries", [1, 3_000, 10**7])
def test_sparse_differences_are_the_dense_ones(entries):
    groups = rng.integers(0, 350, size=(20, 6))
    dense = COUNTS[groups] - COUNTS[:20, None]
    for part, differences in difference_blocks(csr_array(COUNTS), csr_array(COUNTS[:20]), groups, entries):
        expected = dense[part] @ dense[part].transpose(0, 2, 1)
        np.testing.assert_allclose(differences @ differences.transpose(0, 2, 1), expected, atol=1e-12)


def test_empty_sparse_rows_have_neighbours():
    X = csr_array(np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [0.0, 0.0]]))
    got = nearest(X, X, 2)
    np.testing.assert_allclose(got.distances, [[0, 0], [0, 1], [0, 3], [0, 0]])


@pytest.mark.parametrize("kind", [csr_array, csr_matrix])
@pytest.mark.parametrize("method", ["standard", "modified"])
def test_sparse_map_is_the_dense_one(kind, method):
    X = np.concatenate([COUNTS, COUNTS[:20]])  # some rows twice
    settings = {"n_neighbors": 12, "method": method}
    dense, sparse = (LocallyLinearEmbedding(**settings).fit(data) for data in (X, kind(X)))
    np.testing.assert_allclose(sparse.embedding_, dense.embedding_, atol=1e-6)
    np.testing.assert_allclose(sparse.row_errors_, dense.row_errors_, atol=1e-9)
    new = COUNTS[100:130] + 0.1 * (COUNTS[130:160] != 0)
    for model in (dense, sparse):
        for data in (new, kind(new)):
            np.testing.assert_allclose(model.transform(data), dense.transform(new), atol=1e-6)
    np.testing.assert_array_equal(sparse.transform(kind(X)), sparse.embedding_)


def test_sparse_model_is_saved(tmp_path):
    model = LocallyLinearEmbedding(n_neighbors=12).fit(csr_array(COUNTS))
    model.save(tmp_path / "map.unmix")
    again = unmix.load(tmp_path / "map.unmix")
    assert isinstance(again.fit_rows_, csr_array)
    np.testing.assert_array_equal(again.transform(COUNTS[:9]), model.transform(COUNTS[:9]))


def test_wide_sparse_rows_are_not_densified():
    X = random_array((400, 200_000), density=2e-4, format="csr", rng=rng)  # dense, it would take 640 MB
    model = LocallyLinearEmbedding(n_neighbors=20)
    assert peak_megabytes(lambda: model.fit(X)) < 100
    assert peak_megabytes(lambda: distortion(X, model.embedding_)) < 100


def test_no_table_of_all_pairs_is_made():
    X, _ = make_swiss_roll(8000, random_state=0)  # all pairs take 512 MB
    model = LocallyLinearEmbedding(n_neighbors=10)
    assert peak_megabytes(lambda: model.fit(X)) < 100
    assert peak_megabytes(lambda: nearest_others(X @ rng.normal(size=(3, 20)), 10)) < 200
    assert peak_megabytes(lambda: false_neighbors(X, X[:, :2], rows=np.arange(500))) < 100


class Careless:
    """As an approximate search is: lists that miss some neighbours, the point itself, or are not filled."""

    def __init__(self, points, n_neighbors, random_state, n_jobs):
        squares = ((points[:, None].astype(float) - points) ** 2).sum(axis=2)
        found = np.argsort(squares, axis=1)[:, :n_neighbors]
        found[3, -4:] = -1
        if n_neighbors < len(points):
            found[5] = np.argsort(squares[5])[1 : n_neighbors + 1]
        self.neighbor_graph = (found.astype(np.int32), None)


def test_what_a_search_leaves_out_is_filled_in(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynndescent", types.SimpleNamespace(NNDescent=Careless))
    X = rng.normal(size=(120, 15))
    got, expected = nearest_others(X, 6, "approximate"), nearest_others(X, 6, "brute")
    np.testing.assert_array_equal(got.indices, expected.indices)
    np.testing.assert_allclose(got.distances, expected.distances)
    for data in (X[:8], np.concatenate([X, X[:3], X[:3]])):  # hardly more points than neighbours; rows twice
        model = LocallyLinearEmbedding(n_neighbors=6, neighbors_algorithm="approximate").fit(data)
        plain = LocallyLinearEmbedding(n_neighbors=6, neighbors_algorithm="brute").fit(data)
        np.testing.assert_allclose(model.embedding_, plain.embedding_, atol=1e-8)


def test_search_finds_nearly_all_and_the_same_map():
    pytest.importorskip("pynndescent", reason="pynndescent (the extra 'neighbors') is not installed")
    X, along = make_swiss_roll(1500, random_state=0)
    X = X @ np.linalg.qr(rng.normal(size=(30, 30)))[0][:3] + 0.02 * rng.normal(size=(1500, 30))
    found, exact = (nearest_others(X, 12, name).indices for name in ("approximate", "brute"))
    assert np.mean([len(set(a) & set(b)) / 12 for a, b in zip(found, exact)]) > 0.97
    model = LocallyLinearEmbedding(n_neighbors=12, neighbors_algorithm="approximate").fit(X)
    assert abs(spearmanr(model.embedding_[:, 0], along)[0]) > 0.99


def test_every_algorithm_finds_the_same():
    X = rng.normal(size=(100, 14))
    for name in ("kd_tree", "brute"):
        np.testing.assert_array_equal(nearest_others(X, 5, name).indices, nearest_others(X, 5).indices)
        model = LocallyLinearEmbedding(neighbors_algorithm=name).fit(X)
        assert model.neighbors_algorithm_ == name


def test_auto_searches_where_all_distances_take_long(monkeypatch):
    few, many = np.ones((100, 12)), np.ones((100, 13))
    monkeypatch.setattr(approximate, "is_installed", lambda: True)
    assert [choose_algorithm("auto", X) for X in (few, many)] == ["kd_tree", "brute"]
    monkeypatch.setattr(neighbors, "SEARCH_WORK", 1e6)
    assert [choose_algorithm("auto", X) for X in (few, many, csr_array(many))] == ["kd_tree", "approximate", "brute"]
    monkeypatch.setattr(approximate, "is_installed", lambda: False)
    assert choose_algorithm("auto", many) == "brute"
    assert choose_algorithm("approximate", few) == "approximate"


def test_a_missing_package_and_wrong_names_are_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynndescent", None)
    with pytest.raises(ImportError, match=r"unmix\[neighbors\]"):
        LocallyLinearEmbedding(neighbors_algorithm="approximate").fit(COUNTS)
    with pytest.raises(ValueError, match="neighbors_algorithm='ball'"):
        LocallyLinearEmbedding(neighbors_algorithm="ball").fit(COUNTS)
    with pytest.raises(ValueError, match="takes no sparse table"):
        LocallyLinearEmbedding(neighbors_algorithm="kd_tree").fit(csr_array(COUNTS))
