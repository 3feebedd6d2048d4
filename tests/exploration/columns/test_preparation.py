import numpy as np
import polars as pl
import pytest

from unmix.exploration.columns.preparation import prepare
from unmix.io.base.errors import TableError

rng = np.random.default_rng(0)


def what(prepared, name):
    return next(column.what for column in prepared.columns if column.name == name)


def used(prepared):
    return {column.name for column in prepared.columns if column.used}


def test_every_used_column_has_variance_one():
    frame = pl.DataFrame(
        {
            "size": rng.normal(100, 7, 200),
            "tiny": rng.normal(0, 1e-300, 200),
            "huge": rng.normal(0, 1e300, 200),
            "color": rng.choice(["red", "green", "blue"], 200),
            "flag": rng.choice([True, False], 200),
        }
    )
    prepared = prepare(frame, 0, "use")
    assert used(prepared) == set(frame.columns)
    variance = np.bincount(prepared.owner, prepared.X.var(axis=0))
    assert np.allclose(variance, 1)
    assert np.allclose(prepared.X.mean(axis=0), 0)


def test_categories_form_clusters_only_where_numbers_are_few():
    many = pl.DataFrame({"a": rng.normal(size=50), "b": rng.normal(size=50), "c": rng.choice(["x", "y"], 50)})
    assert used(prepare(many, 0)) == {"a", "b"}
    assert "describes" in what(prepare(many, 0), "c")
    assert used(prepare(many, 0, "use")) == {"a", "b", "c"}
    few = many.drop("a")
    assert used(prepare(few, 0)) == {"b", "c"}
    assert "one-hot encoded, 2 levels" in what(prepare(few, 0), "c")
    with pytest.raises(TableError, match="categories"):
        prepare(few, 0, "maybe")


def test_long_tails_are_logged_and_said():
    income = np.exp(rng.normal(10, 1.5, 300))
    prepared = prepare(pl.DataFrame({"income": income, "age": rng.normal(40, 9, 300)}), 0)
    assert "logarithm" in what(prepared, "income")
    expected = (np.log(income) - np.log(income).mean()) / np.log(income).std()
    assert np.allclose(prepared.X[:, 0], expected)
    assert "logarithm" not in what(prepared, "age")


def test_extreme_values_are_drawn_in_and_said():
    x = np.r_[rng.normal(size=200), 1e9]
    prepared = prepare(pl.DataFrame({"x": x, "y": rng.normal(size=201)}), 0)
    assert prepared.X[:200, 0].std() > 0.5
    assert "1 extreme value clipped" in what(prepared, "x")
    assert "1e+09" in prepared.warnings[0]


def test_missing_values_are_counted_filled_and_said():
    a = rng.normal(size=300)
    frame = pl.DataFrame(
        {"a": a, "b": 2 * a + rng.normal(0, 0.05, 300), "c": rng.choice(["x", "y", None], 300).tolist()}
    )
    frame = frame.with_columns(b=pl.when(pl.int_range(300) < 30).then(None).otherwise(pl.col("b")))
    prepared = prepare(frame, 0, "use")
    assert np.isfinite(prepared.X).all()
    assert prepared.columns[1].n_missing == 30
    assert "filled" in prepared.missing.treatment
    assert "level of its own" in prepared.missing.treatment
    assert prepared.missing.n_cells == 30 + frame["c"].null_count()


def test_missing_numbers_follow_the_other_columns():
    pytest.importorskip("unmix.decomposition.pca")
    a = rng.normal(size=300)
    b = np.where(np.arange(300) < 30, np.nan, a)
    X = prepare(pl.DataFrame({"a": a, "b": b, "c": a + rng.normal(0, 0.1, 300)}), 0).X
    assert np.corrcoef(X[:30, 0], X[:30, 1])[0, 1] > 0.98


def test_rows_without_any_used_value_are_left_out_and_said():
    frame = pl.DataFrame({"a": [1.0, None, 3.0, 4.0], "b": [2.0, None, 1.0, 7.0], "note": ["p", "q", "r", "s"]})
    prepared = prepare(frame, 0)
    assert prepared.rows.tolist() == [1, 3, 4]
    assert prepared.missing.n_rows_dropped == 1
    assert "1 row has no value" in prepared.missing.treatment


