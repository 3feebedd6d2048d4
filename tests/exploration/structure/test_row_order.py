"""In which order rows depend, and that tables whose rows do are not said to hold groups for it."""

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.columns.control import make_control
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.structure.evaluation_set import look_at_rows
from unmix.exploration.structure.row_order import _by_place

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


def test_names_that_come_back_are_units_where_their_rows_are_alike():
    names = [f"patient {c}" for c in COUNTRIES]
    order = np.random.default_rng(4).permutation(200)
    found = looked_at(frame(PANEL[order], patient=np.array(names)[order]))
    assert found.order.words == "of one 'patient'" and found.order.dependence.n_effective == 20
    noise = np.random.default_rng(5).normal(size=(200, 3))
    assert looked_at(frame(noise[order], patient=np.array(names)[order])).order is None
    few = np.array([f"kind {c % 5}" for c in COUNTRIES])[order]  # few names may be those of the groups themselves
    assert looked_at(frame(PANEL[order] + 9 * (COUNTRIES[order] % 5)[:, None], kind=few)).order is None


def test_a_group_that_is_named_needs_no_time():
    """Five units, too few to be taken for such unasked."""
    order = np.random.default_rng(4).permutation(200)
    level = 5 * (COUNTRIES % 5)[:, None] + 0.2 * np.random.default_rng(6).normal(size=(200, 2))
    table = frame(level[order], who=np.array([f"w{c % 5}" for c in COUNTRIES])[order])
    found = look_at_rows(prepare(table, 0, control=make_control(group="who")), 0)
    assert found.order.words == "of one 'who'" and found.order.dependence.n_effective == 5


def test_places_put_a_slow_field_in_order():
    rng = np.random.default_rng(7)
    lat, lon = rng.uniform(40, 50, 400), rng.uniform(0, 10, 400)
    slow = np.c_[np.cos(0.5 * lat + 0.2 * lon), np.sin(0.3 * lon)] + 0.2 * rng.normal(size=(400, 2))
    found = looked_at(pl.DataFrame({"lat": lat, "lon": lon, "a": slow[:, 0], "b": slow[:, 1]}))
    assert found.order.words == "from place to place" and found.order.dependence.n_effective < 100
    mixed = rng.permutation(slow)
    assert looked_at(pl.DataFrame({"lat": lat, "lon": lon, "a": mixed[:, 0], "b": mixed[:, 1]})).order is None


def test_the_way_through_places_goes_there_and_back():
    places = np.random.default_rng(8).uniform(0, 10, (400, 2))
    steps = np.abs(np.diff(places[_by_place(places)], axis=0))
    assert steps.max() < 6 and steps.mean() < 0.5  # a way that begins each strip anew has steps of 9


def test_that_rows_of_one_name_have_it_in_common_is_no_dependence():
    """Twenty teams among columns that have nothing to do with them."""
    rng = np.random.default_rng(11)
    team = np.repeat([f"team {i}" for i in range(20)], 15)
    columns = {"team": team} | {f"q{j}": rng.choice(list("abcd"), 300) for j in range(2)} | {"x": rng.normal(size=300)}
    prepared = prepare(pl.DataFrame(columns), 0)
    assert prepared.columns[0].used
    assert look_at_rows(prepared, 0).order is None
    columns["short"] = np.char.add("t", np.repeat(np.arange(20), 15).astype(str))
    assert look_at_rows(prepare(pl.DataFrame(columns), 0, "use"), 0).order is None
    alike = columns | {f"x{j}": np.repeat(rng.normal(size=20), 15) + 0.1 * rng.normal(size=300) for j in range(4)}
    assert looked_at(pl.DataFrame(alike)).order.words == "of one 'team'"
