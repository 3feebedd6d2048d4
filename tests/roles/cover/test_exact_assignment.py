"""Roles by falling size, without a table of users and roles: as by the definition, one role after the other."""

import numpy as np

from unmix.roles import mine
from unmix.roles.access.bits import Bits
from unmix.roles.cover.exact_assignment import assign_exactly, largest_first
from unmix.roles.problem.budget import Budget


def by_definition(held, roles):
    found, left = np.zeros((len(held), len(roles)), bool), held.copy()
    for k in np.argsort(-roles.sum(axis=1), kind="stable"):
        takes = ~(roles[k] & ~held).any(axis=1) & (left & roles[k]).any(axis=1)
        found[takes, k] = True
        left[takes] &= ~roles[k]
    return found


def test_the_largest_fitting_roles_first():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, d, k = rng.integers(1, 30), rng.integers(1, 150), rng.integers(1, 25)
        held, roles = rng.random((n, d)) < rng.random(), rng.random((k, d)) < 0.3 * rng.random()
        assert (largest_first(Bits.of(held), Bits.of(roles)).toarray() == by_definition(held, roles)).all()


def test_users_get_the_same_whether_or_not_the_time_is_limited():
    held = np.random.default_rng(0).random((80, 20)) < 0.4
    roles = Bits.of(mine(held).role_permissions)
    free, limited, none = (assign_exactly(Bits.of(held), roles, Budget(time)) for time in (None, 1e6, 0.0))
    assert (free.toarray() == limited.toarray()).all()
    assert (none.toarray() == by_definition(held, roles.dense())).all()
