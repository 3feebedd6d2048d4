"""Roles that others share: by count and chance, not by share of all users."""

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.roles import Access, explain, mine
from unmix.roles.access.bits import structure
from unmix.roles.explanation import shared_roles
from unmix.roles.explanation.shared_roles import log_choose, supported
from unmix.roles.problem.hierarchy import contains
from unmix.roles.problem.result import Roles


def given(assignments, roles):
    """Roles as if mined: every user has exactly what the roles give."""
    matrix = structure(np.asarray(assignments) @ np.asarray(roles) > 0)
    return Roles(
        access=Access(range(matrix.shape[0]), range(matrix.shape[1]), matrix),
        names=[f"R{k}" for k in range(len(roles))],
        role_permissions=structure(roles),
        user_roles=structure(assignments),
        direct=sp.csr_array(matrix.shape, dtype=bool),
        value=0.0,
        lower_bound=0.0,
    )


def many_small_roles(n=2000, k=400, d=900, size=12, each=3, seed=0):
    """No role is held by one user in a hundred."""
    rng = np.random.default_rng(seed)
    roles, held = np.zeros((k, d), int), np.zeros((n, k), int)
    for role in roles:
        role[rng.choice(d, size, replace=False)] = 1
    for user in held:
        user[rng.choice(k, each, replace=False)] = 1
    return held, roles


@pytest.mark.parametrize("products", [shared_roles.MOST_PRODUCTS, 0])
def test_users_of_small_roles_are_no_strangers(monkeypatch, products):
    monkeypatch.setattr(shared_roles, "MOST_PRODUCTS", products)
    held, roles = many_small_roles(300, 60, 200)
    assert held.sum(axis=0).max() < 0.1 * 300
    told = explain(given(held, roles))
    assert told.outliers == [] and told.exceptions == []


def test_no_share_of_all_users_is_asked_for():
    held, roles = many_small_roles(1000, 300)
    assert (held.sum(axis=0) < 18).mean() > 0.9  # of 1000
    assert explain(given(held, roles)).outliers == []


def test_two_users_support_a_large_role_and_not_a_single_grant():
    roles = np.zeros((4, 40), int)
    roles[0, :10], roles[1, 10:16], roles[2, 20], roles[3, 30:] = 1, 1, 1, 1
    held = np.zeros((100, 4), int)
    held[:97, 0], held[:2, 1], held[3:5, 2], held[99, 3] = 1, 1, 1, 1
    found = given(held, roles)
    assert supported(found, contains(found.role_permissions)).tolist() == [True, True, False, False]


def test_an_error_of_two_users_does_not_hide_in_a_role_of_all_they_have():
    """A cover gives the two {0 … 9, 20} as one role; what it adds to the role inside it is one grant."""
    roles = np.zeros((2, 40), int)
    roles[:, :10], roles[1, 20] = 1, 1
    held = np.zeros((100, 2), int)
    held[:98, 0], held[98:, 1] = 1, 1
    found = given(held, roles)
    assert supported(found, contains(found.role_permissions)).tolist() == [True, False]
    told = explain(found)
    assert told.outliers == []
    assert {(e.user, e.permission) for e in told.exceptions} == {(98, 20), (99, 20)}


def test_a_single_grant_beside_a_small_role_is_judged_alone():
    roles, held = np.zeros((2, 40), int), np.zeros((100, 2), int)
    roles[:, 0], roles[1, 1] = 1, 1
    held[:60, 0], held[60:63, 1] = 1, 1
    found = given(held, roles)  # C(100, 3) 40 f³ is 0.05 at the least rate, of both permissions 1e-8
    assert supported(found, contains(found.role_permissions)).tolist() == [True, False]


def test_where_much_is_not_shared_more_is_asked_of_a_role():
    """A block of two by two is rare, unless a third of the table is filled by grants that nobody shares."""
    roles, held = np.zeros((16, 20), int), np.zeros((20, 16), int)
    roles[0, :2], held[:2, 0] = 1, 1
    for k in range(1, 16):
        roles[k, np.random.default_rng(k).choice(20, 8, replace=False)], held[4 + k, k] = 1, 1
    alone = given(held[:, :1], roles[:1])
    assert supported(alone, contains(alone.role_permissions)).tolist() == [True]
    found = given(held, roles)
    assert not supported(found, contains(found.role_permissions)).any()


def test_wrong_grants_of_a_cover_stand_out_whatever_the_number_of_users():
    rng = np.random.default_rng(1)
    X = np.kron(np.eye(30, dtype=bool), np.ones((8, 6), bool))
    users, permissions = rng.integers(240, size=20), rng.integers(180, size=20)
    wrong = {(int(u), int(p)) for u, p in zip(users, permissions) if not X[u, p]}
    X[tuple(np.array(sorted(wrong)).T)] = True
    told = explain(mine(X, time_limit=5))
    assert {(e.user, e.permission) for e in told.exceptions if e.probability > 0.5} >= wrong
    assert told.outliers == []


def test_binomial_coefficients():
    assert np.exp(log_choose(10, 3)) == pytest.approx(120)
