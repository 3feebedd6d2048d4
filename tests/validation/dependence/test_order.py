"""Dependence along the order of rows: against known autoregressions, and against tables that are only sorted."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unmix.validation import order_dependence


def autoregressive(coefficient, n, d, seed):
    rows = np.random.default_rng(seed).normal(size=(n, d))
    for i in range(1, n):
        rows[i] = coefficient * rows[i - 1] + np.sqrt(1 - coefficient**2) * rows[i]
    return rows


def test_walks_seasons_and_autoregressions_are_found():
    rng = np.random.default_rng(0)
    season = np.sin(2 * np.pi * np.arange(200)[:, None] / 12 + [0, 1]) + 0.5 * rng.normal(size=(200, 2))
    for X in (rng.normal(size=(300, 3)).cumsum(axis=0), season, autoregressive(0.9, 300, 2, 1)):
        found = order_dependence(X)
        assert found.dependent and found.p_value < 1e-3 and found.coefficient is None
        assert found.n_effective < len(X) / 2


@pytest.mark.parametrize("coefficient", [0.3, 0.5])
def test_dependence_of_neighbours_is_measured(coefficient):
    found = [order_dependence(autoregressive(coefficient, 2000, 2, seed)) for seed in range(3)]
    assert [f.coefficient for f in found] == pytest.approx([coefficient] * 3, abs=0.06)
    expected = 2000 * (1 - coefficient) / (1 + coefficient)
    assert [f.n_effective for f in found] == pytest.approx([expected] * 3, rel=0.2)


def test_independent_rows_and_their_order_say_nothing():
    rng = np.random.default_rng(2)
    assert not any(order_dependence(rng.normal(size=(100, 3)), seed).dependent for seed in range(20))
    walk = rng.normal(size=(300, 3)).cumsum(axis=0)
    assert not order_dependence(walk[rng.permutation(300)]).dependent


def test_sorted_tables_are_not_dependent():
    X = load_iris().data
    assert not order_dependence(X).dependent  # one species after the other
    Z = np.random.default_rng(3).normal(size=(300, 3)) + np.random.default_rng(4).normal(size=(300, 1))
    assert not order_dependence(Z[np.argsort(Z[:, 0])]).dependent


def test_units_and_steps_of_columns_do_not_matter():
    X = autoregressive(0.7, 200, 2, 5)
    found = order_dependence(X)
    assert order_dependence(np.exp(X) * [1e-9, 1e6] + 3) == found


def test_few_rows_and_constant_columns_have_no_order():
    assert not order_dependence(np.arange(20.0)[:, None] ** 2).dependent
    assert order_dependence(np.ones((50, 2))).n_effective == 50


@pytest.mark.parametrize("groups", [2, 3, 5, 9])
def test_groups_written_in_turn_are_no_series(groups):
    """Rows of each group are independent of all others."""
    rng = np.random.default_rng(3)
    turn = 4 * rng.normal(size=(groups, 3))[np.arange(300) % groups]
    assert not order_dependence(turn + rng.normal(size=(300, 3))).dependent
    assert order_dependence(turn + 10 * rng.normal(size=(300, 3)).cumsum(axis=0)).dependent


@pytest.mark.parametrize("others", [1, 4])
def test_a_walk_beside_columns_that_are_no_series_is_one(others):
    """A price and its volume: the mean of both correlations would be that of neither."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        walk, noise = rng.normal(size=(300, 1)).cumsum(axis=0), rng.normal(size=(300, others))
        found = order_dependence(np.hstack([walk, noise]))
        assert found.dependent and found.coefficient is None and found.n_effective < 60


def test_a_column_by_which_groups_are_sorted_is_no_series():
    rng = np.random.default_rng(1)
    doses = np.repeat(rng.permutation(10) + rng.random(10), 30)
    within = np.concatenate([np.sort(rng.normal(size=12)) for _ in range(25)])
    for column in (doses, within):
        found = order_dependence(np.column_stack([column, rng.normal(size=(300, 4))]))
        assert not found.dependent or found.coefficient < 0.2
