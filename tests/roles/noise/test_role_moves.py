"""What moves between optima go by, against the plain definitions: likelihood without a role, the leading direction."""

import numpy as np
import pytest

from unmix.roles.classical.role_sets import role_sets
from unmix.roles.noise import role_moves
from unmix.roles.noise.mixture_noise import Counts, Parameters, maximize, respond, sparse_sets
from unmix.roles.noise.role_moves import cost_without, leading

rng = np.random.default_rng(0)


@pytest.mark.parametrize("scale", [1.0, 30.0, 300.0])  # users unsure of their sets, and surer than rounding can tell
def test_likelihood_without_a_role_is_that_of_the_other_sets(scale):
    sets, weights = role_sets(6, 3), rng.integers(1, 5, 40).astype(float)
    joint = scale * rng.normal(size=(40, len(sets)))
    plain = [weights @ respond(joint[:, sets[:, k] == 0], 1.0)[1] for k in range(6)]
    np.testing.assert_allclose(cost_without(joint, sets, weights), plain, rtol=1e-12)


@pytest.mark.parametrize("absent_users", [0, 20])
def test_leading_direction_of_many_columns_is_that_of_all(monkeypatch, absent_users):
    residual, weights = rng.normal(size=(50, 30)), rng.random(50)
    residual[:, :10] += 3 * rng.normal(size=(50, 1))
    weights[:absent_users] = 0
    value, vector = leading(residual, weights)
    monkeypatch.setattr(role_moves, "FEW_COLUMNS", 5)
    found, direction = leading(residual, weights)
    assert np.isclose(found, value)
    assert np.isclose(abs(direction @ vector), 1)
    assert leading(np.zeros((50, 30)), weights)[0] == 0


@pytest.mark.parametrize("n_roles", [4, 150])
def test_single_roles_without_noise_need_no_rounds(n_roles):
    sets = sparse_sets(np.eye(n_roles)[rng.permutation(n_roles)[: n_roles - 1]])
    sets = sets.toarray() if hasattr(sets, "toarray") else sets
    mass = rng.random(len(sets)) + 0.1
    counts = Counts(mass, mass[:, None] * rng.random((len(sets), 5)))
    start = Parameters(rng.uniform(0.1, 0.9, (n_roles, 5)), 0.0, 0.5, np.zeros(len(sets)))
    got = maximize(sets, counts, start, 10, learn_noise=False).absent
    nearly = maximize(sets, counts, start._replace(noise=1e-15), 10, learn_noise=False).absent  # the rounds of EM
    np.testing.assert_allclose(got, nearly, rtol=1e-9)
    nobody = np.flatnonzero(sets.sum(axis=0) == 0)
    assert len(nobody) and np.array_equal(got[nobody], start.absent[nobody])
