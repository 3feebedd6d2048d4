"""Every limit against brute force on tiny matrices."""

import numpy as np
import pytest

from tests.roles.brute_force import best_limited, fewest_edges, least_complexity_limited
from unmix.roles import mine


def random_matrix(seed, n=4, m=3, density=0.6):
    matrix = np.random.default_rng(seed).random((n, m)) < density
    matrix[0, 0] = True
    return matrix


def counts(found):
    assert found.verify()
    assert found.fits()
    return len(found.exceptions), len(found.roles)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "limits",
    [
        {"min_users": 2},
        {"min_permissions": 2},
        {"max_roles_per_user": 1},
        {"max_roles_per_user": 2},
        {"forbidden": [(0, 1)]},
        {"forbidden": [(0, 1), (1, 2)]},
        {"min_users": 2, "min_permissions": 2, "forbidden": [(0, 2)]},
        {"keep": [frozenset({0, 1})]},
        {"keep": [frozenset({0, 1}), frozenset({2})], "max_roles_per_user": 1},
    ],
    ids=str,
)
def test_limits(limits, seed):
    matrix = random_matrix(seed)
    found = mine(matrix, **limits)
    named = {"max_roles_per_user": "most"}
    assert counts(found) == best_limited(matrix, **{named.get(key, key): value for key, value in limits.items()})
    assert found.certificate == "minimal"
    new = [role for name, role in found.roles.items() if not name.startswith("kept")]
    for role in new:
        assert len(role) >= limits.get("min_permissions", 1)
        assert not any(a in role and b in role for a, b in limits.get("forbidden", ()))
    for name in found.roles:
        users = sum(name in mine for mine in found.assignments.values())
        assert users >= limits.get("min_users", 1) or name.startswith("kept")
    if "max_roles_per_user" in limits:
        assert max(map(len, found.assignments.values())) <= limits["max_roles_per_user"]


@pytest.mark.parametrize("seed", range(4))
def test_few_roles_a_user_and_many_users_a_role(seed):
    matrix = random_matrix(seed, n=3, m=3, density=0.7)
    found = mine(matrix, min_users=2, max_roles_per_user=1)
    assert counts(found) == best_limited(matrix, min_users=2, most=1)


@pytest.mark.parametrize("seed", range(4))
def test_kept_roles_that_exclude_each_other(seed):
    matrix = random_matrix(seed, density=0.8)
    keep = {"clerk": {0, 1}, "auditor": {1, 2}}
    found = mine(matrix, keep=keep, forbidden=[("clerk", "auditor")])
    roles = [frozenset(keep["clerk"]), frozenset(keep["auditor"])]
    assert counts(found) == best_limited(matrix, keep=roles, conflicts=[(0, 1)])
    assert not any({"clerk", "auditor"} <= held for held in found.assignments.values())
    assert {name: set(found.roles[name]) for name in keep} == keep


@pytest.mark.parametrize("seed", range(8))
def test_fewest_edges(seed):
    matrix = random_matrix(seed, n=5, m=4 if seed < 2 else 3)
    found = mine(matrix, objective="edges")
    assert found.verify()
    assert found.value == fewest_edges(matrix) == found.user_roles.nnz + found.role_permissions.nnz
    assert found.certificate == "minimal"


@pytest.mark.parametrize(
    "limits",
    [
        {"min_users": 3},
        {"min_permissions": 2},
        {"max_roles_per_user": 2},
        {"forbidden": [(0, 1)]},
        {"min_users": 2, "max_roles_per_user": 2, "forbidden": [(0, 3)]},
        {"keep": {"a": {0, 1}, "b": {1, 2}}, "forbidden": [("a", "b")]},
    ],
    ids=str,
)
def test_limits_hold_at_sizes_beyond_the_programme(limits, monkeypatch):
    from unmix.roles.limits import mine as mine_constrained

    monkeypatch.setattr(mine_constrained, "MOST_VARIABLES", 0)
    matrix = np.random.default_rng(0).random((30, 12)) < 0.5
    found = mine(matrix, **limits)
    assert found.verify()
    assert found.fits()
    assert not found.proven or found.lower_bound == found.value
    kept = limits.get("keep", {})
    for name, role in found.roles.items():
        users = sum(name in mine for mine in found.assignments.values())
        assert name in kept or (users >= limits.get("min_users", 1) and len(role) >= limits.get("min_permissions", 1))
        assert name in kept or not any(a in role and b in role for a, b in limits.get("forbidden", ()))
    assert max(map(len, found.assignments.values())) <= limits.get("max_roles_per_user", 99)
    if kept:
        assert not any({"a", "b"} <= held for held in found.assignments.values())


