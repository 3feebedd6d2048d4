"""Rows of weight 0 are absent, wherever the rows are kept."""

import numpy as np
import polars
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import unmix
from unmix.cluster import LeastAngleClustering, PairwiseClustering
from unmix.io.dispatch import as_blocks
from unmix.shell.data import weighted_rows

rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 3))
WEIGHTS = rng.integers(0, 3, len(X)).astype(float)
WEIGHTS[5000:9000] = 0  # whole leaves of rows that do not count
KEPT = X[WEIGHTS > 0]


def places(kind, folder):
    if kind == "parquet":
        polars.DataFrame(X).write_parquet(folder / "x.parquet", row_group_size=3333)
        return folder / "x.parquet"
    np.save(folder / "x.npy", X)
    return {"array": X, "npy": folder / "x.npy", "memmap": np.load(folder / "x.npy", mmap_mode="r")}[kind]


def block_sums(block, rows):
    return block.sum(axis=0), rows @ block


@pytest.mark.parametrize("kind", ["array", "npy", "memmap", "parquet"])
def test_leaves_are_cut_as_if_they_were_absent(kind, tmp_path):
    blocks, weights = weighted_rows(as_blocks(places(kind, tmp_path)), WEIGHTS)
    expected = as_blocks(KEPT)
    assert np.array_equal(weights, WEIGHTS[WEIGHTS > 0]) and blocks.shape == expected.shape
    assert np.array_equal(blocks.gather(), KEPT)
    assert np.array_equal(blocks.take([9, 9, 0]), KEPT[[9, 9, 0]])
    found, wanted = (b.reduce(block_sums, rows=weights) for b in (blocks, expected))
    assert all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))
    again = blocks.select(np.arange(0, len(KEPT), 7))
    assert np.array_equal(again.gather(), KEPT[::7])


def test_sparse_rows_keep_their_stored_zeros():
    table = sp.csr_array(np.eye(4))
    table.data[1] = 0
    blocks, _ = weighted_rows(as_blocks(table, zeros=True), np.array([0.0, 1, 1, 0]))
    assert blocks.gather().nnz == 2 and np.array_equal(blocks.gather().toarray(), [[0, 0, 0, 0], [0, 0, 1, 0]])


def test_equal_weights_are_none():
    blocks = as_blocks(X)
    assert weighted_rows(blocks, np.ones(len(X))) == (blocks, None) and weighted_rows(blocks, None) == (blocks, None)
    assert weighted_rows(blocks, (WEIGHTS > 0) * 1.0)[1] is None


def test_on_a_dask_cluster(tmp_path):
    distributed = pytest.importorskip("distributed", reason="needs the [dask] extra")
    import dask.array as da

    given = [X, places("npy", tmp_path), da.from_array(X, chunks=(7000, 2)), sp.csr_array(X)]
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50
    ) as client:
        for table in given:
            with unmix.execution(executor=client):
                blocks, _ = weighted_rows(as_blocks(table), WEIGHTS)
            rows = blocks.gather()
            assert np.array_equal(rows.toarray() if sp.issparse(rows) else rows, KEPT)
    blocks, _ = weighted_rows(as_blocks(given[2]), WEIGHTS)  # dask without a cluster
    assert np.array_equal(blocks.gather(), KEPT)


@pytest.mark.parametrize("model", [LeastAngleClustering(2, random_state=0), PairwiseClustering(2, random_state=0)])
def test_methods_that_need_all_rows_at_once_read_files_too(model, tmp_path):
    X = np.random.default_rng(0).normal(size=(12, 3))
    path = tmp_path / "x.csv"
    path.write_text("a;b;c\n" + "\n".join(";".join(f"{value!r}" for value in row) for row in X.tolist()))
    named = clone(model).fit(path)
    assert named.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(named.labels_, clone(model).fit(X).labels_)
