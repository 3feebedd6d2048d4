import polars as pl
import pytest

from unmix.exploration.columns.kinds import kind_of
from unmix.io.cells import uses_decimal_comma


def kind(values, name="x", decimal_comma=False):
    return kind_of(pl.Series(name, values, strict=False), decimal_comma)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2.5", "NA", "-3e2"], "numeric"),
        ([1, 2, 3], "numeric"),
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
        (list(range(100, 130)), "id"),
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
        ("year", [2007, 2008, 2007], "date"),
        ("year", [1, 2, 3], "numeric"),
    ],
)
def test_names_tip_the_balance_for_whole_numbers_only(name, values, expected):
    assert kind(values, name).kind == expected


def test_consecutive_measurements_in_no_order_are_no_row_numbers():
    assert kind([3, 1, 2, 5, 4, *range(40, 60)]).kind == "numeric"


def test_a_few_odd_cells_count_as_missing_and_are_said():
    found = kind(["1", "2", "3", "4"] * 10 + ["ask Bob"])
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
