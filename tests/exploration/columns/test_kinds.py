import numpy as np
import polars as pl
import pytest

from unmix.exploration.columns.kinds import as_kind, kind_of
from unmix.io.text.cells import uses_decimal_comma


def kind(values, name="x", decimal_comma=False):
    return kind_of(pl.Series(name, values, strict=False), decimal_comma)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2.5", "NA", "-3e2"], "numeric"),
        ([1, 2, 3], "count"),
        ([12, 7, 35], "numeric"),
        (["12 %", "5%", "8%"], "numeric"),
        (["yes", "No", ""], "boolean"),
        ([0, 1, 1, None], "boolean"),
        ([True, False, True], "boolean"),
        (["a", "b", "a", "a"], "category"),
        (["5", "5", None], "constant"),
        ([None, None], "constant"),
        (["NA", "n/a", " "], "constant"),
        (["2020-01-31", "2021-02-01", ""], "date"),
        (["31.01.2020", "01.02.2021", None], "date"),
        (["2020-01-31T10:00:00Z", "2021-02-01T11:00:00Z"], "date"),
        ([f"k{i}" for i in range(30)], "id"),
        ([f"a long remark by person {i}" for i in range(30)], "text"),
        ([f"the same remark by person {i % 12}" for i in range(60)], "text"),
        (list(range(100, 130)), "counter"),
        ([[1, 2], [3]], "text"),
    ],
)
def test_kind_from_values(values, expected):
    assert kind(values).kind == expected


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("id", [7, 3, 9, 4], "id"),
        ("customerID", [7, 3, 9, 4], "id"),
        ("user_id", [i % 40 for i in range(100)], "id"),
        ("humid", [7, 3, 9, 4], "numeric"),
        ("id", [1.5, 2.5, 3.25], "numeric"),
        ("year", [2007, 2008, 2007], "calendar"),
        ("year", [1, 2, 3], "count"),
    ],
)
def test_names_tip_the_balance_for_whole_numbers_only(name, values, expected):
    assert kind(values, name).kind == expected


def test_consecutive_measurements_in_no_order_are_no_row_numbers():
    assert kind([3, 1, 2, 5, 4, *range(40, 60)]).form == "numeric"


def test_a_few_odd_cells_count_as_missing_and_are_said():
    found = kind(["1.5", "2", "3", "4"] * 10 + ["ask Bob"])
    assert found.kind == "numeric"
    assert found.values.null_count() == 1
    assert "ask Bob" in found.notes[0]
    assert kind(["1", "2", "3", "ask", "Bob"]).kind != "numeric"


def test_decimal_comma_only_where_it_is_clear():
    clear, thousands, text = (pl.Series(v) for v in (["1,5", "2"], ["1,234", "12,000"], ["a,b", "c"]))
    assert uses_decimal_comma([clear])
    assert uses_decimal_comma([thousands, clear])
    assert uses_decimal_comma([pl.Series(["0,125", "0,250"])])
    assert not uses_decimal_comma([thousands])
    assert not uses_decimal_comma([text])
    assert kind(["1.234,5", "2,25"], decimal_comma=True).values.to_list() == [1234.5, 2.25]
    assert kind(["1,234", "56", "1,234,567.5"]).values.to_list() == [1234.0, 56.0, 1234567.5]


def test_constant_says_its_value():
    assert kind(["5", "5"]).why == "every value is '5'"
    assert "not missing" in kind(["5", None]).why


