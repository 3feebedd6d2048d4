"""Candidates from what users have in common, against intersections written out."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.datasets import planted_roles
from unmix.roles.noise import common_permissions as module
from unmix.roles.noise.common_permissions import (
    common_permissions,
    intersect_peers,
    majority_sets,
    most_promising,
    peers,
    product,
)

rng = np.random.default_rng(0)


def rows_of(table):
    return {tuple(row) for row in np.asarray(table).astype(int).tolist()}


def test_two_users_meet_in_what_both_have(monkeypatch):
    users = (rng.random((12, 20)) < 0.4).astype(float)
    monkeypatch.setattr(module, "DEVIATIONS", -100.0)  # nobody is a outlier
    pairs = [x * y for i, x in enumerate(users) for y in users[:i] if x @ y > 1.5]
    assert rows_of(intersect_peers(users)) == rows_of(users) | rows_of(pairs)


def test_nobody_is_their_own_peer(monkeypatch):
    users = (rng.random((12, 20)) < 0.4).astype(float)
    monkeypatch.setattr(module, "DEVIATIONS", -100.0)
    monkeypatch.setattr(module, "N_PEERS", 1)
    overlap = users @ users.T - 100 * np.eye(12)
    nearest = [x * users[i] for x, i in zip(users, overlap.argmax(axis=1)) if x @ users[i] > 1.5]
    assert rows_of(intersect_peers(users)) == rows_of(users) | rows_of(nearest)


def test_peers_run_from_those_with_most_in_common_to_those_with_least():
    overlap = rng.permutation(50).astype(float)
    found = overlap[peers(overlap, 9.0)]
    assert len(found) == module.N_PEERS and (found[0], found[-1]) == (49, 10) and (np.diff(found) < 0).all()
    assert np.array_equal(peers(overlap, 45.0), np.flatnonzero(overlap > 45))


def test_the_majority_mends_a_candidate():
    role = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0, 0.0])
    users = np.tile(role, (5, 1))
    users[0, 0], users[1, 5], users[2, 6] = 0, 1, 1
    damaged = np.array([[1, 1, 1, 0, 0, 0, 0, 0, 0, 0]], dtype=bool)
    assert np.array_equal(majority_sets(users, np.ones(5), damaged), role[None] > 0.5)
    heavy = np.array([1.0, 9.0, 1.0, 1.0, 1.0])  # the habit of one that counts for more than the others
    assert majority_sets(users, heavy, damaged)[0, 5]


def test_users_without_permissions_have_nothing_in_common():
    assert common_permissions(np.zeros((5, 7)), np.ones(5), 25).shape == (0, 7)


@pytest.mark.slow_without_jit
def test_planted_roles_are_among_the_candidates():
    table = planted_roles(300, 200, 40, density=0.05, noise=0.02, random_state=1)
    found = common_permissions(table.X, np.ones(300), 40)
    assert found.dtype == bool and len(rows_of(found)) == len(found)
    missing = rows_of(table.roles) - rows_of(found)
    assert len(missing) <= 2


@pytest.mark.slow_without_jit
def test_the_most_promising_gain_most():
    users, weights = (rng.random((30, 70)) < 0.3).astype(float), rng.integers(1, 4, 30).astype(float)
    candidates = rng.random((20, 70)) < 0.05
    plain = np.maximum((2 * users - 1) @ candidates.T, 0).T @ weights
    best = np.sort(np.argsort(-plain, kind="stable")[:6])
    assert np.array_equal(most_promising(users, weights, candidates, 6), candidates[best])


@pytest.mark.parametrize("density", [0.02, 0.5])
def test_products_of_few_and_many_entries(density):
    left, right = rng.random((9, 40)) * (rng.random((9, 40)) < density), rng.random((40, 7))
    for a in (left, csr_array(left)):
        for b in (right, right * (right < 0.05)):
            np.testing.assert_allclose(product(a, b), left @ b)
            assert isinstance(product(a, b), np.ndarray)
