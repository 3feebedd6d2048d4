"""Limits on inferred roles are kept, and those that no role can keep are refused in a sentence."""

import numpy as np
import pytest

from unmix.roles import Access, mine
from unmix.roles.description.limits import Limits

LIMITS = [
    {"n_roles": 3},
    {"max_permissions": 4},
    {"max_roles_per_user": 1},
    {"min_users": 30},
    {"min_permissions": 9},
    {"forbidden": [("p0", "p1"), ("p12", "p14")]},
    {"n_roles": 6, "max_permissions": 5, "max_roles_per_user": 2, "forbidden": [("p2", "p3")]},
]


@pytest.fixture(scope="module")
def access():
    rng = np.random.default_rng(0)
    roles = np.kron(np.eye(6, dtype=int), np.ones((1, 10), int))
    held = np.array([np.isin(np.arange(6), rng.choice(6, rng.integers(1, 4), replace=False)) for _ in range(150)])
    X = (held.astype(int) @ roles > 0) ^ (rng.random((150, 60)) < 0.01)
    return Access([f"u{i}" for i in range(150)], [f"p{j}" for j in range(60)], X)


@pytest.mark.parametrize("asked", LIMITS, ids=lambda asked: "-".join(asked))
def test_limits_are_kept(access, asked):
    found = mine(access, "infer", **asked)
    assert found.verify()
    assert found.names
    sizes = [len(held) for held in found.roles.values()]
    users = np.bincount(found.user_roles.indices, minlength=len(found.names))
    assert len(sizes) <= asked.get("n_roles", 99)
    assert max(sizes) <= asked.get("max_permissions", 99)
    assert min(sizes) >= asked.get("min_permissions", 1)
    assert min(users) >= asked.get("min_users", 1)
    assert max(map(len, found.assignments.values())) <= asked.get("max_roles_per_user", 99)
    assert not any({a, b} <= held for a, b in asked.get("forbidden", ()) for held in found.roles.values())


def test_roles_cut_by_a_limit_still_give_most_of_what_users_have(access):
    """Ten permissions in roles of at most five: twice as many roles, nearly the same access."""
    found = mine(access, "infer", max_permissions=5)
    assert found.value < 0.05 * access.matrix.nnz


def test_pieces_keep_all_permissions_and_every_limit():
    limits = Limits(max_permissions=3, forbidden=((0, 1), (2, 5)))
    pieces = limits.pieces(np.arange(8))
    assert sorted(np.concatenate(pieces).tolist()) == list(range(8))
    assert all(len(piece) <= 3 and not {0, 1} <= set(piece) and not {2, 5} <= set(piece) for piece in pieces)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"min_permissions": 5, "max_permissions": 4}, "no role can be both"),
        ({"min_users": 151}, "there are 150 users"),
        ({"min_permissions": 61}, "there are 60 permissions"),
        ({"n_roles": 0}, "n_roles is 0"),
        ({"max_permissions": 0}, "max_permissions is 0"),
        ({"forbidden": [("p0", "nothing")]}, "neither two permissions"),
        ({"n_init": 3, "max_permissions": 4}, "takes no limits"),
    ],
)
def test_limits_that_cannot_be_kept_are_refused(access, asked, words):
    with pytest.raises(ValueError, match=words):
        mine(access, "infer", **asked)


def test_the_limit_of_inference_is_refused_elsewhere(access):
    with pytest.raises(ValueError, match="max_permissions is a limit of problem"):
        mine(access, max_permissions=3)
