"""Which files a folder, a pattern and a list stand for, and in what order."""

from pathlib import Path

import polars as pl
import pytest

from unmix.io import DataSet, TableError
from unmix.io.base.errors import NoSuchFileError
from unmix.io.data_set.listing import list_files, natural_key
from unmix.io.given import is_many, names_files


@pytest.fixture
def folder(tmp_path):
    for i in (10, 2, 1):
        pl.DataFrame({"x": [float(i)]}).write_parquet(tmp_path / f"part-{i}.parquet")
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / ".part-3.parquet.crc").write_text("x")
    return tmp_path


def test_numbers_in_names_count_as_numbers(folder):
    names = ["part-1.parquet", "part-2.parquet", "part-10.parquet"]
    assert [path.name for path in list_files(folder).paths] == names
    assert [path.name for path in list_files(folder / "*.parquet").paths] == names
    years = [Path(f"y={y}/m={m}/p.csv") for y in (9, 10) for m in (2, 11)]
    shuffled = [years[i] for i in (3, 1, 0, 2)]
    assert sorted(shuffled, key=natural_key) == years


def test_a_list_keeps_its_order(folder):
    given = [folder / "part-10.parquet", str(folder / "part-2.parquet")]
    assert [path.name for path in list_files(given).paths] == ["part-10.parquet", "part-2.parquet"]


def test_what_names_files(folder):
    assert is_many(folder) and is_many(str(folder / "*.parquet")) and is_many([folder / "part-1.parquet"])
    assert is_many(["a.csv", "b.csv"]) and not is_many(["red", "blue"]) and not is_many([]) and not is_many([[1, 2]])
    assert not is_many("-") and not is_many("none.csv") and names_files("none.csv") and not is_many("x" * 5000)


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path):
    pl.DataFrame({"x": [1.0, 2.0]}).write_parquet(tmp_path / "x[1].parquet")
    assert not is_many(tmp_path / "x[1].parquet")


def test_other_files_are_left_out_and_said(folder):
    (folder / "notes.md").write_text("about")
    assert "1 file" in list_files(folder).warnings[0] and len(list_files(folder).paths) == 3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda f: [f / "part-1.parquet", f / "part-1.parquet"], "given twice"),
        (lambda f: f / "*.csv", "No file of a table matches"),
        (lambda f: (f / "empty").mkdir() or f / "empty", "without a table in it"),
        (lambda f: [f / "part-1.parquet", f / "part-7.parquet"], "There is no file"),
        (lambda f: (f / "x.csv").write_text("x\n1\n") and f, "several formats"),
    ],
)
def test_refused_in_a_sentence(folder, make, words):
    with pytest.raises(TableError, match=words):
        DataSet(make(folder))


def test_files_of_other_partitions_are_refused(folder):
    (folder / "year=1").mkdir()
    pl.DataFrame({"x": [1.0]}).write_parquet(folder / "year=1" / "p.parquet")
    with pytest.raises(TableError, match="same partition columns"):
        DataSet(folder)


def test_a_missing_file_is_known_as_such(folder):
    with pytest.raises(NoSuchFileError):
        DataSet(str(folder / "*.tsv"))
