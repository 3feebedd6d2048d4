"""Results kept in a file are those kept in memory, and take no memory."""

import errno
import gc
import tracemalloc
from collections import namedtuple

import numpy as np
import pytest

import unmix
from unmix.cluster import KMeans
from unmix.core.aligned import row_file
from unmix.core.aligned.row_file import RowFile, empty_rows, like, parts
from unmix.decomposition import NMF, Factorization, SemiNMF

Free = namedtuple("Free", "free")


@pytest.mark.parametrize("shape", [(1000,), (1000, 3), (0, 3), (1, 1)])
def test_what_was_written_is_read(shape):
    numbers = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    rows = RowFile(shape, np.float32)
    for start in reversed(range(0, len(numbers), 300)):  # in any order
        rows[start : start + 300] = numbers[start : start + 300]
    assert np.array_equal(np.asarray(rows), numbers) and np.asarray(rows).dtype == np.float32
    assert np.array_equal(rows[250:640], numbers[250:640]) and len(rows[5000:]) == 0
    assert isinstance(like(rows, 2), RowFile) and like(rows, 2).shape == (len(numbers), 2)


def test_parts_follow_each_other_without_a_gap(monkeypatch):
    monkeypatch.setattr(row_file, "PART", 64)
    numbers = np.arange(300.0).reshape(150, 2)
    rows = RowFile(numbers.shape, numbers.dtype)
    rows[:150] = numbers
    for kept in (rows, numbers):
        assert np.array_equal(np.concatenate([part for _, part in parts(kept)]), numbers)


def test_short_results_and_those_of_tables_in_memory_stay_there(monkeypatch):
    monkeypatch.setattr(row_file, "LEAST_BYTES", 100)
    assert isinstance(empty_rows((1000, 2), np.float64, on_disk=True), RowFile)
    assert isinstance(empty_rows((1000, 2), np.float64, on_disk=False), np.ndarray)
    assert isinstance(empty_rows((6, 2), np.float64, on_disk=True), np.ndarray)


@pytest.mark.parametrize("error", [None, FileNotFoundError])
def test_a_disk_without_room_leaves_them_in_memory(monkeypatch, error):
    def usage(folder):
        if error:
            raise error(folder)
        return Free(16_000)

    monkeypatch.setattr(row_file, "LEAST_BYTES", 100)
    monkeypatch.setattr(row_file.shutil, "disk_usage", usage)
    assert isinstance(empty_rows((1000, 2), np.float64, on_disk=True), np.ndarray)


def test_a_disk_that_fills_up_is_named_with_what_to_do(monkeypatch):
    class Full:
        def seek(self, place):
            pass

        def write(self, some):
            raise OSError(errno.ENOSPC, "No space left on device")

    rows = RowFile((10, 2), np.float64)
    monkeypatch.setattr(rows, "_file", Full())
    with pytest.raises(OSError, match=r"10 rows .*No space left.*TMPDIR"):
        rows[:10] = np.zeros((10, 2))


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(0)
    Z, U = (rng.gamma(0.5, size=shape) * (rng.random(shape) < 0.6) for shape in ((9000, 4), (4, 12)))
    X = np.maximum(Z @ U + 0.05 * rng.normal(size=(9000, 12)), 0)
    path = tmp_path_factory.mktemp("table") / "x.npy"
    np.save(path, X)
    return X, path


def watched(monkeypatch):
    """The shapes of all files of rows that are made from now on."""
    made, begin = [], RowFile.__init__

    def init(self, shape, dtype):
        made.append(shape)
        begin(self, shape, dtype)

    monkeypatch.setattr(RowFile, "__init__", init)
    return made


def exact(path, n=9000):
    """A table of single precision without noise, for which single precision gives way to double."""
    rng = np.random.default_rng(0)
    Z, U = (rng.gamma(0.5, size=shape) * (rng.random(shape) < 0.6) for shape in ((n, 3), (3, 12)))
    np.save(path, (Z @ U).astype(np.float32))
    return np.load(path), path


MODELS = {
    "NMF": lambda: NMF(4, max_iter=12),
    "NMF of few": lambda: NMF(1, max_iter=12),
    "NMF of single precision": lambda: NMF(3, max_iter=40),
    "NMF from noise": lambda: NMF(4, init="nndsvdar", max_iter=5),
    "NMF with penalties": lambda: NMF(4, alpha_W=0.01, l1_ratio=0.5, max_iter=12),
    "NMF multiplicative": lambda: NMF(4, solver="mu", max_iter=5),
    "NMF divergence": lambda: NMF(4, beta_loss="kullback-leibler", max_iter=3),
    "SemiNMF": lambda: SemiNMF(4, max_iter=12, random_state=0),
    "Factorization": lambda: Factorization(3, codes="non_negative", components="non_negative", max_iter=5),
    "KMeans": lambda: KMeans(4, random_state=0),
}


@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("weighted", [False, True])
def test_where_codes_are_kept_changes_no_bit(monkeypatch, table, name, weighted):
    X, path = exact(table[1].with_name("single.npy")) if "single" in name else table
    weights = np.random.default_rng(1).integers(0, 3, len(X)).astype(float) if weighted else None
    inside = MODELS[name]()
    expected = inside.fit_transform(X, sample_weight=weights)
    monkeypatch.setattr(row_file, "LEAST_BYTES", 1)
    made = watched(monkeypatch)
    outside = MODELS[name]()
    assert np.array_equal(outside.fit_transform(path, sample_weight=weights), expected)
    assert made
    for attribute in ("components_", "cluster_centers_"):
        assert np.array_equal(getattr(outside, attribute, 0), getattr(inside, attribute, 0))


def peak_of(monkeypatch, model, path):
    """Most bytes that a fit holds, small results kept in files too."""
    type(model)(**model.get_params()).fit(path)  # compiles
    monkeypatch.setattr(row_file, "LEAST_BYTES", 2**16)
    monkeypatch.setattr(row_file, "PART", 4096)
    gc.collect()
    tracemalloc.start()
    try:
        with unmix.execution(threads=1):  # every thread has leaves of its own in its hands
            model.fit(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


N = 160_000


@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_codes_of_a_table_on_disk_take_no_memory(monkeypatch, tmp_path):
    """5,000,000 × 50 in small: all memory of a fit with rank 8 is less than one of the three sets of its codes."""
    k, rng = 8, np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.gamma(0.5, size=(N, k)) @ rng.gamma(0.5, size=(k, 10)))
    assert peak_of(monkeypatch, NMF(k, max_iter=5), tmp_path / "x.npy") < 0.6 * 8 * N * k


@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_neither_do_leading_directions(monkeypatch, tmp_path):
    """Of wide rows the start is improved in k + 10 directions, whose images are more than the codes."""
    k, rng = 1, np.random.default_rng(0)
    X = rng.gamma(0.5, size=(N, 3)) @ rng.gamma(0.5, size=(3, 46)) + rng.random((N, 46))
    np.save(tmp_path / "x.npy", X)
    model = NMF(k, max_iter=5)
    assert peak_of(monkeypatch, model, tmp_path / "x.npy") < 0.6 * 8 * N * (k + 10)
    assert "compressed" in {row["stage"] for row in model.trace_}


@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_nor_codes_that_go_on_in_double_precision(monkeypatch, tmp_path):
    _, path = exact(tmp_path / "x.npy", N)
    assert peak_of(monkeypatch, NMF(3, max_iter=40), path) < 8 * N * 3
