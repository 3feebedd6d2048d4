"""The mixture noise model against enumeration, and EM that never goes uphill."""

from itertools import combinations, product

import numpy as np
import pytest

from unmix.datasets import planted_roles
from unmix.roles.classical.role_sets import count_role_sets, extensions, in_order, largest_that_fits, role_sets
from unmix.roles.noise.annealed_roles import Data, em_at_temperature, first_parameters, keep_distinct, step
from unmix.roles.noise.boolean_stage import fit_boolean_roles, flip, pseudo_counts, rates
from unmix.roles.noise.mixture_noise import (
    Counts,
    Parameters,
    chances,
    count,
    expected_cost,
    log_joint,
    maximize,
    respond,
)

rng = np.random.default_rng(0)


def some_parameters(sets, d):
    prior = rng.random(len(sets))
    return Parameters(rng.uniform(0.05, 0.95, (sets.shape[1], d)), 0.2, 0.7, np.log(prior / prior.sum()))


def test_role_sets_are_all_sets_smallest_first():
    sets = role_sets(10, 3)
    assert len(sets) == count_role_sets(10, 3) == 176
    assert {tuple(np.flatnonzero(s)) for s in sets} == {s for m in range(4) for s in combinations(range(10), m)}
    assert (np.diff(sets.sum(axis=1)) >= 0).all()
    assert role_sets(3, 1, empty=False).tolist() == np.eye(3).tolist()
    assert largest_that_fits(10, 3, 176) == 3 and largest_that_fits(10, 3, 175) == 2


def test_extensions_and_order():
    held = np.array([0.0, 1.0, 0.0, 1.0])
    assert extensions(held).tolist() == [[1, 1, 0, 1], [0, 1, 1, 1]]
    sets = role_sets(4, 3)
    mixed = sets[rng.permutation(len(sets))]
    assert np.array_equal(mixed[in_order(mixed)], sets)


def test_users_added_to_role_sets_follow_the_number_of_roles():
    sets = role_sets(3, 2)
    mass = np.array([0.0, 10.0, 0.0, 0.0, 30.0, 0.0, 0.0])  # one user in four holds one role, the others two
    added = pseudo_counts(sets, mass)
    assert np.isclose(added.sum(), 2 * len(sets))
    np.testing.assert_allclose(added[1:] / added.sum(), np.repeat([0.25 / 3, 0.75 / 3], 3), rtol=1e-3)


def test_likelihood_is_the_formula_bit_by_bit():
    sets, d = role_sets(3, 2), 5
    parameters = some_parameters(sets, d)
    X = rng.integers(0, 2, (4, d)).astype(float)
    got = log_joint(X, sets, parameters)
    beta, noise, r, log_prior = parameters
    for i, x in enumerate(X):
        for s, held in enumerate(sets):
            p = np.exp(log_prior[s])
            for j in range(d):
                none = np.prod([beta[k, j] for k in range(3) if held[k]])
                role = (1 - none) if x[j] else none
                p *= noise * (r if x[j] else 1 - r) + (1 - noise) * role
            assert np.isclose(np.exp(got[i, s]), p)


def test_probabilities_of_all_tables_sum_to_one():
    sets, d = role_sets(2, 2), 4
    every = np.array(np.meshgrid(*[[0.0, 1.0]] * d)).reshape(d, -1).T
    _, free = respond(log_joint(every, sets, some_parameters(sets, d)), 1.0)
    assert np.isclose(np.exp(-free).sum(), 1)


def expected_causes(sets, counts, parameters):
    """How often each role is expected not to grant (roles, d), and noise 0 and 1: all causes written out."""
    beta, noise, r, _ = parameters
    absent, noisy = np.zeros(beta.shape), np.zeros(2)
    for held, mass, ones in zip(sets, *counts, strict=True):
        roles = np.flatnonzero(held)
        for j, x in product(range(beta.shape[1]), (0, 1)):
            causes = []
            for is_noise, *grants in product((0, 1), repeat=1 + len(roles)):
                p = np.prod([1 - beta[k, j] if g else beta[k, j] for k, g in zip(roles, grants, strict=True)])
                p *= noise * (r if x else 1 - r) if is_noise else (1 - noise) * (any(grants) == x)
                causes.append((p, is_noise, 1 - np.array(grants)))
            each = (ones[j] if x else mass - ones[j]) / sum(p for p, _, _ in causes)
            for p, is_noise, missing in causes:
                absent[roles, j] += each * p * missing
                noisy[x] += each * p * is_noise
    return absent, noisy


@pytest.mark.parametrize("learn_noise", [True, False])
def test_a_round_of_the_m_step_is_the_share_of_every_cause(learn_noise):
    sets, d = role_sets(3, 2), 4
    start, mass = some_parameters(sets, d), rng.uniform(1, 5, len(sets))
    counts = Counts(mass, mass[:, None] * rng.random((len(sets), d)))
    given = counts.ones.copy()
    absent, noisy = expected_causes(sets, counts, start)
    got = maximize(sets, counts, start, 1, learn_noise=learn_noise)
    np.testing.assert_allclose(got.absent, absent / (sets.T @ mass)[:, None])
    if learn_noise:
        np.testing.assert_allclose([got.noise, got.granted], [noisy.sum() / (mass.sum() * d), noisy[1] / noisy.sum()])
    np.testing.assert_array_equal(counts.ones, given)


