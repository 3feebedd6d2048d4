"""Mixed tables become numbers and frames again, with their types, categories and holes."""

import datetime
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from unmix.io import TableError
from unmix.io.mixed import Encoding, encode_columns

DAYS = ["2020-01-01", None, "2021-02-03", "2020-01-05"]
DATES = [datetime.date.fromisoformat(day) if day else None for day in DAYS]
CLOCK = [datetime.datetime(2020, 1, 1, 6), None, datetime.datetime(2021, 2, 3), datetime.datetime(2020, 1, 5)]
NAN = np.nan


def objects(values):
    return pd.Series(values, dtype=object)


# For each column: its values, its kind, and the numbers it should become.
PANDAS = {
    "whole": (np.array([1, 2, 3, 4]), "number", [1, 2, 3, 4]),
    "small": (np.array([0, 2, 3, 255], "u1"), "number", [0, 2, 3, 255]),
    "numbers": ([1.5, NAN, 2, -3], "number", [1.5, NAN, 2, -3]),
    "single": (np.array([1.5, NAN, 2, -3], "f4"), "number", [1.5, NAN, 2, -3]),
    "nullable": (pd.array([1, None, 3, 4], dtype="Int64"), "number", [1, NAN, 3, 4]),
    "nullable numbers": (pd.array([1.5, None, 3, 4], dtype="Float32"), "number", [1.5, NAN, 3, 4]),
    "zero and one": (np.array([0, 1, 1, 0]), "number", [0, 1, 1, 0]),
    "truth": ([True, False, True, True], "boolean", [1, 0, 1, 1]),
    "nullable truth": (pd.array([True, None, False, True], dtype="boolean"), "boolean", [1, NAN, 0, 1]),
    "truth as objects": (objects([True, None, False, True]), "boolean", [1, NAN, 0, 1]),
    "text": (["b", None, "a", "b"], "category", [1, NAN, 0, 1]),
    "text as objects": (objects(["b", None, "a", "b"]), "category", [1, NAN, 0, 1]),
    "strings": (pd.array(["b", None, "a", "b"], dtype="string"), "category", [1, NAN, 0, 1]),
    "missing words": (["none", None, "NA", ""], "category", [2, NAN, 1, 0]),  # cells of a frame mean what they say
    "constant": (["k"] * 4, "category", [0, 0, 0, 0]),
    "category": (pd.Categorical(["y", None, "x", "x"], ["x", "z", "y"]), "category", [1, NAN, 0, 0]),
    "ordered": (pd.Categorical(["lo", None, "hi", "hi"], ["lo", "mid", "hi"], ordered=True), "ordered", [0, NAN, 1, 1]),
    "numbers as categories": (pd.Categorical([3, 1, None, 1]), "category", [1, 0, NAN, 0]),
    "numbers and words": (pd.Categorical([1, None, "a", 1], [1, "b", "a"]), "category", [0, NAN, 1, 0]),
    "truth as categories": (pd.Categorical([True, None, False, True]), "category", [1, NAN, 0, 1]),
    "intervals": (pd.cut(pd.Series([1, 5, 9, NAN]), 3), "ordered", [0, 1, 2, NAN]),
    "days as categories": (pd.Categorical(pd.to_datetime(DAYS)), "category", [0, NAN, 2, 1]),
    "times": (pd.Series(CLOCK), "date", [18262.25, NAN, 18661, 18266]),
    "nanoseconds": (pd.Series(CLOCK, dtype="M8[ns]"), "date", [18262.25, NAN, 18661, 18266]),
    "seconds": (pd.Series(CLOCK, dtype="M8[s]"), "date", [18262.25, NAN, 18661, 18266]),
    "times somewhere": (
        pd.to_datetime(pd.Series(CLOCK), utc=True).dt.tz_convert("Europe/Zurich"), "date", [18262.25, NAN, 18661, 18266]
    ),
    "days": (objects(DATES), "date", [18262, NAN, 18661, 18266]),
    "durations": (pd.to_timedelta([6, None, 12, 24], unit="h"), "number", [0.25, NAN, 0.5, 1]),
}  # fmt: skip
POLARS = {
    "whole": (pl.Series([1, None, 3, 4]), "number", [1, NAN, 3, 4]),
    "small": (pl.Series([0, None, 3, 255], dtype=pl.UInt8), "number", [0, NAN, 3, 255]),
    "single": (pl.Series([1.5, None, 2, -3], dtype=pl.Float32), "number", [1.5, NAN, 2, -3]),
    "decimals": (pl.Series([1.5, None, 2, -3]).cast(pl.Decimal(10, 2)), "number", [1.5, NAN, 2, -3]),
    "truth": (pl.Series([True, None, False, True]), "boolean", [1, NAN, 0, 1]),
    "text": (pl.Series(["b", None, "a", "b"]), "category", [1, NAN, 0, 1]),
    "category": (pl.Series(["b", None, "a", "b"], dtype=pl.Categorical), "category", [1, NAN, 0, 1]),
    "enum": (pl.Series(["lo", None, "hi", "lo"], dtype=pl.Enum(["lo", "mid", "hi"])), "ordered", [0, NAN, 1, 0]),
    "days": (pl.Series(DATES), "date", [18262, NAN, 18661, 18266]),
    "times": (pl.Series(CLOCK), "date", [18262.25, NAN, 18661, 18266]),
    "times somewhere": (
        pl.Series(CLOCK, dtype=pl.Datetime("ns", "UTC")).dt.convert_time_zone("Asia/Tokyo"),
        "date", [18262.25, NAN, 18661, 18266],
    ),
    "durations": (pl.Series([datetime.timedelta(d) for d in (0.25, 3, 1)] + [None]), "number", [0.25, 3, 1, NAN]),
    "time of day": (pl.Series([datetime.time(h) for h in (6, 18, 0)] + [None]), "number", [0.25, 0.75, 0, NAN]),
}  # fmt: skip


