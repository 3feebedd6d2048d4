import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

from unmix.exploration.columns.column import describe_column
from unmix.exploration.columns.kinds import kind_of
from unmix.exploration.groups import names as module
from unmix.exploration.groups.beyond_means import accuracy_of_spread
from unmix.exploration.groups.names import group_names

rng = np.random.default_rng(0)
labels = np.repeat([0, 1, 2], [60, 50, 40])


def named(labels=labels, logs=(), **values):
    kinds = [kind_of(pl.Series(name, column)) for name, column in values.items()]
    columns = [describe_column(name, kind) for name, kind in zip(values, kinds)]
    return group_names(columns, kinds, labels, int(labels.max()) + 1, set(logs))


def test_groups_along_one_column_are_named_by_their_place():
    x = labels * 5.0 + rng.normal(size=150)
    assert named(x=x, noise=rng.normal(size=150)) == ["lowest x", "medium x", "highest x"]
    assert named((labels > 0).astype(int), x=x) == ["lower x", "higher x"]


def test_a_second_trait_is_given_only_where_the_first_does_not_tell_from_all():
    """Groups 0 and 1 are high in x, 1 and 2 in y: 1 is told by both, the others by one each."""
    x = np.where(labels < 2, 9.0, 0.0) + rng.normal(size=150)
    y = np.where(labels > 0, 9.0, 0.0) + rng.normal(size=150)
    assert named(x=x, y=y) == ["lowest y", "higher x, higher y", "lowest x"]


def test_the_nearest_other_group_counts_not_the_whole_table():
    """In x groups 1 and 2 are both far above the rest; only y tells one from the other."""
    x = np.where(labels > 0, 50.0, 0.0) + rng.normal(size=150)
    y = np.where(labels == 1, 3.0, 0.0) + rng.normal(size=150)
    names = named(x=x, y=y)
    assert names[0] == "lowest x"
    assert names[1] == "highest y"
    assert names[2].startswith("higher x, lower y")


def test_levels_name_a_group_only_where_most_of_its_rows_have_them():
    color = np.array(["red", "green", "blue"])[labels]
    assert named(color=color.tolist()) == ["color = red", "color = green", "color = blue"]
    rare = np.where((labels == 0) & (np.arange(150) % 3 == 0), "red", np.array(list("abcdef"))[np.arange(150) % 6])
    assert "color = red" not in named(color=rare.tolist())


@pytest.mark.parametrize(
    "columns", [{"x": rng.normal(size=150)}, {"x": np.where(labels < 2, 1.0, 0.0) + 0.01 * rng.normal(size=150)}]
)
def test_no_two_names_are_equal(columns):
    assert len(set(named(**columns))) == 3


def test_nothing_is_named_from_a_handful_of_values():
    speed = [90.0 + i if i < 8 else None if i < 60 else float(i % 7) for i in range(150)]
    assert not any("speed" in name for name in named(speed=speed)[:1])


def test_long_names_of_columns_do_not_make_equal_names():
    x = labels * 5.0 + rng.normal(size=150)
    a, b = ("a very long name that differs from another only at its end " + end for end in "xy")
    names = named(np.where(labels == 2, 0, labels), **{a: x, b: -x})
    assert len(set(names)) == 2
    assert max(map(len, names)) < 80


def test_how_often_a_number_tells_two_groups_apart_is_counted_on_fresh_rows():
    """Φ(d / 2) is the share put right at the midpoint of two normal groups of the same spread."""
    n, d = 40_000, 1.7
    x, group = np.r_[rng.normal(size=n), rng.normal(size=n) + d], np.repeat([0, 1], n)
    kind = kind_of(pl.Series("x", x))
    traits = [[], []]
    module._add_numbers(traits, describe_column("x", kind), kind, group, np.array([n, n]), False)
    accuracy = traits[1][0].accuracy[0]
    assert accuracy == pytest.approx(((x > d / 2) == group).mean(), abs=0.005)
    assert accuracy == pytest.approx(norm.cdf(d / 2), abs=0.005)


def used_names(labels, **values):
    kinds = [kind_of(pl.Series(name, column)) for name, column in values.items()]
    columns = [describe_column(name, kind) for name, kind in zip(values, kinds)]
    for column in columns:
        column.used = True
    return group_names(columns, kinds, labels, int(labels.max()) + 1, set())


def test_a_core_and_its_ring_are_told_by_how_much_they_vary():
    draw = np.random.default_rng(1)
    two, angle = np.repeat([0, 1], 200), draw.uniform(0, 2 * np.pi, 400)
    radius = np.where(two == 0, 0.5 * np.abs(draw.normal(size=400)), 4.0)
    names = used_names(two, x=radius * np.cos(angle), y=radius * np.sin(angle))
    assert [name.split(" of ")[0] for name in names] == ["narrow range", "wide range"]
    assert used_names(two, x=draw.normal(size=400)) == ["no column stands out (1)", "no column stands out (2)"]


def test_parallel_lines_are_told_by_one_number_in_view_of_the_other():
    draw = np.random.default_rng(2)
    two, x = np.repeat([0, 1], 200), 20 * draw.normal(size=400)
    names = used_names(two, x=x, y=x + 3.0 * two + 0.5 * draw.normal(size=400))
    assert sorted(names) in (["higher x for its y", "lower x for its y"], ["higher y for its x", "lower y for its x"])


@pytest.mark.parametrize("ratio", [1.5, 3.0, 8.0])
def test_rows_put_right_by_spread_are_those_of_the_likelihood(ratio):
    """The best rule takes the law that is denser: half the total variation between the two laws, and a half."""
    accuracy = accuracy_of_spread(np.array([1.0, ratio]), np.array([10_000, 10_000]), 0)[1][1]
    x = np.linspace(-12 * ratio, 12 * ratio, 400_001)
    apart = np.abs(norm.pdf(x) - norm.pdf(x, scale=ratio)).sum() * (x[1] - x[0]) / 2
    assert accuracy == pytest.approx((1 + apart) / 2, abs=1e-4)