rng = np.random.default_rng(0)
minutes = rng.integers(0, 1440, 300)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("dep_time", minutes // 60 * 100 + minutes % 60, "calendar"),
        ("distance", rng.integers(0, 2400, 300), "numeric"),
        ("when", 2000 + rng.integers(0, 180, 300) / 12, "calendar"),
        ("period", [100 * (2000 + i // 12) + i % 12 + 1 for i in range(60)], "calendar"),
        ("period", 200_000 + rng.integers(0, 60, 200), "numeric"),
        ("created_at", 1_600_000_000 + rng.integers(0, 10**7, 200), "calendar"),
        ("timestamp", 1_600_000_000_000 + rng.integers(0, 10**10, 200), "calendar"),
        ("turnover", 1_600_000_000 + rng.integers(0, 10**7, 200), "numeric"),
        ("time", rng.integers(0, 10**7, 200), "numeric"),
        ("start", [f"{m // 60:02}{m % 60:02}" for m in minutes], "calendar"),
        ("price", 2000 + rng.uniform(0, 15, 300), "numeric"),
        ("date", [int(f"19{i // 300 + 58}{i // 28 % 12 + 1:02}{i % 28 + 1:02}") for i in range(300)], "date"),
        ("hour", rng.integers(0, 24, 300), "calendar"),
        ("peak_hour", rng.integers(0, 24, 300), "calendar"),
        ("hours per week", rng.integers(5, 50, 300), "numeric"),
        ("hour", rng.integers(0, 400, 300), "numeric"),
        ("model_year", rng.integers(70, 83, 300), "calendar"),
        ("decade", rng.integers(187, 200, 300) * 10, "calendar"),
        ("day", np.array(["Sun", "Sat", "Thur"])[rng.integers(0, 3, 300)], "calendar"),
        ("seen", [f"{i % 24}:{i % 60:02}" for i in range(299)] + ["9.12"], "calendar"),
        ("seen", [f"{i % 24}:{i % 60:02}" for i in range(150)] + ["late"] * 150, "category"),
        ("start", [f"{m // 60}:{m % 60:02}" for m in minutes], "calendar"),
        ("marital", np.array(["married", "single", "satisfied"])[rng.integers(0, 3, 300)], "category"),
    ],
)
def test_what_says_when(name, values, expected):
    found = kind(np.asarray(values).tolist(), name)
    assert found.kind == expected or (expected == "numeric" and found.form == "numeric")
    assert found.why


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.arange(1, 17), "counter"),
        (np.arange(30) * 0.25, "counter"),
        (np.r_[1:40, 1:60, 1:25], "counter"),
        (np.repeat(np.arange(30), 4), "counter"),
        ([*range(1, 30), None, *range(30, 60)], "counter"),
        ([*range(1, 30), None, *range(31, 60), None], "counter"),
        (np.tile([1, 2, 3, 4], 30), "code"),
        (np.repeat([1, 2, 3, 4], 30), "code"),
        (np.repeat([1, 4, 5, 6, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19], 7), "counter"),
        (np.repeat(np.arange(1, 15) * 0.5, 7), "numeric"),
        (np.repeat([10, 20, 40, 80, 160], 7), "numeric"),
        (np.repeat([3, 1, 4, 15, 9, 2, 6, 5, 35, 8, 97, 93, 23, 84], 7), "numeric"),
        (np.sort(rng.poisson(20, 200)), "numeric"),
        (rng.permutation(200), "counter"),
        (1 + rng.permutation(200), "counter"),
        (2 + rng.permutation(200), "numeric"),
        (rng.integers(0, 200, 200), "numeric"),
        (np.sort(rng.normal(size=200)), "numeric"),
        (1e9 + 0.1 * rng.normal(size=200), "numeric"),
        (1e9 + np.sort(0.1 * rng.normal(size=200)), "numeric"),
        (1e9 + np.arange(200) * 0.1, "counter"),
    ],
)
def test_counters_by_the_order_of_the_rows(values, expected):
    found = kind(np.asarray(values, dtype=object).tolist())
    assert (found.form if expected == "numeric" else found.kind) == expected


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("species_id", rng.integers(1, 4, 200), "code"),
        ("region", rng.integers(1, 9, 200), "code"),
        ("site", np.random.default_rng(1).integers(1, 9, 200), "code"),
        ("home_city", np.random.default_rng(2).integers(15, 40, 200), "code"),
        ("MPG.city", np.random.default_rng(2).integers(15, 40, 200), "numeric"),
        ("x", rng.choice([1, 2], 200), "code"),
        ("x", rng.choice([0.5, 2.0], 200), "code"),
        ("x", rng.integers(1, 6, 200), "ordered"),
        ("children", rng.poisson(1.2, 200), "count"),
        ("number of stores", rng.integers(3, 9, 200), "numeric"),
        ("size", np.array(["small", "medium", "large"])[rng.integers(0, 3, 200)], "ordered"),
        ("age", np.array(["0-9", "10-19", "20+"])[rng.integers(0, 3, 200)], "ordered"),
        ("iso_num", [4, 8, 276, 756] * 50, "code"),
        ("zip", rng.integers(8000, 8100, 200), "code"),
        ("code", rng.integers(100, 9000, 200), "code"),
        ("num_codes", rng.integers(3, 90, 200), "numeric"),
        ("zip income", rng.integers(8000, 8100, 200), "numeric"),
        ("zip", [f"{i % 60:05}" for i in range(200)], "category"),
        ("part", [f"{i:05}" for i in range(200)], "id"),
        ("state", np.repeat(np.arange(1, 50) + np.arange(49) // 3, 2 + np.arange(49) % 5), "code"),
        ("state", np.random.default_rng(2).integers(1, 50, 200), "count"),
        ("cowcode2", np.random.default_rng(2).integers(2, 950, 200), "code"),
        ("cod", np.random.default_rng(2).integers(2, 950, 200), "numeric"),
        ("Subject", np.repeat([308, 309, 310, 330, 331, 332, 333, 334, 335], np.arange(2, 11)), "id"),
        ("patient_no", np.random.default_rng(2).integers(1, 200, 600), "id"),
        ("patients", np.random.default_rng(2).integers(1, 200, 600), "count"),
        ("household", np.random.default_rng(2).integers(2, 9, 600), "numeric"),
        ("household size", np.random.default_rng(2).integers(2, 90, 600), "numeric"),
        ("family", [f"{i // 4:03}" + "A" * (i == 399) for i in range(400)], "category"),
        ("station", [*map(str, np.random.default_rng(2).integers(1000, 1100, 200)), "c168", "c118"], "category"),
        ("dose", [*map(str, np.random.default_rng(2).integers(1000, 1100, 200)), "lost"], "numeric"),
        ("birthmonth", np.random.default_rng(2).integers(1, 13, 200), "calendar"),
        ("birthyear", np.random.default_rng(2).choice([87, 88], 200), "calendar"),
    ],
)
def test_levels_written_as_numbers_and_scales(name, values, expected):
    assert kind(np.asarray(values).tolist(), name).kind == expected


