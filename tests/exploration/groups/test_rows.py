import numpy as np
import polars as pl

from unmix.exploration.columns.preparation import prepare
from unmix.exploration.groups.rows import rows_of_groups

rng = np.random.default_rng(0)
labels = np.repeat([0, 1], 60)


def found(confidence=None, labels=labels, **columns):
    prepared = prepare(pl.DataFrame(columns), seed=0)
    sure = np.ones(len(prepared.X)) if confidence is None else confidence
    return rows_of_groups(prepared, labels, sure, int(labels.max()) + 1)


def test_typical_rows_are_the_nearest_to_the_mean_and_have_no_gaps():
    x, y = labels * 9.0 + rng.normal(size=120), rng.normal(size=120)
    gappy = [None if i % 2 else value for i, value in enumerate(y.tolist())]
    group = found(x=x, y=gappy)[0]
    assert all(row.row % 2 for row in group.typical)  # rows count from 1: those with a value
    assert all(row.reason == "" for row in group.typical)


def test_a_row_between_two_groups_is_borderline_and_says_by_which_column():
    x, y = labels * 9.0 + rng.uniform(-1, 1, 120), rng.normal(size=120)
    x[7] = 4.4
    (row,) = found(x=x, y=y)[0].borderline
    assert (row.row, row.reason) == (8, "as near to cluster 1: x 4.4 lies between")
    assert found(x=x, y=y)[1].borderline == []


def test_an_odd_row_says_how_far_its_number_lies_from_its_cluster():
    x, y = labels * 9.0 + rng.normal(size=120), rng.normal(size=120)
    y[70] = 8.0
    (row,) = found(x=x, y=y)[1].odd
    away = (8.0 - y[60:].mean()) / y[60:].std()
    assert (row.row, row.reason) == (71, f"y 8: {away:.1f} sd above its cluster")


def test_rows_of_a_normal_group_are_seldom_odd():
    trials = [found(labels=np.zeros(80, int), **_normal(seed))[0].odd for seed in range(60)]
    assert sum(map(bool, trials)) <= 7  # one in twenty is promised


def _normal(seed):
    values = np.random.default_rng(seed).normal(size=(3, 80))
    return {f"x{j}": column for j, column in enumerate(values)}


def test_rings_are_told_by_how_often_rows_keep_their_cluster():
    """The mean of a ring lies in the group inside it."""
    angle = rng.uniform(0, 2 * np.pi, 60)
    x, y = np.r_[5 * np.cos(angle), rng.normal(size=60) / 3], np.r_[5 * np.sin(angle), rng.normal(size=60) / 3]
    confidence = np.where(np.arange(120) == 5, 0.4, 1.0)
    (row,) = found(confidence, x=x, y=y)[0].borderline
    assert (row.row, row.reason) == (6, "in another cluster in 60 % of refits")
