"""Rules against groups planted by known conditions, and against labels at random, where a rule must not look good."""

from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from unmix.exploration.columns.column import describe_column
from unmix.exploration.columns.kinds import kind_of
from unmix.exploration.findings.records import Condition
from unmix.exploration.groups.bounds import shortest_between
from unmix.exploration.groups.rules import group_rules, in_words, meets

rng = np.random.default_rng(0)
n = 1200
x, y, z = rng.uniform(0, 10, n), rng.normal(50, 20, n), rng.normal(size=n)
color = np.array(list("abcd"))[rng.integers(0, 4, n)]


def ruled(labels, **values):
    kinds = [kind_of(pl.Series(name, column)) for name, column in values.items()]
    columns = [describe_column(name, kind) for name, kind in zip(values, kinds)]
    for column in columns:
        column.used = True
    return group_rules(columns, kinds, labels, int(labels.max()) + 1, seed=0)


def test_a_planted_rule_of_two_numbers_is_found():
    inside = (x >= 4) & (y < 60)
    rule = ruled(inside.astype(int), x=x, y=y, z=z)[1]
    assert {condition.column for condition in rule.conditions} == {"x", "y"}
    bounds = {condition.column: (condition.low, condition.high) for condition in rule.conditions}
    assert bounds["x"][0] == pytest.approx(4, abs=0.5)
    assert bounds["y"][1] == pytest.approx(60, abs=4)
    assert min(rule.precision, rule.recall) > 0.9


def test_levels_and_a_range():
    inside = np.isin(color, ["a", "c"]) & (x >= 2) & (x < 7)
    rule = ruled(inside.astype(int), x=x, color=color.tolist(), z=z)[1]
    levels = next(condition.levels for condition in rule.conditions if condition.column == "color")
    assert levels == ["a", "c"]
    assert "color = a or c" in rule.sentence
    assert " ≤ x < " in rule.sentence
    assert len(rule.conditions) == 2


def test_precision_and_recall_are_those_of_other_rows():
    """Labels at random have no rule: counted on the rows it was found on, one would look better than chance."""
    worth = []
    for seed in range(12):
        labels = (np.random.default_rng(seed).random(200) < 0.2).astype(int)
        columns = {f"x{j}": np.random.default_rng(100 + 9 * seed + j).normal(size=200) for j in range(6)}
        rule = ruled(labels, **columns)[1]
        worth += [] if rule is None else [rule.precision]
    assert np.mean(worth) == pytest.approx(0.2, abs=0.06)


def test_at_most_three_conditions_and_none_for_few_rows():
    columns = {f"x{j}": rng.normal(size=400) for j in range(6)}
    labels = np.all([values > -0.8 for values in columns.values()], axis=0).astype(int)
    assert len(ruled(labels, **columns)[1].conditions) <= 3
    assert ruled(np.r_[np.zeros(396, int), np.ones(4, int)], **columns)[1] is None
    assert ruled(np.zeros(400, int), **columns) == [None]


def test_a_missing_cell_meets_no_condition():
    gappy = np.where(np.arange(n) % 3 == 0, np.nan, x)
    assert not meets(gappy, Condition("x", low=0.0))[::3].any()
    assert meets(gappy, Condition("x", low=0.0))[1::3].all()
    levels = np.array(["a", None, "b"], dtype=object)
    assert meets(levels, Condition("c", levels=["b"])).tolist() == [False, False, True]


def test_the_words_part_the_rows_as_the_conditions_do():
    conditions = [Condition("x", 2.5, None), Condition("y", None, 1200.0), Condition("z", -1.0, 0.5)]
    assert in_words(conditions) == "x ≥ 2.5 and y < 1,200 and -1 ≤ z < 0.5"


def test_the_shortest_number_between_two_by_trying_all():
    for _ in range(300):
        below, above = np.sort(np.round(rng.normal(0, 10.0 ** rng.integers(-3, 5), 2), 7))
        if below == above:
            continue
        found = shortest_between(float(below), float(above))
        assert below < found <= above
        digits = next(d for d in range(-6, 12) if _some(below, above, d))
        assert found == 0 or -Decimal(repr(found)).normalize().as_tuple().exponent <= digits


def _some(below, above, digits):
    """Whether a number with so many decimals (fewer than none: whole tens, …) lies between."""
    unit = Decimal(1).scaleb(-digits)
    first = (Decimal(repr(float(below))) / unit).to_integral_value("ROUND_FLOOR") + 1
    return first * unit <= Decimal(repr(float(above)))