@pytest.mark.parametrize(
    ("values", "lost"),
    [
        ([*rng.integers(18, 80, 200), 999, 999], [999.0]),
        ([*rng.normal(15, 4, 200), -999.0, -999.0], [-999.0]),
        ([*rng.normal(15, 4, 200), -999.0, 9999.0], [-999.0, 9999.0]),
        ([*rng.normal(15, 4, 200), -99.9, -999.9], [-999.9, -99.9]),
        ([*rng.normal(15, 4, 200), 1e20], [1e20]),
        ([*rng.integers(0, 1000, 300), 999], []),
        ([*rng.normal(15, 4, 200), 500.0], []),
    ],
)
def test_numbers_for_no_value_where_they_stand_apart(values, lost):
    found = kind([float(v) for v in values])
    assert list(found.sentinels) == lost
    assert found.values.null_count() == sum(v in lost for v in values)
    assert bool(found.doubts) == bool(lost)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("region", rng.integers(1, 9, 200).astype(float)),
        ("x", rng.choice([0.5, 2.0], 200)),
        ("flag", rng.choice([0.0, 1.0], 200)),
        ("lead", [f"{v:.2f}" if v > 0.5 else "<0.5" for v in rng.exponential(2, 200)]),
        ("age", np.r_[rng.integers(18, 80, 199), 999].astype(float)),
    ],
)
def test_more_rows_of_a_column_are_read_as_the_first_were(name, values):
    """One by one as together: what a cell is does not depend on the batch it comes in."""
    series = pl.Series(name, values)
    found = kind_of(series)
    again = pl.concat([as_kind(series[i : i + 1], found, False) for i in range(len(series))])
    assert again.equals(found.values)


def test_every_kind_has_a_reason():
    columns = [
        [1.5, 2.5, 3.1],
        [1, 2, 3],
        ["a", "b", "a"],
        ["yes", "no", "no"],
        [5, 5, 5],
        [f"k{i}" for i in range(30)],
    ]
    assert all(kind(column).why for column in columns)
