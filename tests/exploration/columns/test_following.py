import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.columns.preparation import prepare

n = 300
letters = np.array(list("abcdefgh"))


def table(seed):
    """Columns that have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    numbers = {"x": rng.normal(size=n), "y": rng.normal(size=n)}
    return numbers | {name: letters[rng.integers(k, size=n)] for name, k in (("a", 5), ("b", 3), ("d", 4))}


def again(columns, kind):
    """What one of the columns says once more."""
    a = np.searchsorted(letters, columns["a"])
    return {
        "another name": np.array(["v", "w", "x", "y", "z"])[a],
        "levels of levels": np.array(["north", "north", "south", "south", "south"])[a],
        "one level or not": np.where(a == 2, "yes", "no"),
        "cut from a number": letters[np.digitize(columns["x"], [-0.7, 0.7])],
        "steps of a number": np.digitize(columns["x"], [-1, -0.3, 0.4, 1.1]).astype(float),
    }[kind]


KINDS = ["another name", "levels of levels", "one level or not", "cut from a number", "steps of a number"]


def aside(columns, **more):
    prepared = prepare(pl.DataFrame(columns, strict=False), 0, **more)
    return {column.name: column.what for column in prepared.columns if not column.used}


@pytest.mark.parametrize("kind", KINDS)
def test_what_follows_from_another_column_is_set_aside(kind):
    columns = table(0)
    said = aside(columns | {"again": again(columns, kind)})
    source = "x" if "number" in kind else "a"
    assert said == {"again": f"kept aside: it follows from '{source}'"}


@pytest.mark.parametrize("kind", KINDS)
def test_saying_it_twice_makes_no_groups(kind):
    columns = table(1)
    assert unmix.explore(columns | {"again": again(columns, kind)}).selection.probability < 0.2


@pytest.mark.parametrize("kind", KINDS)
def test_some_rows_that_say_something_else_are_a_column_of_its_own(kind):
    columns = table(2)
    follows = again(columns, kind)
    other = np.random.default_rng(3).permutation(n)[: n // 10]
    follows[other] = np.random.default_rng(4).permutation(follows)[other]
    assert "again" not in aside(columns | {"again": follows})


def test_the_number_is_kept_of_a_name_and_what_was_measured_of_it():
    columns = table(3)
    machine = np.random.default_rng(5).integers(6, size=n)
    age = np.array([3.5, 9.1, 4.2, 7.7, 1.3, 2.8])[machine]
    said = aside(columns | {"machine": letters[machine], "age": age})
    assert said == {"machine": "kept aside: 'age' follows from it"}


def test_few_repeated_levels_prove_nothing():
    """Names that hardly come back, or a level that is hardly ever left, say nothing of another column."""
    rng = np.random.default_rng(6)
    columns = table(4)
    name = np.array([f"n{i}" for i in rng.permutation(n)])
    rare = np.where(np.arange(n) < 3, "yes", "no")
    few = {key: values[:30] for key, values in columns.items()}
    assert "b" not in aside(columns | {"name": name}) and "rare" not in aside(columns | {"rare": rare})
    assert aside(few | {"name": name[:30]}).keys() == {"name"}


def test_columns_that_are_asked_for_are_used_whatever_they_say():
    columns = table(5)
    frame = pl.DataFrame(columns | {"again": again(columns, "another name")}, strict=False)
    found = unmix.explore(frame, use=["a", "again", "b"])
    assert {column.name for column in found.columns if column.used} == {"a", "again", "b"}


def test_a_column_of_what_a_date_says_tells_when():
    columns = table(6)
    year = 2000 + np.arange(n) % 7
    said = aside(columns | {"year": year, "y2003": np.where(year == 2003, "yes", "no")})
    assert said["y2003"] == "kept aside: it follows from 'year'"


def test_order_of_rows_and_names_of_levels_do_not_matter():
    columns = table(7)
    order = np.argsort(columns["b"], kind="stable")
    columns |= {"again": again(columns, "levels of levels")}
    sorted_by_b = {name: values[order] for name, values in columns.items()}
    assert aside(columns).keys() == aside(sorted_by_b).keys() == {"again"}


def test_copies_of_rows_are_no_evidence():
    """All columns of ten rows go with each other in forty copies of these."""
    rng = np.random.default_rng(8)
    ten = {"x": rng.normal(size=10), "y": rng.normal(size=10), "a": letters[rng.integers(3, size=10)]}
    copies = {name: np.repeat(values, 40) for name, values in ten.items()}
    said = aside(copies | {"b": np.repeat(letters[rng.integers(4, size=10)], 40)}, categories="use")
    assert not said


def test_a_number_in_another_order_is_no_cut():
    """Steps that rise and fall along another number measure something of their own."""
    columns = table(9)
    steps = np.digitize(columns["x"], [-1, -0.3, 0.4, 1.1])
    assert "bent" not in aside(columns | {"bent": np.array([0.0, 3.0, 1.0, 4.0, 2.0])[steps]})
    assert "risen" in aside(columns | {"risen": np.array([0.0, 1.5, 2.0, 4.0, 9.0])[steps]})
