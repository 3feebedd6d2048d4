"""Files of every format through the one registry: whole, in blocks, without leftovers, and refused in a sentence."""

import errno
import io
import os
import pickle
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.io import wavfile
from scipy.sparse import random_array, save_npz

import unmix
from unmix.cluster import KMeans
from unmix.io import TableError, as_matrix, open_source, read_table, register, unregister
from unmix.io.dispatch import as_blocks
from unmix.io.text.text_file import open_text
from unmix.validation import select

X = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat([[0.0], [9.0]], 30, axis=0)
FRAME = pl.DataFrame(X, schema=["x", "y", "z"])


def leftovers():
    return [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("unmix-")]


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


def write_all(folder):
    np.save(folder / "x.npy", X)
    np.savez(folder / "x.npz", X)
    np.savetxt(folder / "x.txt", X)
    np.savetxt(folder / "x.dat", X, delimiter=";", header="x;y;z")
    FRAME.write_csv(folder / "x.csv")
    FRAME.write_parquet(folder / "x.parquet", row_group_size=7)
    FRAME.write_ipc(folder / "x.arrow", compression="zstd")
    FRAME.write_ipc(folder / "x.feather")
    FRAME.write_ipc_stream(folder / "x.ipc")
    FRAME.write_ndjson(folder / "x.jsonl")
    FRAME.to_pandas().to_csv(folder / "index.csv")
    return sorted(path for path in folder.iterdir() if path.is_file())


def test_every_format_gives_the_same_fit_exploration_and_selection(tmp_path):
    model = KMeans(2, random_state=0).fit(X)
    for path in write_all(tmp_path):
        again = KMeans(2, random_state=0).fit(path)
        assert np.array_equal(again.cluster_centers_, model.cluster_centers_), path.name
        named = path.suffix not in (".npy", ".npz", ".txt")
        assert not named or list(again.feature_names_in_) == ["x", "y", "z"], path.name
        assert np.array_equal(as_matrix(read_table(path)).values, X), path.name
    assert leftovers() == []


@pytest.mark.slow_without_jit
def test_explore_and_select_read_the_same_file(tmp_path):
    (tmp_path / "x.csv").write_text("x;y\n" + "".join(f"{a:.6f};{b:.6f}\n" for a, b, _ in X).replace(".", ","))
    rounded = np.round(X[:, :2], 6)
    chosen = select(KMeans(random_state=0), tmp_path / "x.csv", [1, 2, 3], random_state=0)
    assert chosen.best_params == {"n_clusters": 2}
    means = [rounded[chosen.best_estimator.labels_ == k].mean(axis=0) for k in (0, 1)]
    np.testing.assert_allclose(chosen.best_estimator.cluster_centers_, means, rtol=1e-12)
    found = unmix.explore(tmp_path / "x.csv")
    assert found.columns[0].summary["max"] == rounded[:, 0].max()


def test_plain_numbers_are_streamed_and_others_read_whole(tmp_path):
    path = tmp_path / "x.csv"
    FRAME.write_csv(path)
    assert np.array_equal(open_text(path).X, X)
    for text in ("a,b\n1,2\n3\n", "a,b\n1,2\n3,x\n", "a,b\n1,2\n\n3,4\n", "a;b\n1,5;2\n1.5;2\n", "a\n1\n\n2\n"):
        path.write_text(text)
        assert open_text(path) is None, text
    assert leftovers() == []


