"""Blocks: rows arrive once, in place, aligned with what goes along, whatever the source and the threads."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import polars
import pytest
from scipy.sparse import csr_array, random_array

import unmix
from unmix.core.plan import plan_leaves
from unmix.io.dispatch import as_blocks


class Sum(NamedTuple):
    n: int
    total: np.ndarray


def weighted_sum(block, weights):
    return Sum(block.shape[0], (block if weights is None else weights[:, None] * block).sum(0))


def first_column(block, rows):
    return block[:, 0]


def noise(block, rows, rng):
    return rng.random(block.shape[0])


def doubled(block, rows):
    return 2 * rows, Sum(block.shape[0], block.sum(0))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    return rng.normal(size=(20_000, 3)) * 10.0 ** rng.integers(-6, 6, (20_000, 3))


def sources(table, folder):
    np.save(folder / "t.npy", table)
    frame = polars.DataFrame(table, schema=["a", "b", "c"])
    frame.write_parquet(folder / "t.parquet", row_group_size=3333)
    frame.write_csv(folder / "t.csv")
    import dask.array as da
    import dask.dataframe as dd

    return {
        "array": table,
        "fortran": np.asfortranarray(table),
        "npy": folder / "t.npy",
        "memmap": np.load(folder / "t.npy", mmap_mode="r"),
        "parquet": folder / "t.parquet",
        "csv": str(folder / "t.csv"),
        "dask array": da.from_array(table, chunks=(3999, 2)),
        "dask frame": dd.from_pandas(frame.to_pandas(), npartitions=3),
    }


def test_every_source_gives_the_same_bits(table, tmp_path):
    weights = np.random.default_rng(1).random(len(table))
    expected = as_blocks(table).reduce(weighted_sum, rows=weights)
    for name, source in sources(table, tmp_path).items():
        blocks = as_blocks(source)
        got = blocks.reduce(weighted_sum, rows=weights)
        assert got.n == len(table) and np.array_equal(got.total, expected.total), name
        assert np.array_equal(blocks.gather(), table), name
        assert np.array_equal(blocks.take([19999, 0, 19999]), table[[19999, 0, 19999]]), name
        mixed = np.random.default_rng(0).integers(0, 20000, 300)  # near and far apart, some twice
        assert np.array_equal(blocks.take(mixed), table[mixed]), name
        assert blocks.take([]).shape == (0, table.shape[1]), name
    np.testing.assert_allclose(expected.total, (weights[:, None] * table).sum(0), rtol=1e-12)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_no_bits(table, threads):
    with unmix.execution(threads=1):
        expected = as_blocks(table).reduce(weighted_sum).total, as_blocks(table).map(noise, seed=7)
    with unmix.execution(threads=threads):
        assert np.array_equal(as_blocks(table).reduce(weighted_sum).total, expected[0])
        assert np.array_equal(as_blocks(table).map(noise, seed=7), expected[1])


def test_map_and_step_keep_rows_aligned(table):
    blocks = as_blocks(table)
    assert np.array_equal(blocks.map(first_column), table[:, 0])
    rows, stats = blocks.step(doubled, table[:, 1])
    assert np.array_equal(rows, 2 * table[:, 1]) and stats.n == len(table)


def test_each_leaf_has_its_own_stream(table):
    blocks = as_blocks(table)
    draws = blocks.map(noise, seed=7)
    rows = blocks.plan.rows_per_leaf
    assert not np.array_equal(draws[:rows], draws[rows : 2 * rows])
    assert not np.array_equal(draws, blocks.map(noise, seed=8))


def test_sparse_blocks_stay_sparse():
    X = csr_array(random_array((9000, 50), density=0.02, rng=np.random.default_rng(0)))
    blocks = as_blocks(X)
    assert hasattr(blocks.source.read(0, 10), "tocsr")
    np.testing.assert_allclose(blocks.reduce(weighted_sum).total, X.sum(0), rtol=1e-12)
    assert np.array_equal(blocks.take([5, 2]), X.toarray()[[5, 2]])


@pytest.mark.parametrize("dtype, read", [("f4", "f4"), ("f8", "f8"), ("f2", "f8"), ("i1", "f8"), ("?", "f8")])
def test_dtype_of_blocks(dtype, read):
    assert as_blocks(np.ones((4, 2), dtype)).gather().dtype == np.dtype(read)


def test_blocks_are_aligned_however_the_data_came(table):
    buffer = bytearray(table.nbytes + 4)
    moved = np.frombuffer(buffer, np.uint8)[4:].view(np.float64).reshape(table.shape)
    moved[:] = table
    blocks = as_blocks(moved)
    assert not moved.flags.aligned and blocks.source.read(0, 10).flags.aligned


def test_a_block_error_reaches_the_caller(table):
    def fail(block, rows):
        raise KeyError("from a leaf")

    for threads in (1, 3):
        with unmix.execution(threads=threads), pytest.raises(KeyError, match="from a leaf"):
            as_blocks(table).reduce(fail)


def test_plan_depends_on_shape_alone_and_covers_every_row():
    for n, d in [(1, 1), (1023, 4), (1025, 4), (10**6, 3), (20000, 10**5)]:
        plan = plan_leaves(n, d)
        bounds = list(plan)
        assert bounds[0][0] == 0 and bounds[-1][1] == n
        assert all(a[1] == b[0] for a, b in pairwise(bounds))


@pytest.mark.parametrize(
    "X, sentence",
    [
        (np.ones((2, 2), complex), "real numbers"),
        (np.array([["a"]]), "real numbers"),
        (np.ones((2, 2, 2)), "2-D"),
        (np.ones(3), "2-D"),
        ("missing.npy", "There is no file"),
        (__file__, "the extension '.py'"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(X, sentence):
    with pytest.raises((TypeError, ValueError, FileNotFoundError), match=sentence):
        as_blocks(X)


def test_text_column_is_named(tmp_path):
    polars.DataFrame({"mass": [1.0], "species": ["Gentoo"]}).write_csv(tmp_path / "t.csv")
    polars.DataFrame({"mass": [1.0], "species": ["Gentoo"]}).write_parquet(tmp_path / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        with pytest.raises(TypeError, match="'species' is not numeric"):
            as_blocks(tmp_path / name)


def test_a_broken_file_is_one_sentence(tmp_path):
    for ending in ("npy", "parquet"):
        (tmp_path / f"x.{ending}").write_bytes(b"not what it says")
        with pytest.raises((ValueError, OSError), match=r"x\."):
            as_blocks(tmp_path / f"x.{ending}")


def test_spooled_csv_leaves_nothing_behind(tmp_path, monkeypatch):
    import tempfile

    polars.DataFrame({"a": [1.0, None], "b": [2, 3]}).write_csv(tmp_path / "t.csv")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    blocks = as_blocks(tmp_path / "t.csv")
    assert blocks.names == ["a", "b"]
    assert np.array_equal(blocks.gather(), [[1, 2], [np.nan, 3]], equal_nan=True)
    assert len(list(tmp_path.glob("unmix-*"))) == 1
    del blocks
    assert list(tmp_path.glob("unmix-*")) == []