def test_many_forbidden_pairs_in_one_role_split_it_into_few():
    """All subsets without one of 18 pairs would be 2¹⁸; two parts are enough."""
    matrix = np.ones((5, 40), bool)
    pairs = [(2 * i, 2 * i + 1) for i in range(18)]
    found = mine(matrix, forbidden=pairs)
    assert found.verify()
    assert len(found.roles) == 2
    assert not any(a in role and b in role for role in found.roles.values() for a, b in pairs)


WEIGHTS = [(1, 1, 1, 1, 1), (1, 1, 1, 0.5, np.inf), (2, 1, 0.5, np.inf, 3), (0.1, 0.2, 1, 0.3, 2)]


def obeys(found, limits):
    """The limits, by their words."""
    kept = set(dict(limits.get("keep", {})))
    for name, role in found.roles.items():
        users = sum(name in mine for mine in found.assignments.values())
        assert name in kept or limits.get("min_users", 1) == 1 or users >= limits["min_users"]
        assert name in kept or len(role) >= limits.get("min_permissions", 1)
        assert name in kept or not any(a in role and b in role for a, b in limits.get("forbidden", ()))
    assert max(map(len, found.assignments.values())) <= limits.get("max_roles_per_user", 99)
    for a, b in limits.get("forbidden", ()):
        if {a, b} <= kept:
            assert not any({a, b} <= held for held in found.assignments.values())
    return found.verify() and found.fits()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize(
    "limits",
    [
        {"min_users": 2},
        {"min_permissions": 2},
        {"max_roles_per_user": 1},
        {"forbidden": [(0, 1)]},
        {"min_users": 2, "min_permissions": 2, "forbidden": [(0, 2)]},
        {"keep": {"clerk": {0, 1}, "auditor": {1, 2}}, "forbidden": [("clerk", "auditor")]},
    ],
    ids=str,
)
def test_least_complexity_within_limits(limits, weights, seed):
    matrix = random_matrix(seed, density=0.75)
    found = mine(matrix, objective="wsc", weights=weights, **limits)
    named = {"max_roles_per_user": "most"}
    asked = {named.get(key, key): value for key, value in limits.items()}
    if "keep" in asked:
        asked.update(keep=[frozenset(role) for role in limits["keep"].values()], conflicts=[(0, 1)], forbidden=())
    singles, least = least_complexity_limited(matrix, weights, **asked)
    assert found.value == pytest.approx(least) and obeys(found, limits)
    assert not np.isinf(weights[4]) or found.direct.nnz == singles
    assert found.certificate == "minimal"


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize(
    "limits",
    [
        {"min_users": 3},
        {"min_permissions": 2},
        {"max_roles_per_user": 2},
        {"forbidden": [(0, 1)]},
        {"min_users": 2, "max_roles_per_user": 2, "forbidden": [(0, 3)]},
        {"keep": {"a": {0, 1}, "b": {1, 2}}, "forbidden": [("a", "b")]},
    ],
    ids=str,
)
def test_complexity_within_limits_beyond_the_programme(limits, weights, monkeypatch):
    from unmix.roles.limits import economy as limited_economy

    rng = np.random.default_rng(0)
    matrix = (rng.random((40, 5)) < 0.4).astype(int) @ (rng.random((5, 12)) < 0.4) > 0
    monkeypatch.setattr(limited_economy, "MOST_SETS", 0)
    found = mine(matrix, objective="wsc", weights=weights, **limits)
    assert obeys(found, limits) and found.value >= found.lower_bound
    free = mine(matrix, objective="wsc", weights=weights, keep=limits.get("keep", ()))
    if np.isfinite(weights[4]):
        assert found.value <= weights[4] * matrix.sum() + 99 * ("keep" in limits)
        assert found.value >= free.value - 1e-9
