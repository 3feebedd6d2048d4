"""Roles against deviations, and users left out: against brute force and by hand."""

from itertools import pairwise

import numpy as np
import pytest

from tests.roles.brute_force import least_noise as least_by_looking
from unmix.roles import mine, read
from unmix.roles.explanation.front import role_front
from unmix.roles.held_out import GivenRoles, held_out
from unmix.roles.problem.budget import Budget


@pytest.mark.parametrize("seed", range(4))
def test_points_are_next_to_what_looking_at_everything_finds(seed):
    matrix = np.random.default_rng(seed).random((5, 4)) < 0.6
    found = mine(matrix)
    points = role_front(found, Budget(None))
    assert points[-1] == (len(found.names), 0)
    assert all(a.n_roles < b.n_roles and a.deviations > b.deviations for a, b in pairwise(points))
    for point in points:
        assert 0 <= point.deviations - least_by_looking(matrix, point.n_roles) <= 1


def test_an_answer_that_deviates_lies_on_or_above_the_front():
    matrix = np.random.default_rng(0).random((12, 9)) < 0.5
    found = mine(matrix, "fewest", n_roles=3)
    points = dict(role_front(found, Budget(None)))
    assert points[3] <= len(found.exceptions)
    assert min(points.values()) == 0


def test_no_time_gives_what_is_known():
    assert role_front(mine(np.eye(4)), Budget(1e-9)) == [(4, 0)]


def test_left_out_users_of_clean_departments_are_predicted():
    access = read([(f"u{i}", f"{i % 3}:{k}") for i in range(30) for k in range(6)])
    for options in ({"problem": "cover"}, {"problem": "fewest", "n_roles": 3}, {"problem": "infer", "n_roles": 3}):
        assert held_out(access, Budget(None), **options).error < 0.02
    few = held_out(access, Budget(None), problem="fewest", n_roles=1)
    assert few.under > 0.1
    assert few.error == few.over + few.under


def test_given_roles_guess_by_what_is_shown():
    guess = GivenRoles(np.array([[1, 1, 0, 0], [0, 0, 1, 1]])).complete(
        np.array([[1.0, 0, 0, 0]]), np.array([1, 0, 1, 0], bool)
    )
    assert guess.tolist() == [[1, 1, 0, 0]]


@pytest.mark.parametrize("pairs", [[("a", "x")], [("a", "x"), ("b", "x")]])
def test_too_few_users_are_not_left_out(pairs):
    assert held_out(read(pairs), Budget(None)) is None
    assert role_front(mine(pairs), Budget(None)) == [(1, 0)]
