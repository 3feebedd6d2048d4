"""The rows behind the map: values as the table has them, and a page's worth of bytes at most."""

import json

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.structure import row_table
from unmix.exploration.structure.row_table import make_row_table


def made(frame, shown=None, ids=None):
    prepared = prepare(frame, 0)
    shown = np.arange(len(prepared.rows)) if shown is None else shown
    return make_row_table(prepared.columns, prepared.kinds, shown, frame.height, ids)


def frame(n=40):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "name": [f"row {i}" for i in range(n)],
            "size": rng.normal(size=n).tolist(),
            "count": rng.integers(1, 40, n).tolist(),
            "place": ["here", "there"] * (n // 2),
        }
    )


def test_values_are_those_of_the_table():
    data = frame().with_columns(pl.when(pl.col("size") > 1.5).then(None).otherwise(pl.col("size")).alias("size"))
    found = made(data, np.arange(0, 40, 2))
    for name, values in zip(found.columns, found.values):
        assert values == data[name].to_list()[::2]
    assert found.ids == data["name"].to_list()[::2]
    assert found.sentence == "20 of 40 rows, those on the map, with all 4 columns are in this page."
    assert [type(value) for value in found.values[found.columns.index("count")]] == [int] * 20


def test_given_ids_come_first():
    assert made(frame(), ids=pl.Series([f"own {i}" for i in range(40)])).ids[3] == "own 3"


@pytest.mark.parametrize("budget", [500, 1500, 3000, 20_000])
def test_the_budget_holds_and_is_spoken_of(monkeypatch, budget):
    monkeypatch.setattr(row_table, "most_bytes", budget)
    data = frame().drop("name")
    found = made(data)
    assert len(json.dumps(found.values, separators=(",", ":"))) <= budget + 2 + len(found.values)
    assert (f"{len(found.columns)} of 3 columns" in found.sentence) == (len(found.columns) < 3)
    if "6 digits" in found.sentence and "size" in found.columns:
        np.testing.assert_allclose(found.values[found.columns.index("size")], data["size"], rtol=1e-5)


def test_columns_that_formed_the_clusters_stay_longest(monkeypatch):
    data = pl.DataFrame({f"remark {j}": [f"text {i} {j} " * 5 for i in range(60)] for j in range(5)})
    rng = np.random.default_rng(0)
    data = data.with_columns(pl.Series("a", rng.normal(size=60)), pl.Series("b", rng.normal(size=60)))
    monkeypatch.setattr(row_table, "most_bytes", 6000)
    found = made(data)
    assert {"a", "b"} <= set(found.columns) and len(found.columns) < 7
    assert max(len(cell) for values in found.values for cell in values if isinstance(cell, str)) <= 60


@pytest.mark.slow_without_jit
def test_explore_keeps_the_rows_of_its_map_in_its_order():
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(size=60), rng.normal(9, 1, 60)]
    x[5] = np.nan
    found = unmix.explore({"x": x, "other": rng.normal(size=120)}, max_k=3)
    values = found.rows.values[found.rows.columns.index("x")]
    expected = [None if np.isnan(x[row - 1]) else x[row - 1] for row in found.map.row]
    assert values == expected
