"""What is said of columns that have nothing to do with each other."""

import numpy as np
import pytest

from tests.exploration.associations.made import alarm, coded
from unmix.exploration.associations.null import Exchanged, other_signs, shuffled, turned


def mixed(rng, n):
    numbers = {"a": rng.normal(size=n), "b": rng.lognormal(size=n), "c": rng.poisson(3, n).astype(float)}
    return coded(**numbers, d=rng.integers(3, size=n), e=rng.random(n) < 0.1, f=rng.choice(list("uvwxyz"), n))


def test_unrelated_columns_of_any_kinds_are_said_to_go_together_in_few_tables():
    alarms = [alarm(mixed(np.random.default_rng([1, seed]), 150), shuffled, seed) for seed in range(60)]
    assert sum(alarms) <= 6  # 5 % of 60 and two standard errors


def test_unrelated_walks_are_not_said_to_go_together():
    walks = [np.random.default_rng([2, seed]).normal(size=(150, 3)).cumsum(axis=0) for seed in range(40)]
    tables = [coded(a=X[:, 0], b=X[:, 1], c=X[:, 2]) for X in walks]
    assert sum(alarm(table, turned, seed) for seed, table in enumerate(tables)) <= 5
    assert all(alarm(table, shuffled, seed) for seed, table in enumerate(tables[:5]))


def test_walks_that_go_together_are_told():
    found = []
    for seed in range(10):
        rng = np.random.default_rng([3, seed])
        walk = rng.normal(size=300).cumsum()
        found.append(alarm(coded(a=walk, b=walk + 2 * rng.normal(size=300)), turned, seed))
    assert sum(found) >= 8


def test_units_are_exchanged_as_wholes():
    """Levels of units are no evidence of their rows: 12 units of 25 rows, every column constant in them."""
    alarms = []
    for seed in range(40):
        rng = np.random.default_rng([4, seed])
        units = np.repeat(np.arange(12), 25)
        table = coded(**{name: rng.normal(size=12)[units] + 0.1 * rng.normal(size=300) for name in "abc"})
        alarms.append(alarm(table, Exchanged(units), seed))
    assert sum(alarms) <= 5 and alarm(table, shuffled, 0)


def test_rows_of_exchanged_units_stay_together():
    units = np.repeat([0, 1, 2], [6, 8, 7])
    table = coded(unit=units.astype(str))
    drawn = Exchanged(units)(table, np.random.default_rng(1))
    own = table.codes[:, 0]
    assert all(len(np.unique(drawn[units == u])) == 1 for u in range(3))
    assert sorted(drawn[[0, 6, 14], 0]) == sorted(np.unique(own))


def test_signs_of_cosines_keep_their_sizes():
    from scipy.fft import dct

    series = np.random.default_rng(0).normal(size=51).cumsum()
    turned_ = other_signs(series, np.random.default_rng(1))
    assert np.abs(dct(turned_)) == pytest.approx(np.abs(dct(series)))
    assert not np.allclose(np.abs(turned_), np.abs(series))
