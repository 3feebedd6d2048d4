import numpy as np
import polars as pl
import pytest

from unmix.exploration.columns.column import describe_column
from unmix.exploration.columns.kinds import kind_of
from unmix.exploration.groups.contrast import contrasts, percent, shown

rng = np.random.default_rng(0)
inside = np.arange(200) < 80


def found(**values):
    kinds = [kind_of(pl.Series(name, column)) for name, column in values.items()]
    columns = [describe_column(name, kind) for name, kind in zip(values, kinds)]
    return contrasts(columns, kinds, inside, set())


def test_number_by_hand():
    x = np.where(inside, 10.0, 0.0) + np.tile([-1, 1], 100)
    (item,) = found(x=x, noise=rng.normal(size=200))
    assert item.effect == pytest.approx((10 - 4) / x.std())
    assert (item.inside, item.overall) == (pytest.approx(10), pytest.approx(4))
    assert item.sentence == "x higher: 10 vs 4 overall"


def test_category_by_hand():
    color = np.where(inside, "red", np.where(np.arange(200) % 4 == 0, "red", "blue"))
    (item,) = found(color=color.tolist())
    share = 80 / 200 + 30 / 200
    assert item.effect == pytest.approx(np.pi - 2 * np.arcsin(np.sqrt(share)))
    assert item.sentence == "color = red: 100 % vs 55 % overall"
    assert item.level == "red"


def test_strongest_comes_first_and_noise_is_left_out():
    items = found(a=inside * 2.0 + rng.normal(size=200), b=inside * 9.0 + rng.normal(size=200), c=rng.normal(size=200))
    assert [item.column for item in items] == ["b", "a"]


def test_missing_values_do_not_count():
    x = np.where(inside, 5.0, 0.0) + rng.normal(size=200)
    gappy = [None if i % 7 == 0 else value for i, value in enumerate(x.tolist())]
    (item,) = found(x=gappy)
    assert item.inside == pytest.approx(np.mean([v for i, v in enumerate(x[:80]) if i % 7]))
    assert found(x=[None if i < 80 else v for i, v in enumerate(x.tolist())]) == []


def test_nothing_is_named_from_a_handful_of_values():
    """Eight of eighty rows with a value, far out: they do not speak for the other seventy-two."""
    speed = np.where(inside, 90.0, 10.0) + rng.normal(size=200)
    few = [value if i < 8 or i >= 80 else None for i, value in enumerate(speed.tolist())]
    assert found(speed=few) == []
    assert [item.column for item in found(speed=speed)] == ["speed"]
    color = [("red" if i < 80 else "blue") if i < 8 or i >= 80 else None for i in range(200)]
    assert found(color=color) == []


def test_shares_are_of_the_cells_that_hold_a_value():
    color = np.where(inside, "red", "blue").tolist()
    (item,) = found(color=[None if i % 2 else value for i, value in enumerate(color)])
    assert (item.inside, item.overall) == (1.0, 0.4)
    assert item.sentence == "color = red: 100 % vs 40 % overall"


@pytest.mark.parametrize(
    ("value", "difference", "text"),
    [
        (217.19, 16.3, "217"),
        (0.5634, 0.05, "0.563"),
        (4201.75, 424, "4,202"),
        (1e300, 1e299, "1e+300"),
        (3.0, 0, "3"),
        (-0.001, 2.0, "0"),
    ],
)
def test_numbers_are_as_long_as_their_difference_needs(value, difference, text):
    assert shown(value, difference) == text


def test_percent_keeps_all_and_nothing_for_themselves():
    assert [percent(p) for p in (1.0, 0.999, 0.5, 0.001, 0.0)] == ["100 %", "> 99 %", "50 %", "< 1 %", "0 %"]
