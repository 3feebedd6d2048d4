"""In which order rows depend, and that tables whose rows do are not said to hold groups for it."""

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.structure.judged import look_at_rows

rng = np.random.default_rng(0)
WALK = rng.normal(size=(200, 3)).cumsum(axis=0)
COUNTRIES, YEARS = np.repeat(np.arange(20), 10), np.tile(np.arange(2000, 2010), 20)
PANEL = 3 * rng.normal(size=(20, 3))[COUNTRIES] + 0.2 * rng.normal(size=(200, 3))


def frame(X, **more):
    return pl.DataFrame({**more, **{f"x{j}": X[:, j] for j in range(X.shape[1])}})


def looked_at(table):
    return look_at_rows(prepare(table, 0), 0)


def test_dates_put_a_walk_in_order():
    order = np.random.default_rng(1).permutation(200)
    dates = np.datetime64("2020-01-01") + order.astype("timedelta64[D]")
    found = looked_at(frame(WALK[order], date=dates))
    assert found.order.words == "in the order of 'date'" and np.array_equal(order[found.numbers], np.arange(200))
    assert looked_at(frame(WALK[order])).order is None


@pytest.mark.parametrize("by_year", [False, True])
def test_units_are_known_by_their_names_and_times(by_year):
    order = np.lexsort((COUNTRIES, YEARS)) if by_year else np.arange(200)
    names = [f"country {c}" for c in COUNTRIES[order]]
    found = looked_at(frame(PANEL[order], country=names, year=YEARS[order]))
    assert found.order.words == "of one 'country' by 'year'" and found.order.dependence.n_effective == 20
    assert (np.diff(found.order.units) >= 0).all() and np.bincount(found.order.blocks).tolist() == [10] * 20


@pytest.mark.slow_without_jit
def test_a_random_walk_has_no_groups_and_says_why():
    findings = unmix.explore(frame(WALK), max_k=4)
    assert findings.selection.chosen_k == 1
    assert "Rows depend on each other" in findings.selection.verdict
    assert "rows depend in the same way" in findings.selection.verdict
    assert findings.spectrum.n_suggested == 0  # walks that have nothing to do with each other


@pytest.mark.slow_without_jit
def test_countries_by_year_have_groups_only_where_countries_do():
    names = [f"country {c}" for c in COUNTRIES]
    assert unmix.explore(frame(PANEL, country=names, year=YEARS), max_k=4).selection.chosen_k == 1
    apart = PANEL / 3 + 9 * (COUNTRIES % 2)[:, None]
    assert unmix.explore(frame(apart, country=names, year=YEARS), max_k=4).selection.chosen_k == 2
