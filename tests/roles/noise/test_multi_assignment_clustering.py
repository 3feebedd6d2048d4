"""Roles planted under noise are found, with the noise; real and degenerate tables."""

import numpy as np
import pytest

from unmix.datasets import planted_roles
from unmix.roles import (
    DiscreteBasis,
    HammingKMeans,
    MultiAssignmentClustering,
    RoundedSVD,
    SingleAssignmentClustering,
    deviation,
    role_distance,
    select_n_roles,
)
from unmix.roles.noise.annealed_roles import Fit
from unmix.roles.noise.many_roles import candidate_sets


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.3])
def test_planted_roles_and_noise_are_found(noise):
    table = planted_roles(300, 50, 5, noise=noise, noise_granted=0.7, random_state=1)
    model = MultiAssignmentClustering(5, random_state=0).fit(table.X)
    assert role_distance(table.roles, model.roles_) == 0
    assert deviation(table.clean, model.inverse_transform(model.assignments_)) < 0.01
    assert abs(model.noise_ - noise) < 0.02
    if noise:
        assert abs(model.noise_granted_ - 0.7) < 0.05
    assert np.array_equal(model.transform(table.X), model.assignments_)
    assert model.assignments_.sum(axis=1).max() <= 3


@pytest.mark.slow_without_jit
def test_it_beats_the_other_methods_where_noise_is_one_sided():
    table = planted_roles(200, 60, 5, noise=0.4, noise_granted=0.2, random_state=2)
    error = {
        type(m).__name__: deviation(table.clean, m.fit(table.X).inverse_transform(m.assignments_))
        for m in (
            MultiAssignmentClustering(5, random_state=0),
            SingleAssignmentClustering(5, random_state=0),
            DiscreteBasis(5),
            HammingKMeans(5, random_state=0),
            RoundedSVD(5),
        )
    }
    ours = error.pop("MultiAssignmentClustering")
    assert ours < 0.5 * min(error.values()), error


def without_basis(monkeypatch):
    """Annealing alone: the start from a Boolean factorization never wins."""
    never = lambda self, data, sets, options: Fit(None, sets, None, np.inf, 0)  # noqa: E731
    monkeypatch.setattr(MultiAssignmentClustering, "_from_basis", never)


def test_a_basis_is_a_better_start_where_annealing_took_a_wrong_branch(monkeypatch):
    table = planted_roles(400, 60, 8, noise=0.3, random_state=3002)
    model = MultiAssignmentClustering(8, n_init=1, random_state=3002)
    found = model.fit(table.X[:200]).log_likelihood_
    assert role_distance(table.roles, model.roles_) == 0
    without_basis(monkeypatch)
    assert found > model.fit(table.X[:200]).log_likelihood_ + 1


def test_moves_lead_out_of_a_poor_optimum(monkeypatch):
    without_basis(monkeypatch)
    table = planted_roles(300, 60, 8, noise=0.2, random_state=0)
    alone = MultiAssignmentClustering(8, moves=0, n_init=1, random_state=0).fit(table.X)
    moved = MultiAssignmentClustering(8, n_init=1, random_state=0).fit(table.X)
    assert moved.log_likelihood_ >= alone.log_likelihood_
    assert role_distance(table.roles, moved.roles_) == 0 < role_distance(table.roles, alone.roles_)


def test_large_role_sets_are_found_by_extension():
    table = planted_roles(150, 50, 6, max_roles_per_user=4, density=0.2, noise=0.05, random_state=5)
    full = MultiAssignmentClustering(6, max_roles_per_user=4, random_state=0).fit(table.X)
    pruned = MultiAssignmentClustering(6, max_roles_per_user=4, max_sets=40, random_state=0).fit(table.X)
    assert len(full.role_sets_) == 57 and len(pruned.role_sets_) <= 40
    assert pruned.role_sets_.sum(axis=1).max() == 4
    for model in (full, pruned):
        assert role_distance(table.roles, model.roles_) == 0
        assert deviation(table.clean, model.inverse_transform(model.assignments_)) < 0.01


def test_probabilities():
    table = planted_roles(100, 20, 3, noise=0.2)
    model = MultiAssignmentClustering(3, random_state=0).fit(table.X)
    q = model.set_probability(table.X)
    np.testing.assert_allclose(q.sum(axis=1), 1)
    assert np.array_equal(model.role_sets_[q.argmax(axis=1)], model.assignments_)
    granted = model.grant_probability(table.X)
    assert granted.shape == table.X.shape and granted.min() >= 0 and granted.max() <= 1
    assert np.isclose(model.score_samples(table.X).sum(), model.log_likelihood_)