def test_columns_mostly_missing_are_left_out():
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0, 5.0, 4.0], "b": [1.0, 2.0, None, None, None]})
    frame = pl.concat([frame] * 3)
    assert "missing" in what(prepare(frame.with_columns(b=pl.when(pl.int_range(15) < 3).then(pl.col("b"))), 0), "b")


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ({"a": [None, None], "b": [None, None]}, "Every value of the table is missing"),
        ({"a": [float("nan")] * 3}, "Every value of the table is missing"),
        ({"a": [1, 1, 1], "b": ["x"] * 3}, "Every column is constant"),
        ({"a": [f"word {i} of a long text" for i in range(9)]}, "No column holds numbers or categories"),
        ({"a": [1.0, float("inf"), 2.0]}, "'a' holds an infinite value .*row 2"),
        ({"a": ["1", "inf", "-inf"]}, "2 infinite values"),
        ({"a": [float("inf")] * 3, "b": [1, 2, 3]}, "3 infinite values"),
        ({"a": [1.0]}, "1 row; at least two"),
        ({"a": []}, "0 rows; at least two"),
        ({}, "no columns"),
        ({"a": [1.0, None, None], "b": [2.0, None, None]}, "Every column is constant|Fewer than two rows"),
    ],
)
def test_tables_without_anything_to_compare_are_refused(frame, words):
    with pytest.raises(TableError, match=words):
        prepare(pl.DataFrame(frame, strict=False), 0)


def test_values_beside_a_spike_are_not_extreme():
    rng = np.random.default_rng(0)
    hours = np.where(rng.random(500) < 0.62, 40, np.rint(rng.normal(38, 10, 500)))
    prepared = prepare(pl.DataFrame({"hours": hours, "x": rng.normal(size=500)}), 0)
    assert "clipped" not in prepared.columns[0].what and prepared.warnings == []
    hours[0] = 4000
    assert "1 extreme value clipped" in prepare(pl.DataFrame({"hours": hours, "x": hours[::-1]}), 0).columns[0].what


def test_a_small_group_far_out_is_not_clipped():
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(size=400), rng.normal(-16, 0.5, size=8)]
    tails = rng.standard_t(1, size=408)
    prepared = prepare(pl.DataFrame({"x": x, "tails": tails}), 0)
    assert "clipped" not in what(prepared, "x") and "clipped" in what(prepared, "tails")
    x[-8:] *= 1000
    assert "8 extreme values clipped" in what(prepare(pl.DataFrame({"x": x, "tails": tails}), 0), "x")


def test_names_that_come_back_at_every_time_form_no_clusters():
    rng = np.random.default_rng(0)
    days = [f"2020-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(60)]
    panel = {"share": np.repeat(list("abcd"), 60), "day": days * 4, "price": rng.normal(size=240)}
    prepared = prepare(pl.DataFrame(panel), 0)
    assert not prepared.columns[0].used and "with 'day' it names the row" in what(prepared, "share")
    assert prepare(pl.DataFrame(panel), 0, categories="use").columns[0].used
    kinds = {**panel, "share": rng.choice(list("abcd"), 240)}  # as on no day in particular
    assert prepare(pl.DataFrame(kinds), 0).columns[0].used


def test_names_of_units_form_no_clusters():
    """Children measured at the same ages, and patients who come when they like."""
    child, age = np.repeat([f"c{i}" for i in range(10)], 4), np.tile([8, 10, 12, 14], 10)
    size = {"length": rng.normal(size=40), "width": rng.normal(size=40)}
    groups = {
        "sex": rng.choice(["f", "m"], 40),
        "arm": rng.choice(["p", "q", "r"], 40),
        "eye": rng.choice(list("st"), 40),
    }
    units = prepare(pl.DataFrame({"child": child, "age": age} | size | groups), 0)
    assert what(units, "child") == "kept aside: with 'age' it names the row"
    assert {"arm", "eye"} <= used(units)
    drawn = rng.integers(10, size=40)
    patients = prepare(pl.DataFrame({"patient": [f"p{i}" for i in drawn]} | size | groups), 0)
    assert what(patients, "patient") == "kept aside: it tells whose a row is"
    plain = prepare(pl.DataFrame({"breed": [f"p{i}" for i in drawn]} | size | groups), 0)
    assert "one-hot" in what(plain, "breed")
