import numpy as np
import pytest

from tests.roles.brute_force import least_noise
from unmix.datasets import planted_roles
from unmix.roles import DiscreteBasis, mine


def wrong(found, matrix):
    given = found.user_roles.toarray().astype(int) @ found.role_permissions.toarray() > 0
    return int((given != matrix).sum())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_roles", [1, 2])
def test_least_noise_with_so_many_roles(seed, n_roles):
    matrix = np.random.default_rng(seed).random((5, 4)) < 0.5
    found = mine(matrix, "fewest", n_roles=n_roles)
    assert found.value == wrong(found, matrix) == least_noise(matrix, n_roles)
    assert len(found.roles) <= n_roles
    assert found.certificate == "minimal"
    assert found.verify()
    assert len(found.exceptions) == found.value


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("delta", [0, 1, 3])
def test_fewest_roles_within_delta(seed, delta):
    matrix = np.random.default_rng(seed).random((5, 4)) < 0.5
    found = mine(matrix, "fewest", delta=delta)
    least = next(k for k in range(5) if least_noise(matrix, k) <= delta)
    assert wrong(found, matrix) <= delta
    assert len(found.roles) == least
    assert found.certificate == "minimal"


def test_a_share_is_of_the_grants():
    matrix = np.kron(np.eye(3, dtype=int), np.ones((4, 5), int)).astype(bool)
    matrix[0, 14] = True  # one of 61 grants disturbs three clean roles
    assert len(mine(matrix).roles) == 4
    found = mine(matrix, "fewest", delta=0.02)
    assert len(found.roles) == 3
    assert [tuple(grant) for grant in found.exceptions] == [(0, 14, "missing")]


@pytest.mark.slow_without_jit
def test_planted_roles_come_back_under_noise():
    rng = np.random.default_rng(0)
    roles, users = rng.random((5, 40)) < 0.25, rng.random((120, 5)) < 0.35
    clean = users.astype(int) @ roles > 0
    noisy = clean ^ (rng.random(clean.shape) < 0.03)
    found = mine(noisy, "fewest", n_roles=5)
    assert {tuple(row) for row in found.role_permissions.toarray()} == {tuple(row) for row in roles}
    assert found.value == (noisy != clean).sum()


def test_what_belongs_to_the_cover_is_refused():
    with pytest.raises(ValueError, match=r"counts roles; use problem=.cover. for objective=.wsc."):
        mine(np.eye(2), "fewest", objective="wsc")
    with pytest.raises(ValueError, match='delta belongs to problem="fewest"'):
        mine(np.eye(2), delta=1)
    with pytest.raises(ValueError, match='n_roles belongs to problem="fewest" and "infer"'):
        mine(np.eye(2), n_roles=1)
    with pytest.raises(ValueError, match="at least 2, the number of kept roles"):
        mine(np.eye(3), "fewest", n_roles=1, keep=[{0}, {1}])


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("k", "noise", "seed"), [(3, 0.2, 0), (5, 0.4, 1), (4, 0.3, 3), (3, 0.1, 5), (4, 0.4, 6)])
def test_the_least_noise_is_no_more_than_that_of_the_discrete_basis(k, noise, seed):
    X = planted_roles(60, 20, k, noise=noise, random_state=seed).X
    found = mine(X.astype(int), "fewest", n_roles=k)
    assert found.verify() and found.value == len(found.exceptions) <= DiscreteBasis(k).fit(X).error_