@pytest.mark.parametrize("learn_noise", [True, False])
def test_m_step_never_raises_the_expected_cost_and_ends_where_it_is_flat(learn_noise):
    sets, d = role_sets(3, 2), 6
    X = rng.integers(0, 2, (50, d)).astype(float)
    parameters = some_parameters(sets, d)
    counts = count(X, respond(log_joint(X, sets, parameters), 1.0)[0], np.ones(50))
    cost = expected_cost(sets, counts, parameters)
    for _ in range(30):
        parameters = maximize(sets, counts, parameters, 1, learn_noise=learn_noise)
        lower = expected_cost(sets, counts, parameters)
        assert lower <= cost + 1e-9 * abs(cost)
        cost = lower
    final = maximize(sets, counts, parameters, 3000, learn_noise=learn_noise)
    best = expected_cost(sets, counts, final)
    inside = np.argwhere((final.absent > 1e-3) & (final.absent < 1 - 1e-3))
    for k, j in inside[:6]:  # a stationary point: no single β does better
        for change in (-1e-3, 1e-3):
            other = final.absent.copy()
            other[k, j] += change
            assert expected_cost(sets, counts, final._replace(absent=other)) >= best - 1e-6


@pytest.mark.parametrize("temperature", [1.0, 5.0])
def test_em_lowers_the_free_energy_at_every_temperature(temperature):
    table = planted_roles(80, 20, 3, noise=0.2)
    sets, data = role_sets(3, 2), Data(table.X, rng.integers(1, 4, 80).astype(float))
    parameters = first_parameters(data, sets, 0.1, seed=0)
    costs = []
    for _ in range(25):
        parameters, cost, _ = step(data, sets, parameters, temperature, True)
        costs.append(cost)
    assert (np.diff(costs) <= 1e-9 * abs(costs[0])).all() and costs[-1] < costs[0]


def test_single_roles_without_noise_are_column_shares():
    X = rng.integers(0, 2, (30, 4)).astype(float)
    sets, data = role_sets(1, 1, empty=False), Data(X, np.ones(30))
    start = Parameters(np.full((1, 4), 0.5), 0.0, 0.5, np.zeros(1))
    fit = em_at_temperature(data, sets, start, most=5, tol=0.0, learn_noise=False)
    np.testing.assert_allclose(fit.parameters.absent[0], 1 - X.mean(axis=0))


def test_roles_that_came_together_are_kept_apart():
    absent = 0.5 + 1e-9 * rng.normal(size=(3, 7))
    apart = keep_distinct(absent)
    assert np.isclose(np.abs(apart - apart.mean(axis=0)).max(), 0.03, rtol=1e-3)
    wide = rng.random((3, 7))
    assert keep_distinct(wide) is wide


def test_chances_sum_to_one():
    sets = role_sets(3, 3)
    none, one, zero = chances(sets, some_parameters(sets, 4))
    np.testing.assert_allclose(one + zero, 1)
    np.testing.assert_allclose(none[0], 1)  # nobody without roles is granted anything


def hard_cost(sets, counts, roles, missing, extra):
    granted = sets @ roles > 0.5
    one = np.where(granted, 1 - missing, extra)
    return -(counts.ones * np.log(one) + (counts.mass[:, None] - counts.ones) * np.log(1 - one)).sum()


def test_flips_are_the_best_single_changes():
    sets, roles = role_sets(3, 2), rng.integers(0, 2, (3, 5)).astype(float)
    mass = rng.random(len(sets)) * 10
    counts = Counts(mass, mass[:, None] * rng.random((len(sets), 5)))
    better = flip(sets, counts, roles, 0.1, 0.2)
    for _ in range(10):
        better = flip(sets, counts, better, 0.1, 0.2)
    cost = hard_cost(sets, counts, better, 0.1, 0.2)
    assert cost <= hard_cost(sets, counts, roles, 0.1, 0.2)
    for k in range(3):
        for j in range(5):
            other = better.copy()
            other[k, j] = 1 - other[k, j]
            assert hard_cost(sets, counts, other, 0.1, 0.2) >= cost - 1e-9


def test_rates_are_counted():
    sets, roles = role_sets(1, 1), np.array([[1.0, 0.0]])
    counts = Counts(np.array([10.0, 20.0]), np.array([[1.0, 2.0], [15.0, 3.0]]))
    missing, extra = rates(sets, counts, roles)
    assert np.isclose(missing, 5 / 20) and np.isclose(extra, (1 + 2 + 3) / 40)


def test_boolean_stage_lowers_its_cost():
    table = planted_roles(150, 25, 3, noise=0.3, random_state=3)
    sets, data = role_sets(3, 3), Data(table.X, np.ones(150))
    start = first_parameters(data, sets, 0.1, seed=1)
    soft = em_at_temperature(data, sets, start, most=5, tol=0.0, learn_noise=True)
    costs = [fit_boolean_roles(data, soft, most, 0.0)[1].cost for most in (1, 2, 4, 8)]
    assert (np.diff(costs) <= 1e-9).all()
