"""Published minima of real access data (Ene et al. 2008), and complexities at or below published ones."""

import pytest

from unmix.roles import mine, read

sets = ["healthcare", "domino", "emea", "firewall1", "americas_small"]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, roles", list(zip(sets, [14, 20, 34, 64, 178])))
def test_certified_minimum(shared_data, name, roles):
    found = mine(shared_data / "roles" / f"{name}.txt")
    assert len(found.roles) == found.lower_bound == roles
    assert found.certificate == "minimal"
    assert found.verify()
    assert not found.exceptions


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, most", list(zip(sets, [268, 563, 5151, 2019, 10389])))
def test_complexity(shared_data, name, most):
    found = mine(shared_data / "roles" / f"{name}.txt", objective="wsc")
    assert found.verify()
    assert found.value == found.complexity() <= most
    flat = mine(shared_data / "roles" / f"{name}.txt", objective="wsc", weights=(1, 1, 1, float("inf"), 1))
    assert flat.verify()
    assert flat.complexity(hierarchy=False) <= most  # even where roles cannot inherit


def test_names_are_kept(shared_data):
    access = read(shared_data / "roles" / "healthcare.txt")
    assert access.users[0] == "1"
    assert not access.problems
    assert access.matrix.shape == (46, 46)
