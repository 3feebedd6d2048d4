"""Users get the roles that fit them best: against enumeration."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.roles.classical import best_assignment as assignment
from unmix.roles.classical.best_assignment import Worth, best_role_sets, boolean_product

rng = np.random.default_rng(0)


def best_cost(x, roles, counts):
    return min((np.abs(x - (np.array(z) @ roles > 0)) * counts).sum() for z in product([0, 1], repeat=len(roles)))


@pytest.mark.parametrize("shown", [None, np.arange(12) % 3 > 0])
def test_few_roles_exactly(shown):
    roles, X = rng.integers(0, 2, (5, 12)).astype(float), rng.integers(0, 2, (20, 12)).astype(float)
    counts = np.ones(12) if shown is None else shown
    held = best_role_sets(X, roles, shown)
    costs = (np.abs(X - boolean_product(held, roles)) * counts).sum(axis=1)
    assert costs.tolist() == [best_cost(x, roles, counts) for x in X]
    assert np.array_equal(best_role_sets(csr_array(X), roles, shown), held)


def test_the_fewest_roles_among_equals():
    roles = np.array([[1, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=float)
    assert best_role_sets(np.array([[1.0, 1.0, 1.0]]), roles).tolist() == [[0, 0, 1]]
    assert best_role_sets(np.ones((1, 3)), roles[:2], largest=1).tolist() == [[1, 0]]


def test_many_roles_are_nearly_as_good_and_never_worth_less_than_one_change(monkeypatch):
    roles, X = (rng.random((8, 30)) < 0.3).astype(float), (rng.random((40, 30)) < 0.5).astype(float)
    exact = best_role_sets(X, roles)
    monkeypatch.setattr(assignment, "FEW_ROLES", 0)
    held = best_role_sets(X, roles)
    cost = np.abs(X - boolean_product(held, roles)).sum(axis=1)
    assert cost.sum() <= 1.05 * np.abs(X - boolean_product(exact, roles)).sum()
    for k in range(8):
        other = held.copy()
        other[:, k] = 1 - other[:, k]
        assert (np.abs(X - boolean_product(other, roles)).sum(axis=1) >= cost).all()
    assert best_role_sets(X, roles, largest=2).sum(axis=1).max() <= 2


def test_product_is_or_of_ands():
    Z, U = rng.integers(0, 2, (6, 4)), rng.integers(0, 2, (4, 7))
    expected = [[any(Z[i, k] and U[k, j] for k in range(4)) for j in range(7)] for i in range(6)]
    assert np.array_equal(boolean_product(Z, U), expected)


def test_a_role_made_superfluous_by_others_is_given_back(monkeypatch):
    monkeypatch.setattr(assignment, "FEW_ROLES", 0)
    roles = np.array([[0, 1, 1, 1, 1, 0], [1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], dtype=float)
    assert best_role_sets(np.ones((1, 6)), roles).tolist() == [[0, 1, 1]]  # the first is the best alone


@pytest.mark.parametrize("worth", [Worth(1.0, 3.0), Worth(2.5, 1.0), Worth.like(0.1, 0.3)])
def test_what_ones_and_zeros_are_worth_decides(worth):
    roles, X = (rng.random((5, 14)) < 0.4).astype(float), (rng.random((25, 14)) < 0.5).astype(float)
    held = best_role_sets(X, roles, worth=worth)
    got = (np.where(X > 0, worth.reward, -worth.penalty) * boolean_product(held, roles)).sum(axis=1)
    np.testing.assert_allclose(got, [best_gain(x, roles, worth) for x in X])


def best_gain(x, roles, worth):
    covers = [np.array(z) @ roles > 0 for z in product([0, 1], repeat=len(roles))]
    return max(worth.reward * (x[c] == 1).sum() - worth.penalty * (x[c] == 0).sum() for c in covers)


@pytest.mark.parametrize("worth", [Worth(), Worth(1.0, 2.0)])
def test_more_roles_than_are_enumerated_come_close_to_enumeration(worth, monkeypatch):
    """Thirteen roles: of 60 users with noise, at most two miss their best set."""
    roles = (rng.random((13, 40)) < 0.15).astype(float)
    X = boolean_product(rng.random((60, 13)) < 0.15, roles)
    X = np.where(rng.random(X.shape) < 0.15, 1 - X, X)
    monkeypatch.setattr(assignment, "FEW_ROLES", 13)
    best = (worth.of(X) * boolean_product(best_role_sets(X, roles, worth=worth), roles)).sum(axis=1)
    monkeypatch.setattr(assignment, "FEW_ROLES", 12)
    got = (worth.of(X) * boolean_product(best_role_sets(X, roles, worth=worth), roles)).sum(axis=1)
    assert (got < best - 1e-9).sum() <= 2