def test_single_assignment_is_a_bernoulli_mixture():
    X = np.repeat([[1, 1, 0, 0], [0, 0, 1, 1]], [30, 10], axis=0)
    X[0, 2] = 1
    model = SingleAssignmentClustering(2, random_state=0).fit(X)
    assert model.roles_.tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]
    np.testing.assert_allclose(model.absence_[0], [0, 0, 29 / 30, 1], atol=1e-4)
    np.testing.assert_allclose(model.set_weights_, [30.5 / 41, 10.5 / 41], atol=1e-4)
    assert (model.assignments_.sum(axis=1) == 1).all()


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("kind", [MultiAssignmentClustering, SingleAssignmentClustering])
def test_tables_of_one_value(kind, value):
    X = np.full((6, 4), value)
    model = kind(2, random_state=0).fit(X)
    assert np.array_equal(model.inverse_transform(model.assignments_), X)


def read_eth(folder):
    load = lambda name: np.loadtxt(folder / "roles" / "eth_cil2011" / name, delimiter=",").T  # noqa: E731
    X, U, Z = load("X.csv"), load("U_true.csv"), load("Z_true.csv")
    return X, U, (Z @ U > 0).astype(float)


def test_eth_set(shared_data):
    X, roles, clean = read_eth(shared_data)
    model = MultiAssignmentClustering(4, max_roles_per_user=4, random_state=0).fit(X)
    assert deviation(clean, model.inverse_transform(model.assignments_)) < 0.015
    assert role_distance(roles, model.roles_) == 0
    assert abs(model.noise_ - 0.394) < 0.01 and abs(model.noise_granted_ - 0.703) < 0.01  # counted from the truth


def test_number_of_roles_of_the_eth_set(shared_data):
    X, _, _ = read_eth(shared_data)
    chosen = select_n_roles(MultiAssignmentClustering(n_init=1, random_state=0), X, [3, 4, 5], n_folds=2)
    assert chosen.n_roles == 4 and len(chosen.estimator.roles_) == 4


@pytest.mark.slow_without_jit
def test_many_roles_are_fitted_by_the_sets_users_choose():
    """Users of two of 100 roles: all sets of up to three would be 166,751."""
    rng = np.random.default_rng(0)
    roles = np.kron(np.eye(100), np.ones((1, 2)))
    held = np.zeros((300, 100))
    held[np.arange(300), np.arange(300) % 100] = 1
    held[np.arange(300), rng.integers(100, size=300)] = 1
    clean = held @ roles
    X = np.where(rng.random(clean.shape) < 0.002, 1 - clean, clean)
    model = MultiAssignmentClustering(100, random_state=0).fit(X)
    assert role_distance(roles, model.roles_) < 0.001
    assert deviation(clean, model.inverse_transform(model.assignments_)) < 0.001
    assert len(model.role_sets_) <= 5000 and model.role_sets_.sum(axis=1).max() <= 3
    assert np.isclose(model.score_samples(X).sum(), model.log_likelihood_)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("noise", "most"), [(0.02, 0.001), (0.1, 0.002)])
def test_many_planted_roles_are_found_though_each_permission_is_part_of_many(noise, most):
    """Sixty roles of ten of a hundred permissions: six roles grant each, so permissions say little of each other."""
    table = planted_roles(400, 100, 60, density=0.1, noise=noise, random_state=3)
    model = MultiAssignmentClustering(60, random_state=0).fit(table.X)
    assert deviation(table.clean, model.inverse_transform(model.assignments_)) <= most
    assert np.array_equal(model.transform(table.X), model.assignments_)
    assert abs(model.noise_ - noise) < 0.01


@pytest.mark.slow_without_jit
def test_roles_of_few_users_do_not_melt_in_the_last_steps():
    table = planted_roles(200, 200, 100, density=0.05, noise=0.02, random_state=0)
    model = MultiAssignmentClustering(100).fit(table.X)
    planted = deviation(table.X, table.clean)
    assert deviation(table.X, model.inverse_transform(model.assignments_)) < 1.2 * planted
    assert model.noise_ < 0.04


@pytest.mark.slow_without_jit
def test_more_roles_than_users_grant_all_they_have():
    X = (np.random.default_rng(0).random((15, 30)) < 0.3).astype(float)
    model = MultiAssignmentClustering(25, random_state=0).fit(X)
    assert model.roles_.shape == (25, 30)
    assert np.array_equal(model.inverse_transform(model.assignments_), X)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("grants", [0, 1])
def test_many_roles_of_a_table_with_hardly_a_grant(grants):
    X = np.zeros((40, 8))
    X.flat[:grants] = 1
    model = MultiAssignmentClustering(25, random_state=0).fit(X)
    assert model.roles_.sum() == grants and np.array_equal(model.inverse_transform(model.transform(X)), X)


def test_sets_that_users_choose_are_counted():
    held = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1.0]])
    sets, mass = candidate_sets(held, np.array([1.0, 2.0, 1.0, 5.0]), 6)
    found = {tuple(row): weight for row, weight in zip(sets.astype(int).tolist(), mass.tolist())}
    assert found == {(0, 0, 0): 0, (1, 0, 0): 0, (0, 1, 0): 0, (0, 0, 1): 5, (1, 1, 0): 3, (0, 1, 1): 1}
    assert len(candidate_sets(held, np.ones(4), 5)[0]) == 5
