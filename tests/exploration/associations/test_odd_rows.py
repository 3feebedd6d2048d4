"""Rows that stand out, and rows of tables in which none does."""

import numpy as np
import polars as pl

from unmix.exploration.associations.odd_rows import odd_rows, stand_out, standardised
from unmix.exploration.columns.preparation import prepare


def none(X):
    return np.zeros(X.shape, bool), np.zeros(len(X), int)


def test_tables_of_normal_laws_have_few_odd_rows():
    odd = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, d = ((50, 3), (200, 6))[seed % 2]
        X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
        odd += bool(stand_out(X / X.std(axis=0), *none(X)))
    assert odd <= 16  # 5 % of 200 and two standard errors


def test_deviations_are_those_of_regressions_on_the_other_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 3)) @ rng.normal(size=(3, 3))
    X /= X.std(axis=0)
    away = standardised(X, np.zeros(4000, int))
    for j in range(3):
        others = np.column_stack([np.delete(X, j, axis=1), np.ones(4000)])
        rest = X[:, j] - others @ np.linalg.lstsq(others, X[:, j], rcond=None)[0]
        assert np.corrcoef(rest, away[:, j])[0, 1] > 0.995
        assert 0.9 < np.std(away[:, j]) < 1.1


def test_a_row_that_breaks_a_relation_is_odd_though_its_values_are_not():
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    frame = pl.DataFrame(
        {"arm": 60 + 5 * x, "leg": 80 + 6 * x + 0.5 * rng.normal(size=200), "age": rng.normal(size=200)}
    )
    frame[17, "arm"], frame[17, "leg"] = 67.0, 73.0
    prepared = prepare(frame, 0)
    found = odd_rows(prepared, np.zeros(200, int))
    assert [row.row for row in found] == [18]
    assert found[0].reason.startswith(("arm 67", "leg 73")) and "what its other columns say" in found[0].reason
    assert found[0].values["leg"] == 73


def test_the_least_value_of_a_column_is_never_above_what_the_others_say():
    """The line through the others falls below 0 for the two rows where they are largest; nothing can be less there."""
    rng = np.random.default_rng(5)
    x = np.append(rng.uniform(0, 3, 198), [12.0, 12.5])
    sugar = np.maximum(6 - 2 * x, 0.0) + np.where(x < 3, 0.2 * rng.random(200), 0.0)
    X = np.column_stack([x, sugar])
    away = standardised((X - X.mean(axis=0)) / X.std(axis=0), np.zeros(200, int))
    assert np.abs(away[198:, 1]).max() < 3 < away[198:, 0].min()


def test_far_rows_do_not_hide_each_other():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(100, 4))
    X[:4] += 9.0
    assert {odd.row for odd in stand_out(X, *none(X))} == {0, 1, 2, 3}


def test_clusters_are_no_odd_rows_of_each_other():
    rng = np.random.default_rng(3)
    labels = np.repeat([0, 1], [190, 10])
    X = rng.normal(size=(200, 3)) + 12.0 * labels[:, None]
    X /= X.std(axis=0)
    assert not stand_out(X, np.zeros(X.shape, bool), labels)


def test_filled_cells_are_no_reason():
    rng = np.random.default_rng(4)
    X, (holes, labels) = rng.normal(size=(100, 3)), none(np.empty((100, 3)))
    X[5, 1] = 30.0
    assert stand_out(X, holes, labels)[0][:2] == (5, 1)
    holes[5, 1] = True
    assert all(odd.feature != 1 for odd in stand_out(X, holes, labels))


def test_long_tails_are_not_odd():
    odd = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.exponential(size=300), rng.normal(size=300) ** 2, rng.uniform(size=300)])
        odd += bool(stand_out(X / X.std(axis=0), *none(X)))
    assert odd <= 8
    X[7, 2] = 4.0
    assert stand_out(X / X.std(axis=0), *none(X))[0][:2] == (7, 2)


def test_values_so_far_that_they_were_clipped_are_odd():
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"a": rng.normal(size=120), "b": rng.normal(size=120)})
    frame[11, "a"], frame[40, "b"] = 1e308, -60.0
    found = odd_rows(prepare(frame, 0), np.zeros(120, int))
    assert [row.row for row in found] == [12, 41]
    assert "over 100 sd above" in found[0].reason and found[1].reason.startswith("b -60: ")
