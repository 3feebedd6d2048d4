"""Columns of pandas frames go over as Arrow would hand them over, and need no Arrow."""

import datetime
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unmix.io import read_table as read
from unmix.io.in_memory.pandas_column import pandas_column

DAYS = ["2020-01-01", None, "2021-02-03"]
COLUMNS = {
    "whole numbers": [1, 2, 3],
    "small numbers": np.array([1, 2, 255], "u1"),
    "numbers": [1.5, np.nan, 2.0],
    "single precision": np.array([1.5, np.nan, 2.0], "f4"),
    "numbers as objects": np.array([1, 2.5, None], object),
    "masked whole numbers": pd.array([2**60, None, 3], dtype="Int64"),
    "masked numbers": pd.array([1.5, None, 2.0], dtype="Float32"),
    "truth": [True, False, True],
    "masked truth": pd.array([True, None, False], dtype="boolean"),
    "truth as objects": [True, None, False],
    "text": ["a", None, "ü"],
    "strings": pd.array(["a", None, "b"], dtype="string"),
    "nothing": [None, None, None],
    "categories": pd.Categorical(["y", None, "x"], categories=["x", "z", "y"]),
    "numbers as categories": pd.Categorical([3, 1, None]),
    "days": [datetime.date(2020, 1, 1), None, datetime.date(2021, 1, 1)],
    "times": pd.to_datetime(DAYS),
    "times to the second": np.array([day or "NaT" for day in DAYS], "M8[s]"),
    "times somewhere": pd.to_datetime(DAYS, utc=True).tz_convert("Europe/Zurich"),
    "durations": pd.to_timedelta([1, None, 3], unit="h"),
    "bytes": [b"a", None, b"b"],
    "lists": [[1, 2], [3], None],
}


def column(values):
    return pd.Series(values, index=[7, 7, 9])


@pytest.mark.parametrize("kind", COLUMNS)
def test_as_arrow_would(kind):
    pytest.importorskip("pyarrow", reason="what is compared with")
    values = column(COLUMNS[kind])
    expected = pl.from_pandas(values.reset_index(drop=True), nan_to_null=True)
    found = pandas_column(kind, values)
    assert found.dtype == expected.dtype
    assert found.to_list() == expected.to_list()
    assert found.name == kind


ARROW = {
    "int64": [1, None, 3],
    "double": [1.5, None, 2.0],
    "bool": [True, None, False],
    "string": ["a", None, "b"],
    "date32[day]": COLUMNS["days"],
    "timestamp[s]": list(COLUMNS["times"]),
    "timestamp[us]": list(COLUMNS["times"]),
    "timestamp[us, tz=Europe/Zurich]": list(COLUMNS["times somewhere"]),
    "duration[s]": list(COLUMNS["durations"]),
    "duration[us]": list(COLUMNS["durations"]),
    "time64[us]": [datetime.time(1, 2), None, datetime.time(3)],
}


@pytest.mark.parametrize("kind", ARROW)
def test_columns_that_pandas_keeps_in_arrow(kind):
    pytest.importorskip("pyarrow", reason="whose types these are")
    values = column(pd.array(ARROW[kind], dtype=f"{kind}[pyarrow]"))
    expected = pl.from_pandas(values.reset_index(drop=True), nan_to_null=True)
    found = pandas_column(kind, values)
    assert found.dtype == expected.dtype
    assert found.to_list() == expected.to_list()


def test_decimals_keep_their_digits():
    assert pandas_column("x", column([Decimal("1.5"), None, Decimal("2")])).to_list() == [Decimal("1.5"), None, 2]


def test_what_polars_does_not_know_becomes_text():
    frame = pd.DataFrame({"periods": pd.period_range("2020", periods=3, freq="D"), "mixed": [1, pd.NA, "a"]})
    assert read(frame).frame.to_dict(as_series=False) == {
        "periods": ["2020-01-01", "2020-01-02", "2020-01-03"],
        "mixed": ["1", None, "a"],
    }


def test_missing_ones_in_an_array_of_objects():
    assert read(np.array([["a", pd.NA], [1, None]], object)).frame["column 2"].to_list() == [None, None]


WITHOUT_ARROW = """
import sys
sys.modules["pyarrow"] = None  # cannot be imported
import numpy as np, pandas as pd, polars as pl
from unmix.io import read_table
numbers = pl.DataFrame({"a": [1.0, 2.0], "b": [3.0, None], "c": ["x", None]})
numbers.write_parquet("t.parquet")
numbers.write_ipc("t.feather")
frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, np.nan], "c": ["x", None]})
for source in ("t.parquet", "t.feather", frame):
    assert read_table(source).frame.equals(numbers), source
"""


def test_arrow_need_not_be_there(tmp_path):
    subprocess.run([sys.executable, "-c", WITHOUT_ARROW], cwd=tmp_path, check=True)
