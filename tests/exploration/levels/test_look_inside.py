"""Looks into groups: planted groups inside are found, clouds of several kinds hold none."""

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score

from unmix.exploration.columns.control import make_control
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.levels.look_inside import look_inside, own_axes, surely_none
from unmix.exploration.structure.evaluation_set import evaluation_set, look_at_rows

pytestmark = pytest.mark.slow_without_jit


def prepared(X, seed=0):
    made = prepare(pl.DataFrame({f"x{j}": column for j, column in enumerate(X.T)}), seed, control=make_control())
    return made, look_at_rows(made, seed)


def test_groups_inside_a_group_are_found_in_its_own_units():
    """Ten units tell the groups apart in the whole table, half of one inside the first: its own spread decides."""
    rng = np.random.default_rng(0)
    part = rng.permutation(np.repeat([0, 1], 60))
    X = np.concatenate([rng.normal(size=(120, 3)) * [1, 0.05, 1], rng.normal([9, 0, 9], 1, (120, 3))])
    X[:120, 1] += 0.5 * part
    made, rows = prepared(X)
    inside = look_inside(made, rows, np.arange(120), 2, 0)
    assert inside.probability > 0.9 and inside.clustering.selection.chosen_k == 2
    assert adjusted_rand_score(part, inside.clustering.labels) > 0.95
    carried = inside.clustering.model.predict(inside.axes.project(made.X[:120]))
    assert adjusted_rand_score(part, carried) > 0.95


@pytest.mark.parametrize("draw", ["normal", "exponential", "uniform"])
def test_a_cloud_holds_no_groups(draw):
    rng = np.random.default_rng(1)
    X = getattr(rng, draw)(size=(200, 3))
    X[100:] += 9
    made, rows = prepared(X)
    for members in (np.arange(100), np.arange(100, 200)):
        assert look_inside(made, rows, members, 2, 0).clustering is None


def test_the_quick_look_lets_pass_what_may_be_groups():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 2)) + np.repeat([[0, 0], [5, 0]], 60, axis=0)
    cloud = rng.normal(size=(120, 2))
    for table, none in ((X, False), (cloud, True)):
        made, rows = prepared(table)
        evaluated = evaluation_set(made, rows, own_axes(made, np.arange(120), 0))
        assert surely_none(evaluated, 0) is none


def test_of_many_columns_the_components_of_the_group_count():
    rng = np.random.default_rng(4)
    part = rng.permutation(np.repeat([0, 1], 60))
    X = rng.normal(size=(240, 14))
    X[120:] += 9
    X[:120, :5] += 3.5 * part[:, None]
    made, rows = prepared(X)
    axes = own_axes(made, np.arange(120), 0)
    assert len(axes.directions) == 1
    np.testing.assert_allclose(axes.directions @ axes.directions.T, 1.0)
    inside = look_inside(made, rows, np.arange(120), 2, 0)
    assert adjusted_rand_score(part, inside.clustering.labels) > 0.95
    assert look_inside(made, rows, np.arange(120, 240), 2, 0).clustering is None


def test_constant_columns_and_too_few_rows_hold_nothing():
    X = np.random.default_rng(3).normal(size=(100, 2))
    X[:60] = 0.5
    made, rows = prepared(X)
    assert len(own_axes(made, np.arange(60), 0).directions) == 0
    assert look_inside(made, rows, np.arange(60), 1, 0).probability == 0.0
    assert look_inside(made, rows, np.arange(60, 80), 1, 0).probability == 0.0
