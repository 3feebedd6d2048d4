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
        (pl.DataFrame({"a": [1.0], "b": [1.0], "c": [1], "d": [1.0]}), "part-1.parquet holds column 'c' as Int64"),
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
