"""Many roles: what a role is missed for, weights as repetitions, limits, and covers that never get worse."""

import numpy as np
import pytest

from unmix.datasets import planted_roles
from unmix.roles import MultiAssignmentClustering
from unmix.roles.classical.best_assignment import EVEN
from unmix.roles.noise import many_roles
from unmix.roles.noise.common_permissions import common_permissions
from unmix.roles.noise.many_roles import Cover, exchange, refit_limited, removal_losses

ROWS = planted_roles(60, 40, 12, density=0.12, noise=0.04, random_state=3).X.astype(float)
WEIGHTS = np.random.default_rng(0).integers(1, 4, 60).astype(float)
AGAIN = np.repeat(np.arange(60), WEIGHTS.astype(int))


def gain_of(rows, weights, held, roles):
    """Ones covered less zeros covered, written out."""
    covered = held @ roles > 0.5
    return float((weights[:, None] * np.where(covered, 2 * rows - 1, 0)).sum())


def first_roles(k=6):
    return (np.random.default_rng(5).random((k, 40)) < 0.15).astype(float)


def test_a_role_is_missed_for_what_nobody_else_gives():
    roles, held = first_roles(), (np.random.default_rng(6).random((60, 6)) < 0.3).astype(float)
    whole = gain_of(ROWS, WEIGHTS, held, roles)
    lost = [whole - gain_of(ROWS, WEIGHTS, np.delete(held, k, 1), np.delete(roles, k, 0)) for k in range(6)]
    np.testing.assert_allclose(removal_losses(ROWS, WEIGHTS, Cover(roles, held, whole)), lost)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("largest", [1, 2, 6])
def test_a_refit_gains_by_its_own_count_and_keeps_the_limit(largest):
    start = first_roles()
    found = refit_limited(ROWS, WEIGHTS, start, largest)
    assert found.held.sum(axis=1).max() <= largest
    assert found.gain == pytest.approx(gain_of(ROWS, WEIGHTS, found.held, found.roles))
    at_best = EVEN.of(ROWS) @ start.T  # of one role a user, the best of those given
    assert found.gain > WEIGHTS @ np.maximum(at_best.max(axis=1), 0), "roles follow their users"


@pytest.mark.slow_without_jit
def test_a_weight_is_a_repetition():
    ones, start = np.ones(len(AGAIN)), first_roles()
    found, repeated = refit_limited(ROWS, WEIGHTS, start, 3), refit_limited(ROWS[AGAIN], ones, start, 3)
    assert found.gain == pytest.approx(repeated.gain) and np.array_equal(found.roles, repeated.roles)
    candidates = common_permissions(ROWS, WEIGHTS, 6)
    better = exchange(ROWS, WEIGHTS, found, candidates, 6, 3)
    again = exchange(ROWS[AGAIN], ones, repeated, candidates, 6, 3)
    assert better.gain == pytest.approx(again.gain) and np.array_equal(better.roles, again.roles)


@pytest.mark.slow_without_jit
def test_a_useless_role_makes_room_at_once(monkeypatch):
    table = planted_roles(200, 60, 8, density=0.1, noise=0.0, random_state=1)
    rows, weights, roles = table.X.astype(float), np.ones(200), table.roles.astype(float).copy()
    whole = refit_limited(rows, weights, roles, 8)
    assert whole.gain == rows.sum()  # all ones covered and no zero
    hold = roles[3].copy()
    roles[3] = 0
    roles[3, np.flatnonzero(hold)[:1]] = 1  # of one role, one permission is left
    poor = Cover(roles, np.asarray(whole.held), gain_of(rows, weights, whole.held, roles))
    assert poor.gain < whole.gain
    tried = []
    refit = lambda *given: tried.append(given[2]) or refit_limited(*given)  # noqa: E731
    monkeypatch.setattr(many_roles, "refit_limited", refit)
    assert exchange(rows, weights, poor, table.roles.astype(bool), 8, 8).gain == whole.gain
    assert not (tried[0] == roles[3]).all(axis=1).any(), "the role missed least leaves first"


@pytest.mark.slow_without_jit
def test_moves_buy_a_smaller_error_also_with_many_roles():
    table = planted_roles(200, 40, 20, density=0.25, noise=0.02, random_state=1)
    none, some = (MultiAssignmentClustering(20, moves=moves).fit(table.X) for moves in (0, 20))
    errors = [(fit.inverse_transform(fit.assignments_) != table.X).sum() for fit in (none, some)]
    assert errors[1] < errors[0] and some.log_likelihood_ > none.log_likelihood_