BY_NAME = ("intervals", "days as categories", "numbers and words")  # categories of which only names are written down


def pandas_frame(values):
    return pd.DataFrame({0: values}).set_axis([7, 7, 9, 3])


def equal(found, expected):
    if isinstance(expected, pl.DataFrame):
        assert_frame_equal(found, expected)
    else:
        pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("name", PANDAS)
def test_pandas_there_and_back(name):
    values, kind, numbers = PANDAS[name]
    frame = pandas_frame(values)
    encoding = encode_columns(frame)
    assert encoding.kinds == [kind]
    encoded = encoding.encode(frame)
    assert encoded.dtype == np.float64
    np.testing.assert_array_equal(encoded, np.array([numbers], float).T)
    equal(encoding.decode(encoded, like=frame), frame)


@pytest.mark.parametrize("name", [name for name in PANDAS if name not in BY_NAME])
def test_pandas_types_are_known_without_the_frame(name):
    frame = pandas_frame(PANDAS[name][0])
    encoding = Encoding.from_plain(json.loads(json.dumps(encode_columns(frame).to_plain())))
    equal(encoding.decode(encoding.encode(frame)), frame.reset_index(drop=True).set_axis(["0"], axis=1))


@pytest.mark.parametrize("name", POLARS)
def test_polars_there_and_back(name):
    values, kind, numbers = POLARS[name]
    frame = pl.DataFrame({name: values})
    encoding = encode_columns(frame)
    assert encoding.kinds == [kind]
    encoded = encoding.encode(frame)
    np.testing.assert_array_equal(encoded, np.array([numbers], float).T)
    equal(encoding.decode(encoded, like=frame), frame)
    stored = Encoding.from_plain(json.loads(json.dumps(encoding.to_plain())))
    assert stored == encoding
    back = stored.decode(encoded)
    assert back.to_series().to_list() == frame.to_series().to_list()
    assert back.to_series().dtype.base_type() == frame.to_series().dtype.base_type()