def test_a_short_line_far_down_is_named_and_nothing_is_left(tmp_path):
    lines = ["a,b", *(f"{i}.5,{i}" for i in range(3000)), "7", "8,9"]
    (tmp_path / "x.csv").write_text("\n".join(lines))
    with pytest.raises(TableError, match="line 3002, has 1 field where 2"):
        as_blocks(tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text("\n".join([*lines[:-2], "7,8,9"]))
    with pytest.raises(TableError, match="line 3002, has 3 fields where 2"):
        as_blocks(tmp_path / "x.csv")
    assert leftovers() == []


def test_late_text_counts_as_missing_and_is_said(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n" + "".join(f"{i}.5,{i}\n" for i in range(100)) + "broken,7\n")
    with pytest.warns(UserWarning, match=r"x\.csv.*'a' 1 cell not a number \('broken'\)"):
        blocks = as_blocks(tmp_path / "x.csv")
    assert np.isnan(blocks.gather()).sum() == 1 and np.isnan(blocks.gather()[100, 0])


def test_a_column_of_words_is_named_and_nothing_is_left(tmp_path):
    (tmp_path / "x.csv").write_text("a,when\n1,2020-01-01\n2,2020-01-02\n")
    with pytest.raises(TypeError, match="'when' is not numeric"):
        KMeans(1).fit(tmp_path / "x.csv")
    assert leftovers() == []


def test_a_full_temporary_folder_is_told(tmp_path, monkeypatch):
    if not Path("/dev/full").is_char_device():
        pytest.skip("no device that is always full")
    FRAME.write_csv(tmp_path / "x.csv")
    monkeypatch.setattr(tempfile, "mkstemp", lambda **_: (os.open("/dev/full", os.O_WRONLY), str(tmp_path / "spool")))
    with pytest.raises(OSError, match=r"temporary folder .* is full.*TMPDIR") as caught:
        as_blocks(tmp_path / "x.csv")
    assert caught.value.errno == errno.ENOSPC


def test_a_source_travels_as_its_path(tmp_path):
    FRAME.to_pandas().to_csv(tmp_path / "x.csv")
    source = open_source(tmp_path / "x.csv")
    there = pickle.loads(pickle.dumps(source))
    assert len(pickle.dumps(source)) < 1000
    assert np.array_equal(there.read(3, 50), X[3:50])


def test_sparse_matrices_stay_sparse(tmp_path):
    matrix = random_array((50, 8), density=0.2, rng=np.random.default_rng(0), format="csr")
    save_npz(tmp_path / "x.npz", matrix)
    blocks = as_blocks(tmp_path / "x.npz")
    assert blocks.sparse and np.array_equal(blocks.gather().toarray(), matrix.toarray())
    assert np.array_equal(read_table(tmp_path / "x.npz").frame.to_numpy(), matrix.toarray())


def test_several_arrays_in_one_file(tmp_path):
    np.savez(tmp_path / "x.npz", a=X[:, 0], b=X[:, 1])
    assert as_blocks(tmp_path / "x.npz").names == ["a", "b"]
    np.savez(tmp_path / "x.npz", a=X, b=X)
    with pytest.raises(TableError, match=r"a \(60, 3\), b \(60, 3\)"):
        as_blocks(tmp_path / "x.npz")


def test_channels_of_sound_are_columns(tmp_path):
    samples = (np.sin(np.arange(200)[:, None] * [0.1, 0.3]) * 3e4).astype(np.int16)
    wavfile.write(tmp_path / "x.wav", 8000, samples)
    assert np.array_equal(as_blocks(tmp_path / "x.wav").gather(), samples / 32768)
    assert read_table(tmp_path / "x.wav").rate == 8000


def test_numbers_in_columns_of_text_are_read_from_parquet_too(tmp_path):
    pl.DataFrame({"a": ["1,5", "NA", "2,25"], "b": [1, 2, 3]}).write_parquet(tmp_path / "x.parquet")
    assert np.array_equal(
        as_blocks(tmp_path / "x.parquet").gather(), [[1.5, 1], [np.nan, 2], [2.25, 3]], equal_nan=True
    )


def test_single_precision_columns_stay_single(tmp_path):
    FRAME.cast(pl.Float32).write_parquet(tmp_path / "x.parquet")
    FRAME.cast(pl.Float32).write_ipc(tmp_path / "x.arrow")
    for name in ("x.parquet", "x.arrow"):
        assert as_blocks(tmp_path / name).dtype == np.float32


def test_a_folder_of_parquet_files(tmp_path):
    (tmp_path / "x.parquet").mkdir()
    FRAME[:20].write_parquet(tmp_path / "x.parquet" / "0.parquet")
    FRAME[20:].write_parquet(tmp_path / "x.parquet" / "1.parquet")
    assert np.array_equal(as_blocks(tmp_path / "x.parquet").gather(), X)
    assert read_table(tmp_path / "x.parquet").frame.shape == X.shape


def test_standard_input_is_known_by_its_first_bytes(tmp_path, monkeypatch):
    for path in write_all(tmp_path):
        if path.suffix in (".csv", ".parquet", ".npy", ".txt"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
            assert np.array_equal(as_matrix(read_table("-")).values, X), path.name
    assert leftovers() == []


def test_content_counts_for_more_than_the_ending(tmp_path):
    FRAME.write_parquet(tmp_path / "x.csv")
    assert np.array_equal(as_blocks(tmp_path / "x.csv").gather(), X)


@pytest.mark.parametrize(
    "name, data, words",
    [
        ("x.png", b"\x89PNG", "an image and not a table"),
        ("x.xlsx", b"PK\x03\x04", "pip install 'unmix\\[excel\\]'|cannot be read as Excel"),
        ("x.csv", b"", "empty"),
        ("x.csv", b"a,b\n", "no rows"),
        ("x.arrow", b"not what it says", "cannot be read as Arrow"),
        ("x.jsonl", b"{broken", "cannot be read as JSON lines"),
        ("x.npz", b"PK\x03\x04broken", "cannot be read as npz"),
        ("x.wav", b"RIFFbroken", "cannot be read as wav"),
        ("x.csv.gz", b"\x1f\x8bbroken", "gzip"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_everywhere(tmp_path, name, data, words):
    (tmp_path / name).write_bytes(data)
    for read in (as_blocks, read_table, lambda path: select(KMeans(), path, [1, 2])):
        with pytest.raises(TableError, match=words):
            read(tmp_path / name)
    assert leftovers() == []


@pytest.fixture
def toy():
    register("toy", ".toy", lambda path: {"a": [1.5, 2], "b": path.read_text().split()})
    yield
    unregister(".toy")


def test_a_registered_format_is_read_everywhere(tmp_path, toy):
    (tmp_path / "x.toy").write_text("1,5 2,5")
    assert np.array_equal(as_blocks(tmp_path / "x.toy").gather(), [[1.5, 1.5], [2, 2.5]])
    assert read_table(tmp_path / "x.toy").how == "toy"
    assert unmix.roles.read(tmp_path / "x.toy").pairs() == [(1.5, "1,5"), (2.0, "2,5")]
    with pytest.raises(ValueError, match="known already, as toy"):
        register("other", ".toy", print)
    unregister(".toy")
    with pytest.raises(TableError, match=r"the extension '\.toy'; unmix reads \.csv"):
        as_blocks(tmp_path / "x.toy")


@pytest.mark.parametrize(
    "given, words",
    [
        ({"endings": "toy"}, "no ending"),
        ({"endings": ".TOY"}, "no ending"),
        ({"kind": "song"}, "kind is 'song'"),
        ({"read": None}, "callable"),
    ],
)
def test_what_is_no_format_is_refused(given, words):
    with pytest.raises((ValueError, TypeError), match=words):
        register(**{"name": "toy", "endings": ".toy", "read": print, **given})
