import numpy as np
import polars as pl
import pytest

from unmix.exploration.columns.preparation import kinds_of

rng = np.random.default_rng(0)
n = 200
a, b, c = rng.normal(10, 2, n), rng.normal(5, 1, n), rng.gamma(3, 2, n)


def kinds(**columns):
    found = kinds_of(pl.DataFrame(columns, strict=False))
    return {name: kind.kind for name, kind in zip(columns, found)}, {k.values.name: k.why for k in found}


@pytest.mark.parametrize(
    ("derived", "words"),
    [
        (np.round(a * 1.8 + 32, 1), "'a' in another unit"),
        (24 - np.round(a, 1), "'a' in another unit"),
        (np.round(a, 1) ** 2, "the square of 'a'"),
        (np.log(np.round(a, 1)), "the logarithm of 'a'"),
        (np.round(1 / np.round(a, 1), 6), "the reciprocal of 'a'"),
        (np.round(a, 1) + np.round(b, 2), "a linear combination of 'a', 'b'"),
        (np.round(2 * np.round(a, 1) - np.round(b, 2) + 3 * np.round(c, 2), 1), "'a', 'b', 'c'"),
    ],
)
def test_what_follows_from_other_columns_is_derived(derived, words):
    found, why = kinds(a=np.round(a, 1), b=np.round(b, 2), c=np.round(c, 2), d=derived)
    assert found == {"a": "numeric", "b": "numeric", "c": "numeric", "d": "derived"}
    assert words in why["d"]


@pytest.mark.parametrize(
    "close",
    [a + rng.normal(0, 0.05, n), a * b, np.sort(a), a + b + rng.normal(0, 0.1, n), np.round(a), np.where(a > 9, a, 9)],
)
def test_what_is_merely_close_is_not(close):
    found, _ = kinds(a=a, b=b, c=c, d=close)
    assert "derived" not in found.values()


def test_gaps_do_not_hide_a_copy():
    gappy = np.where(np.arange(n) % 7 == 0, np.nan, 2.54 * a)
    assert kinds(a=np.where(np.arange(n) % 5 == 0, np.nan, a), cm=gappy)[0]["cm"] == "derived"


def test_the_column_called_after_the_other_is_the_copy():
    found, why = kinds(logwage=np.log(a), wage=a)
    assert found == {"logwage": "derived", "wage": "numeric"} and why["logwage"] == "the logarithm of 'wage'"


def test_units_and_order_of_rows_do_not_change_what_is_derived():
    d = np.round(a + b, 3)
    for scale in (1e-12, 1.0, 1e12):
        order = rng.permutation(n)
        found, _ = kinds(a=scale * np.round(a, 3)[order], b=scale * np.round(b, 3)[order], d=scale * d[order])
        assert found["d"] == "derived"


def test_few_rows_prove_nothing():
    """Five columns fit any sixth of six rows."""
    X = rng.normal(size=(11, 9))
    assert "derived" not in kinds(**{f"c{j}": X[:, j] for j in range(9)})[0].values()


def test_whole_numbers_that_go_one_to_one_with_a_category_are_its_codes():
    country = rng.integers(0, 40, 400)
    number = rng.permutation(1000)[:40]
    found, why = kinds(country=[f"land {i}" for i in country], num=number[country], x=rng.normal(size=400))
    assert found["num"] == "code" and "'country'" in why["num"]
    moved = number[country].copy()
    moved[0] += 1  # no longer one to one
    assert kinds(country=[f"land {i}" for i in country], num=moved, x=rng.normal(size=400))[0]["num"] != "code"


@pytest.mark.parametrize("name", ["target", "Class", "label", "outcome", "Diagnosis"])
@pytest.mark.parametrize("values", [rng.integers(0, 3, n), rng.normal(size=n), list("ab" * (n // 2))])
def test_targets_are_kept_aside(name, values):
    assert kinds(x=a, **{name: values})[0][name] == "target"


def test_coordinates_come_in_pairs_and_in_degrees():
    lat, lon = rng.uniform(40, 50, n), rng.uniform(-120, -70, n)
    assert set(kinds(lat=lat, lon=lon)[0].values()) == {"coordinate"}
    assert set(kinds(lat=lat, height=lon)[0].values()) == {"numeric"}
    assert set(kinds(lat=100 * lat, lon=lon)[0].values()) == {"numeric"}


def test_y_of_few_levels_is_a_target_unless_it_is_a_place():
    levels = np.arange(n) % 3
    assert kinds(x1=a, x2=b, y=levels)[0]["y"] == "target"
    assert kinds(x=a, y=levels)[0]["y"] == "ordered"
    assert kinds(x1=a, x2=b, y=c)[0]["y"] == "numeric"


def test_numbers_of_units_are_codes_where_a_time_goes_through_each():
    unit, day = np.repeat(4600 + 7 * np.arange(12), 6), np.tile(np.arange(1, 7), 12)
    keep = np.arange(72) % 17 != 5  # some were not measured every day
    x = rng.normal(size=72)
    found, why = kinds(pen=unit[keep], day=day[keep], x=x[keep])
    assert found["pen"] == "code" and why["pen"] == "with 'day' it names the row"
    level = np.round(rng.permutation(12) * 31.0 + 200)  # of a unit, but not given in the order of the table
    assert kinds(pen=np.repeat(level, 6)[keep], day=day[keep], x=x[keep])[0]["pen"] == "numeric"
    shuffled = rng.permutation(72)[keep]
    assert kinds(pen=np.sort(unit[shuffled]), day=day[shuffled], x=x[keep])[0]["pen"] == "numeric"


def test_single_precision_does_not_hide_a_mean():
    read, count = rng.normal(655, 20, (2, 300)).astype(np.float32)
    written = [np.array([float(f"{value:.9g}") for value in column]) for column in (read, count, (read + count) / 2)]
    found, why = kinds(read=written[0], count=written[1], score=written[2])
    assert found["score"] == "derived" and "linear combination" in why["score"]
    other = written[2] + 1e-3 * rng.normal(size=300)
    assert kinds(read=written[0], count=written[1], score=other)[0]["score"] == "numeric"