@pytest.mark.parametrize("table", [PANDAS, POLARS], ids=["pandas", "polars"])
def test_holes_are_filled_and_other_cells_stay(table):
    """Text with a level never seen and whole numbers beyond 2^53 are no cells of a model, and stay as they are."""
    columns = {name: values for name, (values, *_) in table.items()}
    frame = pd.DataFrame(columns) if table is PANDAS else pl.DataFrame(columns)
    encoding = encode_columns(frame)
    numbers = encoding.encode(frame)
    filled = encoding.fill(frame, np.where(np.isnan(numbers), 0.75, numbers + 1.0))
    again = encoding.encode(filled)
    assert not np.isnan(again).any()
    np.testing.assert_array_equal(again[~np.isnan(numbers)], numbers[~np.isnan(numbers)])
    for column, value in zip(encoding.columns, [again[np.isnan(x), j] for j, x in enumerate(numbers.T)]):
        days = column.kind == "date" and column.dtype in ("object", "Date")
        expected = min(1, len(column.levels) - 1) if column.has_levels else 1 if days else 0.75
        np.testing.assert_array_equal(value, expected)


def test_cells_that_no_number_can_hold_stay():
    frame = pd.DataFrame({"n": pd.array([2**60 + 1, None], dtype="Int64"), "t": ["a", None]})
    encoding = encode_columns(frame)
    other = frame.assign(t=["b", None])
    with pytest.warns(UserWarning, match="Unknown levels count as missing: 't' holds 'b'"):
        encoding.encode(other)
    filled = encoding.fill(other, np.zeros((2, 2)))
    assert filled["n"].tolist() == [2**60 + 1, 0]
    assert filled["t"].tolist() == ["b", "a"]


def test_whole_numbers_are_rounded_when_asked():
    frame = pd.DataFrame({"n": [1, 2], "m": [1.0, NAN], "x": [0.5, 1.0]})
    encoding, values = encode_columns(frame), np.array([[1.2, 1.8, 0.5], [300.0, NAN, 2.2]])
    assert encoding.decode(values, like=frame)["n"].tolist() == [1.2, 300.0]
    rounded = encoding.decode(values, like=frame, rounded=True)
    assert rounded["n"].dtype == np.int64
    np.testing.assert_array_equal(rounded, [[1, 2, 0.5], [300, NAN, 2.2]])


def test_what_a_type_cannot_hold_gets_the_nearest_that_can():
    frame = pd.DataFrame({"small": np.array([1, 255], "u1"), "truth": [True, False], "n": [1, 2]})
    back = encode_columns(frame).decode(np.array([[256.0, NAN, NAN], [1.0, 1.0, 1.0]]), like=frame)
    assert back.dtypes.astype(str).tolist() == ["float64", "boolean", "float64"]
    frame = pl.DataFrame({"small": pl.Series([1, 255], dtype=pl.UInt8), "long": [1, 2]})
    back = encode_columns(frame).decode(np.array([[-1.0, 2.0**63], [1.0, 1.0]]))
    assert back.dtypes == [pl.Float64, pl.Float64]


def test_dates_beyond_the_calendar_go_to_its_edge():
    frame = pl.DataFrame({"day": pl.Series(DATES), "ns": pl.Series(CLOCK, dtype=pl.Datetime("ns"))})
    back = encode_columns(frame).decode(np.array([[1e9, 1e9], [-1e9, -1e9]]))
    assert back["day"].to_list() == [datetime.date(9999, 12, 31), datetime.date(1, 1, 1)]
    assert back["ns"].dt.year().to_list() == [2261, 1678]


def test_columns_are_found_by_name():
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    encoding = encode_columns(frame)
    np.testing.assert_array_equal(encoding.encode(frame[["b", "a"]]), [[1, 0], [2, 1]])
    assert list(encoding.decode(np.zeros((2, 2)), like=frame[["b", "a"]])) == ["b", "a"]
    np.testing.assert_array_equal(encoding.encode(pl.DataFrame({"b": ["y"], "a": [5]})), [[5, 1]])
    with pytest.raises(TableError, match="'b' is not among the columns 'a'"):
        encoding.encode(frame[["a"]])
    with pytest.raises(TableError, match="'c', 'd' are no column of the fit; drop"):
        encoding.encode(frame.assign(c=1, d=2))


