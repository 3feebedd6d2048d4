"""Limits on roles that may deviate: against brute force on tiny matrices, and kept at sizes beyond the programme."""

import numpy as np
import pytest

from tests.roles.brute_force import fewest_limited, limited_answers
from unmix.roles import mine
from unmix.roles.deviations.limited_fit import largest

LIMITS = [
    {"min_users": 2},
    {"min_permissions": 2},
    {"max_roles_per_user": 1},
    {"forbidden": [(0, 1), (1, 2)]},
    {"min_users": 2, "min_permissions": 2, "forbidden": [(0, 2)]},
    {"keep": [frozenset({0, 1})]},
    {"keep": [frozenset({0, 1}), frozenset({2})], "max_roles_per_user": 1, "min_users": 2},
]
NAMES = {"max_roles_per_user": "most"}


def small(seed):
    matrix = np.random.default_rng(seed).random((3, 3)) < 0.6
    matrix[0, 0] = True
    return matrix


def plain(limits):
    return {NAMES.get(key, key): value for key, value in limits.items()}


def counts(found, matrix):
    """(single, missing, extra), recomputed from roles and assignments alone."""
    given = np.zeros(matrix.shape, bool)
    for user, names in found.assignments.items():
        for name in names:
            given[user, list(found.roles[name])] = True
    singly = np.zeros(matrix.shape, bool)
    for grant in found.exceptions:
        if grant.kind == "direct":
            singly[grant.user, grant.permission] = True
    assert (matrix[singly]).all()
    assert not given[singly].any()
    assert len(found.exceptions) == (given != matrix).sum()
    return int(singly.sum()), int((matrix & ~given & ~singly).sum()), int((given & ~matrix).sum())


def check_limits(found, limits):
    keep = limits.get("keep", [])
    kept = set(found.names[: len(keep)])
    assert [found.roles[name] for name in found.names[: len(keep)]] == [frozenset(role) for role in keep]
    for name, role in found.roles.items():
        users = sum(name in mine for mine in found.assignments.values())
        assert name in kept or (users >= limits.get("min_users", 1) and len(role) >= limits.get("min_permissions", 1))
        assert name in kept or not any(a in role and b in role for a, b in limits.get("forbidden", ()))
    assert max(map(len, found.assignments.values())) <= limits.get("max_roles_per_user", 99)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_fewest_roles_within_delta(limits, seed):
    matrix = small(seed)
    for delta in (0, 1, 2):
        found = mine(matrix, "fewest", delta=delta, **limits)
        single, missing, extra = counts(found, matrix)
        assert missing + extra <= delta
        assert (single, len(found.roles)) == fewest_limited(matrix, delta, most_roles=3, **plain(limits))
        assert found.certificate == "minimal"
        assert found.verify()
        check_limits(found, limits)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_fewest_deviations_with_so_many_roles(limits, seed):
    matrix = small(seed)
    for n_roles in (2, 3):
        found = mine(matrix, "fewest", n_roles=n_roles, **limits)
        single, missing, extra = counts(found, matrix)
        answers = limited_answers(matrix, most_roles=n_roles, **plain(limits))
        assert found.value == missing + extra == min(missing + extra for _, missing, extra in answers)
        assert (single, len(found.roles) <= n_roles) == (0, True)
        assert found.certificate == "minimal"
        check_limits(found, limits)


def test_kept_roles_that_exclude_each_other():
    matrix = np.array([[1, 1, 1], [1, 1, 0], [0, 1, 1]], bool)
    keep = {"clerk": {0, 1}, "auditor": {1, 2}}
    asked = {"keep": keep, "forbidden": [("clerk", "auditor")]}
    found = mine(matrix, "fewest", n_roles=2, **asked)
    assert found.value == 1
    assert not any({"clerk", "auditor"} <= held for held in found.assignments.values())
    assert {name: set(role) for name, role in found.roles.items()} == keep
    assert len(mine(matrix, "fewest", n_roles=2, keep=keep).exceptions) == 0


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("asked", [{"delta": 0}, {"delta": 30}, {"n_roles": 4}], ids=str)
@pytest.mark.parametrize(
    "limits",
    [
        {"min_users": 4},
        {"min_permissions": 3},
        {"max_roles_per_user": 2},
        {"forbidden": [(0, 1), (1, 2), (3, 4)]},
        {"min_users": 3, "max_roles_per_user": 2, "min_permissions": 2, "forbidden": [(0, 3)], "keep": [{0, 3}, {1}]},
    ],
    ids=str,
)
def test_limits_hold_beyond_the_programme(limits, asked):
    rng = np.random.default_rng(0)
    matrix = (rng.random((40, 4)) < 0.4).astype(int) @ (rng.random((4, 12)) < 0.4) > 0
    matrix ^= rng.random(matrix.shape) < 0.04
    found = mine(matrix, "fewest", **asked, **limits)
    single, missing, extra = counts(found, matrix)
    check_limits(found, limits)
    assert found.verify()
    if "delta" in asked:
        assert missing + extra <= asked["delta"]
        assert single == 0 or missing + extra == asked["delta"]
    else:
        assert len(found.roles) <= 4
        assert single == 0
        assert found.value == missing + extra


def test_an_answer_with_single_grants_is_not_called_minimal_without_proof(monkeypatch):
    matrix = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], bool)
    monkeypatch.setattr("unmix.roles.deviations.limited_fewest.small_enough", lambda *_: False)
    found = mine(matrix, "fewest", min_users=2, min_permissions=2, delta=1)
    assert found.direct.nnz
    assert not found.proven
    assert f"beside {found.direct.nnz} single grants" in found.certificate


def test_largest_keeps_of_a_pair_what_gains_more():
    gain = np.array([3.0, 4.0, 2.0, -1.0])
    assert largest(gain, 1, [(0, 1), (1, 2)]).tolist() == [False, True, False, False]
    assert largest(gain, 2, [(0, 1), (1, 2)]).tolist() == [False, True, False, True]
    assert not largest(np.array([1.0, -np.inf]), 2).any()
    assert not largest(-gain[:3], 2).any()
