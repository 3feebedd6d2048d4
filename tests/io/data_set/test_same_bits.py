"""A table in many files gives the bits it gives in one piece."""

import numpy as np
import polars as pl
import pytest

import unmix
from tests.executors.models import fitted_bits
from unmix.cluster import KMeans
from unmix.decomposition import NMF, PCA, Factorization
from unmix.density import Categorical, GaussianMixture
from unmix.io import DataSet
from unmix.io.data_set.windows import make_windows
from unmix.roles import read as read_access
from unmix.validation import select

from .made import NAMES, numbers, write, write_hive

MODELS = {
    "PCA": lambda: PCA(2),
    "KMeans": lambda: KMeans(3, max_iter=5, random_state=0),
    "GaussianMixture": lambda: GaussianMixture(2, max_iter=4, tol=0, random_state=0),
    "NMF": lambda: NMF(2, max_iter=4, tol=0, random_state=0),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    frame = pl.DataFrame(np.abs(numbers()), schema=NAMES)
    for ending in ("parquet", "csv", "arrow", "npy"):
        write(frame, folder / ending, ending)
    return folder, frame, write_hive(frame, folder / "hive")


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "name", [name if name in ("PCA", "KMeans") else pytest.param(name, marks=pytest.mark.long) for name in MODELS]
)
def test_any_format(made, name):
    folder, frame, _ = made
    expected = fitted_bits(MODELS[name]().fit(frame))
    kinds = ("parquet", "csv", "arrow", "npy") if name == "PCA" else ("parquet",)
    for kind in kinds:
        paths = sorted((folder / kind).iterdir(), key=lambda path: int(path.stem[5:]))
        for given in (folder / kind, str(folder / kind / "part-*"), paths, DataSet(folder / kind)):
            assert fitted_bits(MODELS[name]().fit(given)) == expected, (kind, given)


@pytest.mark.slow_without_jit
def test_threads_and_what_follows_a_fit(made):
    folder, frame, _ = made
    whole = KMeans(3, random_state=0).fit(frame)
    with unmix.execution(threads=3):
        model = KMeans(3, random_state=0).fit(folder / "parquet")
    assert model.labels_.tobytes() == whole.labels_.tobytes()
    assert (model.predict(folder / "parquet") == whole.labels_).all()
    assert list(model.feature_names_in_) == NAMES


def test_partitions_are_columns_as_polars_has_them(made):
    folder, _, table = made
    data = DataSet(folder / "hive")
    assert data.columns == [*NAMES, "year", "city"] and data.shape == (table.height, 6)
    assert pl.concat(data.batches()).equals(table)
    peer = pl.scan_parquet(folder / "hive", hive_partitioning=True).collect()
    assert pl.concat(data.batches()).sort(NAMES).equals(peer.select(data.columns).sort(NAMES), null_equal=True)
    model = PCA(2).fit(DataSet(folder / "hive", columns=["year", "c", "a"]))
    assert fitted_bits(model) == fitted_bits(PCA(2).fit(table.select("year", "c", "a")))


def test_text_is_refused_before_all_is_read(made):
    with pytest.raises(TypeError, match="'city' is not numeric"):
        PCA(2).fit(made[0] / "hive")


def test_text_of_digits_is_read_as_in_one_table(tmp_path):
    frame = pl.DataFrame({"x": [str(i) for i in range(200)], "y": np.arange(200.0) ** 2})
    for i in range(4):
        frame[50 * i : 50 * i + 50].write_parquet(tmp_path / f"{i}.parquet")
    frame.write_parquet(tmp_path.with_suffix(".parquet"))
    assert fitted_bits(PCA(1).fit(tmp_path)) == fitted_bits(PCA(1).fit(tmp_path.with_suffix(".parquet")))


def test_single_precision_stays_single(tmp_path):
    frame = pl.DataFrame(numbers(5000).astype("f4"), schema=NAMES)
    write(frame, tmp_path / "p", "parquet")
    write(frame, tmp_path / "n", "npy")
    for kind in "pn":
        assert fitted_bits(PCA(2).fit(tmp_path / kind)) == fitted_bits(PCA(2).fit(frame.to_numpy()))


def test_columns_in_another_order_are_matched_by_name(tmp_path):
    frame = pl.DataFrame(numbers(300), schema=NAMES)
    for ending, method in (("parquet", "write_parquet"), ("csv", "write_csv")):
        (tmp_path / ending).mkdir()
        getattr(frame[:100], method)(tmp_path / ending / f"1.{ending}")
        getattr(frame[100:].select(NAMES[::-1]), method)(tmp_path / ending / f"2.{ending}")
        assert fitted_bits(PCA(2).fit(tmp_path / ending)) == fitted_bits(PCA(2).fit(frame))


def test_mixed_columns_and_categories(made):
    folder, _, table = made
    data = DataSet(folder / "hive", columns=["year", "city"])
    assert fitted_bits(Categorical().fit(data)) == fitted_bits(Categorical().fit(table.select("year", "city")))
    few = [path for path in data.paths if "part-1.parquet" in str(path) or "part-4.parquet" in str(path)]
    kept = pl.concat(DataSet(few).batches())
    model = Factorization(1, max_iter=2, tol=0, random_state=0)
    assert fitted_bits(model.fit(few)) == fitted_bits(Factorization(1, max_iter=2, tol=0, random_state=0).fit(kept))


@pytest.mark.slow_without_jit
def test_select_and_roles(made, tmp_path):
    folder, frame, _ = made
    chosen = [select(KMeans(), X, [1, 2, 3], max_rows=300, random_state=0).best_params for X in (frame, folder / "csv")]
    assert chosen[0] == chosen[1]
    (tmp_path / "1.csv").write_text("user,permission\nann,mail\n")
    (tmp_path / "2.csv").write_text("user,permission\nbob,mail\nann,wiki\n")
    access = read_access(tmp_path)
    assert sorted(access.users) == ["ann", "bob"] and access.matrix.sum() == 3


def test_windows_cover_every_row_once():
    rng = np.random.default_rng(0)
    for _ in range(50):
        heights = rng.integers(0, 40, rng.integers(1, 9)).tolist()
        windows = make_windows(heights, int(rng.integers(1, 60)), first=7)
        rows = [(p.file, r) for w in windows for p in w.pieces for r in range(p.start, p.stop)]
        assert rows == [(f, r) for f, height in enumerate(heights) for r in range(height)]
        assert [w.first for w in windows[1:]] == [w.stop for w in windows[:-1]]
        assert not windows or (windows[0].first, windows[-1].stop) == (7, 7 + sum(heights))