def test_one_warning_names_every_unknown_level():
    encoding = encode_columns(pl.DataFrame({"a": ["x", "y"], "b": [True, False], "c": [1, 2]}), kinds={"c": "category"})
    with pytest.warns(UserWarning, match="'a' holds 'z', 'w'; 'c' holds '3'") as caught:
        found = encoding.encode(pl.DataFrame({"a": ["z", "x", "w"], "b": [None, True, False], "c": [3, 1, None]}))
    assert len(caught) == 1
    np.testing.assert_array_equal(found, [[NAN, NAN, NAN], [0, 1, 0], [NAN, 0, NAN]])


def test_levels_the_new_frame_lacks_are_added_to_its_type():
    encoding = encode_columns(pd.DataFrame({"c": pd.Categorical(["a", "b", "c"])}))
    back = encoding.decode(np.array([[2.0], [0.0]]), like=pd.DataFrame({"c": pd.Categorical(["b", "a"])}))
    assert back["c"].tolist() == ["c", "a"]
    encoding = encode_columns(pl.DataFrame({"c": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"]))}))
    back = encoding.decode(np.array([[1.0]]), like=pl.DataFrame({"c": pl.Series(["a"], dtype=pl.Enum(["a"]))}))
    assert back["c"].to_list() == ["b"]


def test_owners_may_say_the_kind():
    frame = pl.DataFrame({"n": [2, 0, 5], "m": [1, 0, 1], "s": ["L", "S", "L"], "yes": ["no", "yes", "no"]})
    kinds = {"n": "count", "m": "boolean", "s": ["S", "M", "L"], "yes": "boolean"}
    encoding = encode_columns(frame, kinds)
    assert encoding.kinds == ["count", "boolean", "ordered", "boolean"]
    encoded = encoding.encode(frame)
    np.testing.assert_array_equal(encoded, [[2, 1, 1, 0], [0, 0, 0, 1], [5, 1, 1, 0]])
    equal(encoding.decode(encoded, like=frame), frame)
    assert encode_columns(frame, {"n": "ordered"}).columns[0].levels == (0, 2, 5)
    frame = pd.DataFrame({"rank": pd.Categorical([3, 1, 2], ordered=True)})
    encoding = encode_columns(frame, {"rank": "number"})
    np.testing.assert_array_equal(encoding.encode(frame), [[3], [1], [2]])


@pytest.mark.parametrize(
    "frame, kinds, sentence",
    [
        (pd.DataFrame({"a": [1]}), {"b": "number"}, "kinds names 'b', which is not among"),
        (pd.DataFrame({"a": [1]}), {"a": "float"}, "is 'float'; known kinds are number"),
        (pd.DataFrame({"a": [0.5]}), {"a": "count"}, "holds 0.5, which is no count"),
        (pd.DataFrame({"a": [-1]}), {"a": "count"}, "holds -1, which is no count"),
        (pd.DataFrame({"a": [1, 2, 3]}), {"a": "boolean"}, "holds 3 values; two"),
        (pd.DataFrame({"a": ["x", "y"]}), {"a": "ordered"}, "text has no order; give its levels"),
        (pd.DataFrame({"a": ["x", "y"]}), {"a": ["x"]}, "holds 'y' too"),
        (pd.DataFrame({"a": ["x", "x"]}), {"a": ["x", "x"]}, "name every level once"),
        (pd.DataFrame({"a": ["x", "y"]}), {"a": "number"}, "holds 'x' .* where numbers were expected"),
        (pd.DataFrame({"a": [1, 2]}), {"a": "date"}, "where dates were expected"),
        (pd.DataFrame({"a": [1.0, np.inf]}), {}, "1 infinite value; finite"),
        (pd.DataFrame({"a": [NAN, NAN]}), {}, "no value at all"),
        (pd.DataFrame({"a": [None, None]}), {}, "no value at all"),
        (pd.DataFrame({"a": [1j, 2]}), {}, "type complex128"),
        (pd.DataFrame({"a": [[1], [2, 3]]}), {}, "type object"),
        (pd.DataFrame({"a": pd.period_range("2020-01", periods=2, freq="M")}), {}, r"type period\[M\]"),
        (pd.DataFrame({"a": pd.interval_range(0, 2)}), {}, "type interval"),
        (pl.DataFrame({"a": [{"b": 1}]}), {}, "type Struct"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, "Two columns are named 'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), {}, "Two columns are named '1'"),
        (pd.DataFrame(), {}, "no rows or no columns"),
        (pl.DataFrame({"a": []}), {}, "no rows or no columns"),
        (pd.DataFrame({"a": [f"name {i}" for i in range(11)]}), {}, "11 different texts in 11 rows.*drop it"),
        (pd.DataFrame({"a": [f"w{i % 60}" for i in range(600)]}), {}, "60 different texts in 600 rows.*'category'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(frame, kinds, sentence):
    with pytest.raises(TableError, match=sentence):
        encode_columns(frame, kinds)


@pytest.mark.parametrize(
    "dtype, values, kind",
    [
        ("int64[pyarrow]", [1, None, 3], "number"),
        ("bool[pyarrow]", [True, None, False], "boolean"),
        ("timestamp[us][pyarrow]", CLOCK, "date"),
        ("date32[day][pyarrow]", DATES, "date"),
        ("duration[us][pyarrow]", [datetime.timedelta(2), None], "number"),
    ],
)
def test_columns_of_arrow_there_and_back(dtype, values, kind):
    pytest.importorskip("pyarrow", reason="whose types these are")
    frame = pd.DataFrame({"a": pd.array(values, dtype=dtype)})
    encoding = encode_columns(frame)
    assert encoding.kinds == [kind]
    equal(encoding.decode(encoding.encode(frame), like=frame), frame)
    assert not encoding.fill(frame, np.ones((len(frame), 1))).isna().any(axis=None)


def test_sparse_columns_are_numbers():
    frame = pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 3])})
    encoding = encode_columns(frame)
    assert encoding.decode(encoding.encode(frame), like=frame)["a"].tolist() == [0, 0, 3]


def test_many_texts_are_a_category_if_their_owner_says_so():
    texts = [f"name {i}" for i in range(60)]
    assert len(encode_columns(pd.DataFrame({"a": texts}), {"a": "category"}).columns[0].levels) == 60
    assert len(encode_columns(pd.DataFrame({"a": pd.Categorical(texts)})).columns[0].levels) == 60


def test_another_type_than_at_the_fit_is_refused():
    encoding = encode_columns(pd.DataFrame({"a": [1, 2]}))
    with pytest.raises(TableError, match=r"'a' holds 'x' .* where numbers were expected"):
        encoding.encode(pd.DataFrame({"a": ["x", "y"]}))
    np.testing.assert_array_equal(encoding.encode(pd.DataFrame({"a": [None, None]})), [[NAN], [NAN]])
    with pytest.raises(TableError, match=r"shape \(2, 3\) was given; 1 columns"):
        encoding.decode(np.zeros((2, 3)))


def test_text_files_are_read_for_what_they_say(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("age,ill,day,word\n1,no,2020-01-01,a\nNA,yes,2020-01-03,b\n3,?,,a\n")
    encoding = encode_columns(path)
    assert encoding.kinds == ["number", "boolean", "date", "category"]
    np.testing.assert_array_equal(encoding.encode(path), [[1, 0, 18262, 0], [NAN, 1, 18264, 1], [3, NAN, NAN, 0]])
    filled = encoding.fill(path, np.array([[9, 9, 9, 9.0]] * 3))
    assert filled.rows()[2] == (3.0, True, datetime.date(1970, 1, 10), "a")


def test_arrays_and_dicts_are_tables_too():
    array = np.array([[1.0, NAN], [2.0, 3.0]])
    np.testing.assert_array_equal(encode_columns(array).encode(array), array)
    table = {"a": [1, 2], "b": ["x", None]}
    np.testing.assert_array_equal(encode_columns(table).encode(table), [[1, 0], [2, NAN]])
