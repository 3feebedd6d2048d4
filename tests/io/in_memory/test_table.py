import io

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unmix.io import read_table as read
from unmix.io.base.errors import TableError

table = pl.DataFrame({"x": [1.5, None, 3.0], "k": ["a", "b", None]})


def numbers(source):
    return read(source).frame


def test_files_of_every_kind_give_the_same_numbers(tmp_path):
    array = np.arange(12.0).reshape(6, 2) / 4
    np.save(tmp_path / "t.npy", array)
    frame = pl.DataFrame({"a": array[:, 0], "b": array[:, 1]})
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_csv(tmp_path / "t.csv")
    frame.write_csv(tmp_path / "t.tsv", separator="\t")
    for name in ("t.npy", "t.parquet", "t.csv", "t.tsv"):
        found = read(str(tmp_path / name))
        assert np.array_equal(found.frame.select(pl.all().cast(float)).to_numpy(), array)
        assert found.bytes == (tmp_path / name).stat().st_size
        assert found.name == name


def test_frames_in_memory():
    assert numbers(table).equals(table)
    assert numbers(table.lazy()).equals(table)
    assert numbers(table.to_pandas()).equals(table)
    assert numbers({"x": [1, 2]}).shape == (2, 1)


def test_pandas_objects_and_repeated_names():
    frame = pd.DataFrame([[1, "a", {2}], [2, 3, None]], columns=["x", "x", "y"])
    found = read(frame)
    assert found.frame.columns == ["x", "x (2)", "y"]
    assert found.frame["x (2)"].to_list() == ["a", "3"]
    assert found.warnings


@pytest.mark.parametrize("dtype", [np.int8, np.float16, np.bool_, np.uint64, np.float32, np.longdouble, "U3", "S3"])
def test_arrays_of_every_plain_type(dtype):
    array = np.array([[0, 1], [1, 1], [1, 0]]).astype(dtype)
    assert numbers(array).shape == (3, 2)
    assert numbers(np.asfortranarray(array)).equals(numbers(array))
    assert numbers(array[:, 0]).shape == (3, 1)


def test_read_only_memmap(tmp_path):
    np.save(tmp_path / "t.npy", np.eye(3))
    assert np.array_equal(numbers(np.load(tmp_path / "t.npy", mmap_mode="r")).to_numpy(), np.eye(3))


def test_columns_of_a_dict_are_taken_like_those_of_a_frame():
    x = np.array([0.5, 1.5, 3.0])
    found = numbers({
        0: np.ma.masked_greater(x, 2),
        "long": x.astype(np.longdouble),
        "series": pd.Series(x, index=[9, 8, 7]),
        "names": pd.Categorical(["a", None, "a"]),
        "one": 1,
    })  # fmt: skip
    assert found["0"].fill_nan(None).to_list() == [0.5, 1.5, None]  # never the value beneath the mask
    assert found["long"].to_list() == found["series"].to_list() == x.tolist()
    assert found["names"].to_list() == ["a", None, "a"]
    assert found["one"].to_list() == [1, 1, 1]


def test_records_with_a_mask_and_of_long_precision():
    records = np.array([(0.5, 1.5), (2.5, 3.5)], dtype=[("x", np.float64), ("y", np.longdouble)])
    found = numbers(np.ma.masked_array(records, mask=[(False, True), (False, False)]))
    assert found["x"].to_list() == [0.5, 2.5]
    assert found["y"].fill_nan(None).to_list() == [None, 3.5]


def test_texts_that_polars_cannot_hold_stay_apart():
    halves = ["\ud800", "\ud801", "b"]
    frame = pd.DataFrame({0: pd.Series(halves, dtype=object)})
    frame.columns = pd.Index(["\udfff"], dtype=object)
    assert numbers(frame)["\\udfff"].to_list() == ["\\ud800", "\\ud801", "b"]
    assert numbers(np.array([halves]).T)["column 1"].to_list() == ["\\ud800", "\\ud801", "b"]
    assert numbers(np.array([[b"\xff", b"\xfe"]]).T)["column 1"].n_unique() == 2


def test_masked_object_array():
    assert numbers(np.array([["a", None], [1.5, float("nan")]], dtype=object))["column 2"].to_list() == [None, None]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (np.zeros((2, 2, 2)), "3 dimensions"),
        (np.zeros(3, complex), "complex"),
        (np.zeros(3, "M8[s]"), "datetime64"),
        (object(), "no table"),
        ([[1, 2], [3]], "cannot be read"),
        ({"a": [1, 2], "b": [1]}, "cannot be read"),
    ],
)
def test_what_is_no_table_is_refused(source, words):
    with pytest.raises(TableError, match=words):
        read(source)


def file(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("t.csv", b"", "empty"),
        ("t.xlsx", b"PK\x03\x04", "unmix\\[excel\\]|cannot be read as Excel"),
        ("table", b"a,b\n1,2\n", "no extension"),
        ("t.parquet", b"a,b\n1,2\n", "not a Parquet file"),
        ("t.parquet", b"PAR1" + b"x" * 40, "cannot be read"),
        ("t.npy", b"a,b\n1,2\n", "not an npy file"),
        ("t.npy", npy(np.array([{}, 1], dtype=object)), "refused"),
        ("t.npy", npy(np.eye(3))[:-9], "only 63 bytes follow: it was cut short or damaged"),
        ("t.npy", npy(np.zeros((2, 2, 2))), "3 dimensions"),
        ("t.npy", npy(np.zeros((2, 2), complex)), "complex"),
    ],
)
def test_bad_files_are_refused(tmp_path, name, data, words):
    with pytest.raises(TableError, match=words):
        read(file(tmp_path, name, data))


def test_missing_file_suggests_its_neighbour(tmp_path):
    file(tmp_path, "penguins.csv", b"a,b\n1,2\n")
    with pytest.raises(TableError, match=r"did you mean .*penguins\.csv\?"):
        read(tmp_path / "pengiuns.csv")
    with pytest.raises(TableError, match=r"did you mean .*penguins\.csv\?"):
        read(tmp_path / "penguins.parquet")
    with pytest.raises(TableError, match="nor is there a directory"):
        read(tmp_path / "nowhere" / "t.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(TableError, match="is a directory without a table"):
        read(tmp_path / "empty")


def test_a_file_that_shares_only_its_ending_is_not_suggested(tmp_path):
    (tmp_path / "onecol.csv").write_text("a\n1\n")
    with pytest.raises(TableError, match=r"There is no file .*nosuch\.csv\.$"):
        read(tmp_path / "nosuch.csv")
