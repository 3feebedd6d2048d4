"""Files that do not belong together, or do not stay as they were, are refused by name."""

import os
import re

import numpy as np
import polars as pl
import pytest

from tests.executors.models import fitted_bits
from unmix import load
from unmix.cluster import MiniBatchKMeans
from unmix.decomposition import PCA
from unmix.io import DataSet, TableError
from unmix.io.data_set import source as source_room

from .made import NAMES, numbers, write


@pytest.fixture
def folder(tmp_path):
    write(pl.DataFrame(numbers(5000), schema=NAMES), tmp_path / "data", "parquet")
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (pl.DataFrame({"a": [1.0], "b": [1.0], "c": [1.0]}), "part-1.parquet lacks column 'd'"),
        (pl.DataFrame({n: [1.0] for n in [*NAMES, "e"]}), "part-1.parquet has a column 'e'"),
        (pl.DataFrame({"a": [1.0], "b": [1.0], "c": [True], "d": [1.0]}), "part-1.parquet holds column 'c' as Boolean"),
        (pl.DataFrame({"a": [1.0], "b": [1.0], "c": ["x"], "d": [1.0]}), "part-1.parquet holds column 'c' as String"),
    ],
)
def test_another_schema(folder, other, words):
    other.write_parquet(folder / "part-1.parquet")
    with pytest.raises(TableError, match=words):
        PCA(2).fit(folder)


def test_a_column_without_values_fits_any_type(folder):
    part = pl.read_parquet(folder / "part-1.parquet").with_columns(c=pl.lit(None))
    part.write_parquet(folder / "part-1.parquet")
    assert np.isnan(DataSet(folder).open().read(1733, 3466)[:, 2]).all()


@pytest.mark.parametrize("kind", [pl.Int8, pl.UInt32, pl.Float32])
@pytest.mark.parametrize("part", [0, 1])  # the first file says the types of the others no more than they do
def test_numbers_of_another_type_go_together(folder, kind, part):
    """Writers make a column of counts whole where no value is missing, and floating-point where one is."""
    path = folder / f"part-{part}.parquet"
    whole = pl.read_parquet(path).with_columns(pl.col("c").abs().round())
    whole.write_parquet(path)
    expected = DataSet(folder)
    frame, numbers_of_all = pl.concat(expected.batches()), expected.open().read(0, 5000)
    whole.with_columns(pl.col("c").cast(kind)).write_parquet(path)
    data = DataSet(folder)
    assert pl.concat(data.batches()).equals(frame) and pl.concat(data.batches(999)).equals(frame)
    assert data.open().read(0, 5000).tobytes() == numbers_of_all.tobytes()
    assert data.take(np.arange(1700, 1800)).equals(frame[1700:1800])


def test_a_first_file_without_values_says_nothing_of_types(tmp_path):
    pl.DataFrame({"a": [1.0], "b": [None]}).write_parquet(tmp_path / "part-1.parquet")
    pl.DataFrame({"a": [2.0], "b": ["red"]}).write_parquet(tmp_path / "part-2.parquet")
    data = DataSet(tmp_path)
    assert data.text_columns() == ["b"]
    assert pl.concat(data.batches(2))["b"].to_list() == [None, "red"]


@pytest.mark.parametrize("part", [0, 1])
def test_a_text_of_a_header_alone_has_no_rows(tmp_path, part):
    """As a Parquet file of no rows has none: who writes by day has days without any."""
    frame = pl.DataFrame(numbers(300), schema=NAMES)
    for i in range(3):
        (frame[:0] if i == part else frame[100 * i :][:100]).write_csv(tmp_path / f"part-{i}.csv")
    rest = pl.concat([frame[100 * i :][:100] for i in range(3) if i != part])
    data = DataSet(tmp_path)
    assert [file.n_rows for file in data.files] == [0 if i == part else 100 for i in range(3)]
    assert np.allclose(data.open().read(0, 200), rest.to_numpy(), rtol=1e-14, atol=0)
    assert pl.concat(data.batches(70)).cast(pl.Float64).equals(rest)
    with pytest.raises(TableError, match="holds a header line but no rows"):
        PCA(1).fit(tmp_path / f"part-{part}.csv")


