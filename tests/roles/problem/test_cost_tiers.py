"""Costs in any unit and over many decades: what is called minimal is so, by brute force in whole numbers."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tests.roles.brute_force import least_complexity_limited
from unmix.roles import mine
from unmix.roles.cover.program import set_cover, solve
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.cost_tiers import bound_below, multiples, ratios, tiers, total, unit_free

MATRIX = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1], [1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]], bool)
SCALES = [1e-12, 1e-9, 1e-7, 1e-6, 1e-3, 7.0, 1e6, 1e9, 1e12]

LIMITS = [{"max_roles_per_user": 2}, {"max_roles_per_user": 1}, {"min_permissions": 2}]


def answer(found):
    return found.roles, found.assignments, found.exceptions, found.certificate


@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (2, 1, 0.5, np.inf, 3), (0.1, 0.2, 1, 0.3, 2)], ids=str)
@pytest.mark.parametrize(
    "limits", [{"max_roles_per_user": 2}, {"max_roles_per_user": 1}, {"min_permissions": 2}], ids=str
)
def test_the_unit_of_the_weights_does_not_matter(weights, limits):
    named = {"max_roles_per_user": "most"}
    _, least = least_complexity_limited(
        MATRIX, weights, most_new=None, **{named.get(key, key): v for key, v in limits.items()}
    )
    first = mine(MATRIX, objective="wsc", weights=weights, **limits)
    for scale in SCALES:
        found = mine(MATRIX, objective="wsc", weights=[scale * w for w in weights], **limits)
        assert found.value == pytest.approx(scale * least, rel=1e-12)
        assert found.certificate == "minimal"
    for power in (-40, -1, 1, 40):
        found = mine(MATRIX, objective="wsc", weights=[2.0**power * w for w in weights], **limits)
        assert answer(found) == answer(first) and found.value == 2.0**power * first.value


@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (0, 3, 1, np.inf, 2), (0.1, 0.2, 1, 0.3, np.inf)], ids=str)
def test_the_unit_does_not_matter_without_limits(weights):
    matrix = np.random.default_rng(1).random((8, 6)) < 0.5
    first = mine(matrix, objective="wsc", weights=weights)
    for scale in (1e-9, 0.3, 2.0**-40, 1e12):
        found = mine(matrix, objective="wsc", weights=[scale * w for w in weights])
        assert answer(found)[:3] == answer(first)[:3]
        assert found.proven == first.proven
        assert found.gap == pytest.approx(first.gap, rel=1e-9)


def exact_least(matrix, weights, most):
    """The least complexity by brute force, in whole millionths."""
    whole = [round(w * 10**6) for w in weights]
    return Fraction(least_complexity_limited(matrix, whole, most=most, most_new=None)[1])


def in_millionths(found, weights):
    return Fraction(sum(round(w * 10**6) * n for w, n in zip(weights, found.counts())))


@pytest.mark.parametrize("decades", [d for d in product((1e-6, 1.0, 1e6), repeat=5) if len(set(d)) > 1][::11], ids=str)
def test_weights_of_many_decades_together(decades, monkeypatch):
    # Whole numbers up to 1e16 leave brute force exact only if its start is beyond them.
    monkeypatch.setattr("tests.roles.brute_force.NOTHING", 10**30)
    found = mine(MATRIX, objective="wsc", weights=decades, max_roles_per_user=1)
    least = exact_least(MATRIX, decades, 1)
    assert in_millionths(found, decades) >= least
    assert found.proven == (in_millionths(found, decades) == least)
    assert found.proven


def test_a_programme_of_many_decades_against_all_answers():
    """Covers of five columns; the cheapest of 2⁹ sets of rows in exact arithmetic."""
    rng, proven = np.random.default_rng(3), 0
    for turn in range(12):
        holds = rng.random((9, 5)) < 0.4
        holds[:5] |= np.eye(5, dtype=bool)
        cost = 10.0 ** rng.integers(-9, 10, 9) * rng.integers(1, 10, 9)
        found = solve(cost, holds.T.astype(float), np.ones(5), np.inf, Budget(None))
        sums = []
        for chosen in product((0, 1), repeat=9):
            if (np.array(chosen) @ holds).all():
                sums.append(total(cost.tolist(), chosen))
        value = total(cost.tolist(), found.x.astype(int).tolist())
        assert Fraction(found.bound) <= min(sums) * (1 + Fraction(1, 10**12)), turn
        assert not found.proven or value <= min(sums) * (1 + Fraction(1, 10**14)), turn
        proven += found.proven
    assert proven >= 8


def test_costs_that_outweigh_all_others_come_first():
    split = tiers(np.array([1e6, 1e6, 1e-6, 3e-6, 0.0]))
    assert [tier.cost.tolist() for tier in split] == [[1, 1, 0, 0, 0], [0, 0, 1, 3, 0]]
    assert [float(tier.unit) for tier in split] == [1e6, 1e-6]
    (together,) = tiers(np.array([1.0, 100.0, 7.0]))
    assert together.whole and together.cost.tolist() == [1, 100, 7]
    (open_,) = tiers(np.repeat([1.0, np.pi * 1e7, np.e * 1e7], 3))
    assert not open_.whole and not open_.sure


def test_multiples_are_exact():
    assert multiples([0.1, 0.2, 0.7]) == [1, 2, 7]
    third = multiples([3.0, 1.0 / 3.0])
    assert third == [9, 1]
    assert multiples([1.0, np.pi])[1] == Fraction(np.pi)
    assert ratios((0.0, np.inf)) == (0.0, np.inf)
    assert bound_below(Fraction(10**20 + 1), Fraction(10**20)) < float(10**20 + 1)
    assert bound_below(Fraction(3), Fraction(3)) == 3.0


def test_a_bound_just_below_the_value_is_no_proof():
    """One user with two permissions: one role (1e-7) with two entries; a tolerance of 1e-6 would call anything met."""
    found = mine(np.ones((1, 2)), objective="wsc", weights=[1e-7] * 5, min_users=2)
    assert found.value == pytest.approx(2e-7) and found.proven
    loose = mine(np.eye(30), objective="wsc", weights=(1e-8, 1e-8, 1e-8, 1e-8, np.inf))
    assert not loose.proven or loose.value <= loose.lower_bound


def test_fewest_rows_that_hold_all():
    holds = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0]], bool)
    found = set_cover(holds, Budget(None))
    assert found.x.tolist() == [1, 1, 0] and found.bound == 2 and found.proven


def test_weights_at_the_ends_of_the_numbers(monkeypatch):
    """Everybody can have their own set as a role, so not one grant of 1e300 is needed; no overflow, no cut ratio."""
    monkeypatch.setattr("tests.roles.brute_force.NOTHING", 10**30)
    weights = (1e-320, 1.0, 1e20, 1e40, 1e300)
    for limits in ({"max_roles_per_user": 2}, {"max_roles_per_user": 1}):
        found = mine(MATRIX, objective="wsc", weights=weights, **limits)
        assert not found.direct.nnz and found.verify()
        _, least = least_complexity_limited(
            MATRIX,
            (1, 10**4, 10**8, 10**12, 10**16),
            most=limits["max_roles_per_user"],
            most_new=None,
        )
        counts = found.counts()
        assert not found.proven or sum(10 ** (4 * k) * n for k, n in enumerate(counts)) == least
    assert not mine(MATRIX, objective="wsc", weights=weights).direct.nnz
    assert unit_free((1e-7, 2e-7, np.inf)) == (1.0, 2.0, np.inf)
    assert unit_free(weights) == weights


@pytest.mark.parametrize("place", range(5))
def test_an_infinite_weight_forbids_without_warning(place):
    weights = [1.0] * 5
    weights[place] = np.inf
    for limits in ({}, {"max_roles_per_user": 2}, {"min_users": 2}):
        found = mine(MATRIX, objective="wsc", weights=weights, **limits)
        assert found.verify()
        assert not found.counts()[place] or place == 4
        assert 0.0 <= found.gap <= 1.0