def test_columns_asked_for_are_numbers_beside_others_that_are_not(tmp_path):
    """In text as in Parquet; also where no column of a file had to be left out."""
    frame = pl.DataFrame(numbers(300), schema=NAMES)
    for i in range(3):
        words = pl.lit("7" if i == 2 else "red").alias("word")
        part = frame[100 * i :][:100].with_columns(words)
        place = tmp_path / f"year={i}"
        place.mkdir()
        part.select(part.columns[::-1] if i == 1 else part.columns).write_csv(place / "part.csv")
    source = DataSet(tmp_path, columns=["c", "year", "a"]).open()
    expected = np.column_stack([frame["c"], np.repeat([0.0, 1.0, 2.0], 100), frame["a"]])
    assert source.names == ["c", "year", "a"] and np.allclose(source.read(0, 300), expected, rtol=1e-14, atol=0)
    with pytest.raises(TypeError, match=r"year=0/part\.csv: column 'word' is not numeric"):
        DataSet(tmp_path).open()


def test_a_damaged_file_is_named(folder):
    (folder / "part-1.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(TableError, match=r"part-1\.parquet"):
        PCA(2).fit(folder)


def test_a_file_written_to_while_it_is_in_use(folder):
    opened = DataSet(folder).open()
    pl.DataFrame(numbers(1733), schema=NAMES).reverse().write_parquet(folder / "part-1.parquet")
    os.utime(folder / "part-1.parquet", (1, 1))
    with pytest.raises(TableError, match=r"part-1\.parquet was changed while it was in use"):
        opened.read(0, 5000)
    opened = DataSet(folder).open()
    (folder / "part-2.parquet").unlink()
    with pytest.raises(TableError, match=r"part-2\.parquet cannot be read.*under this path"):
        opened.read(0, 5000)


def test_new_files_go_on_from_a_saved_state(folder, tmp_path, monkeypatch):
    record, saved = tmp_path / "files.json", tmp_path / "model.unmix"
    data = DataSet(folder)
    data.save_record(record)
    MiniBatchKMeans(3, random_state=0).partial_fit(data).save(saved)
    new = numbers(700)[::-1]
    pl.DataFrame(new, schema=NAMES).write_parquet(folder / "part-20.parquet")
    os.utime(folder / "part-1.parquet", (1, 1))  # a copy is the same file

    read = []
    rows_of = source_room.rows_of
    monkeypatch.setattr(source_room, "rows_of", lambda file, *rest: read.append(file.path.name) or rows_of(file, *rest))
    went_on = load(saved).partial_fit(DataSet(folder).since(record))
    assert set(read) == {"part-20.parquet"}
    assert fitted_bits(went_on) == fitted_bits(load(saved).partial_fit(pl.DataFrame(new, schema=NAMES)))


def test_changed_and_missing_files_are_refused(folder, tmp_path):
    record = tmp_path / "files.json"
    DataSet(folder).save_record(record)
    with pytest.raises(TableError, match="nothing new to read"):
        DataSet(folder).since(record)
    part = (folder / "part-1.parquet").read_bytes()
    (folder / "part-1.parquet").write_bytes(part[:100] + bytes([part[100] ^ 1]) + part[101:])
    os.utime(folder / "part-1.parquet", (1, 1))
    with pytest.raises(TableError, match=r"part-1\.parquet changed since the record"):
        DataSet(folder).since(record)
    (folder / "part-2.parquet").unlink()
    with pytest.raises(TableError, match=r"part-2\.parquet, which the record names, is no longer there"):
        DataSet(folder).since(record)
    record.write_text('{"format": "other"}')
    with pytest.raises(TableError, match="is no record of files"):
        DataSet(folder).since(record)


def test_unknown_columns_are_refused(folder):
    with pytest.raises(TableError, match="has no column 'z'"):
        PCA(1).fit(DataSet(folder, columns=["a", "z"]))


@pytest.mark.parametrize("name", ["part-2.parquet", "part-2.csv"])
def test_an_empty_file_is_named_with_its_folder(tmp_path, name):
    """Partitions hold many files of one name."""
    for year in (2024, 2025):
        (tmp_path / f"year={year}").mkdir()
        frame = pl.DataFrame({"x": [1.5, 2.5]})
        place = tmp_path / f"year={year}" / name
        (frame.write_csv if name.endswith("csv") else frame.write_parquet)(place)
    place.write_bytes(b"")
    with pytest.raises(TableError, match=rf"year=2025/{re.escape(name)} is empty"):
        DataSet(tmp_path).shape  # noqa: B018
    (tmp_path / "year=2024" / name).write_bytes(b"")
    with pytest.raises(TableError, match=rf"year=2024/{re.escape(name)} is empty"):
        DataSet(tmp_path).open()
