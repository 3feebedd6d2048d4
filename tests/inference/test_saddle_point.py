"""Laplace's method for least-angle clustering against enumeration, quadrature, differences and long chains."""

from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp

from unmix.checks import check_step
from unmix.cluster import LeastAngleClustering
from unmix.costs.correlation import Correlation
from unmix.costs.least_angle import LeastAngle
from unmix.inference.log_partition import integrate_log_partition, laplace, second_derivatives
from unmix.inference.mean_field import softmax
from unmix.inference.named_steps import make_step
from unmix.inference.presets import solve
from unmix.inference.saddle_point import SaddlePoint, curvature, log_partition, potential
from unmix.inference.sampler import Gibbs

rng = np.random.default_rng(0)


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def critical(X, k):
    return np.linalg.eigvalsh(X.T @ X)[-1] / k


def enumerated(X, k, T):
    """log Z by the sum over all labellings."""
    labels = np.array(list(product(range(k), repeat=len(X))))
    return logsumexp(sum((((labels == c) @ X) ** 2).sum(axis=1) for c in range(k)) / (2 * T))


def by_laplace(X, k, T):
    return -SaddlePoint().free_energy(LeastAngle(), X, saddle(X, k, T), T) / T


def saddle(X, k, T):
    return solve(LeastAngle(), X, k, inference="laplace", temperature=T, seed=0).shares


def test_the_integral_is_the_sum_over_labellings():
    """Before any approximation: a quadrature of exp(-f/T) over both prototypes of rows on a line."""
    X, T = np.array([[0.7], [-0.4], [1.1], [0.2]]), 0.5
    grid = np.linspace(-6, 6, 49)
    f = np.array([[potential(X, np.array([[a], [b]]), T) for b in grid] for a in grid])
    integral = np.log(np.exp(-f / T).sum() * (grid[1] - grid[0]) ** 2) - np.log(2 * np.pi * T)
    assert integral == pytest.approx(enumerated(X, 2, T), abs=1e-7)


def test_second_derivatives_are_those_of_differences():
    X, m, T = rng.normal(size=(9, 2)), rng.normal(size=(3, 2)), 0.8
    q = softmax(-(X @ m.T), 1 / T)
    by_differences = second_derivatives(lambda y: potential(X, y.reshape(3, 2), T), m.ravel(), np.full(6, 1e-3))
    np.testing.assert_allclose(curvature(X, q, T), by_differences, atol=1e-5)


def test_a_single_minimum_is_that_of_any_integral():
    """Above the first split no name matters, and the general method finds the same."""
    X = unit(rng.normal(size=(12, 2)))
    T = 3 * critical(X, 2)
    of_any = laplace(lambda y: potential(X, y.reshape(2, 2), T), np.zeros(4), T) - 2 * np.log(2 * np.pi * T)
    assert by_laplace(X, 2, T) == pytest.approx(of_any, abs=1e-5)


@pytest.mark.parametrize("k, n, d", [(2, 12, 3), (3, 8, 2)])
def test_the_error_vanishes_with_the_temperature(k, n, d):
    X = unit(np.random.default_rng(5).normal(size=(n, d)))
    X = X - X.mean(axis=0)
    shares = np.array([0.3, 0.1, 0.05, 0.025])
    errors = [abs(by_laplace(X, k, T) - enumerated(X, k, T)) for T in shares * critical(X, k)]
    assert (np.diff(errors) < 0).all() and errors[-1] < 1e-3, errors
    hot = [abs(by_laplace(X, k, T) - enumerated(X, k, T)) for T in np.array([2.0, 8.0, 32.0]) * critical(X, k)]
    assert hot[0] < 0.2 and (np.diff(hot) < 0).all()  # and with its inverse, where labels are free


@pytest.mark.parametrize("share", [3.0, 0.35])
def test_the_error_falls_as_one_over_the_number_of_objects(share):
    angle = np.array([0.1, 2.0, 4.3, 0.5])
    few = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    errors = []
    for copies in (2, 3, 4):
        X = np.repeat(few, copies, axis=0)
        T = share * critical(X, 2)
        errors.append(len(X) * abs(by_laplace(X, 2, T) - enumerated(X, 2, T)))
    assert max(errors) < 1.1 * min(errors), errors


def test_prototypes_are_one_above_the_critical_temperature_and_part_below():
    X = unit(rng.normal(size=(300, 3)))
    above, below = (saddle(X, 3, share * critical(X, 3)) for share in (1.05, 0.8))
    np.testing.assert_allclose(above, 1 / 3, atol=0.01)
    assert np.ptp(below, axis=1).max() > 0.2
    m = below.T @ X
    np.testing.assert_allclose(below, softmax(-(X @ m.T), 1 / (0.8 * critical(X, 3))), atol=1e-4)  # the saddle point


@pytest.mark.slow_without_jit
def test_many_objects_agree_with_long_chains():
    """log Z by thermodynamic integration, and marginals of pairs, of 150 rows about three directions."""
    X = unit(rng.normal(size=(3, 3))[np.arange(150) % 3] + 0.4 * rng.normal(size=(150, 3)))
    X = X - X.mean(axis=0)
    T = 0.4 * critical(X, 3)
    model = LeastAngleClustering(3, normalize=False, temperature=T, random_state=0)
    found = model.set_params(inference="laplace").fit(X)
    log_z, p = -found.free_energy_ / T, found.co_membership()
    by_chains = integrate_log_partition(LeastAngle(), X, 3, T, sweeps=400, seed=0).value
    assert log_z == pytest.approx(by_chains, abs=0.5)
    bound = -model.set_params(inference="mean_field").fit(X).free_energy_ / T
    assert abs(log_z - by_chains) < 0.3 * abs(bound - by_chains)
    chains = model.set_params(inference=Gibbs(draws=1000)).fit(X)
    assert np.abs(chains.co_membership() - p).mean() < 0.02


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_estimator_finds_directions_and_keeps_precision(dtype):
    y = np.arange(60) % 3
    X = (np.eye(3)[y] - 1 / 3 + 0.2 * rng.normal(size=(60, 3))).astype(dtype)
    hard = LeastAngleClustering(3, inference="laplace", random_state=0).fit(X)
    assert all(len(set(hard.labels_[y == c])) == 1 for c in range(3)) and not hasattr(hard, "free_energy_")
    assert hard.cost_ == pytest.approx(LeastAngleClustering(3, random_state=0).fit(X).cost_)
    soft = LeastAngleClustering(3, inference="laplace", temperature=2.0, random_state=0).fit(X)
    assert soft.probabilities_.dtype == soft.directions_.dtype == dtype and np.isfinite(soft.free_energy_)
    np.testing.assert_allclose(soft.probabilities_.sum(axis=1), 1, rtol=1e-5)
    assert np.array_equal(soft.predict(X), soft.labels_)


def test_units_change_nothing_but_units():
    X, T = rng.normal(size=(30, 2)), 4.0
    one, other = (
        LeastAngleClustering(2, normalize=False, inference="laplace", temperature=T * s * s, random_state=0).fit(s * X)
        for s in (1.0, 1024.0)
    )
    np.testing.assert_allclose(one.probabilities_, other.probabilities_, atol=1e-6)
    assert other.free_energy_ == pytest.approx(one.free_energy_ * 1024.0**2)


def test_it_is_a_step_for_costs_that_square_sums_only():
    check_step(SaddlePoint(), LeastAngle(), rng.normal(size=(6, 2)))
    with pytest.raises(
        ValueError, match=r"'laplace' cannot follow this cost: SaddlePoint needs vectors .* give one of"
    ):
        make_step("laplace", Correlation())
    assert np.isnan(log_partition(np.ones((3, 2000)), np.zeros((2, 2000)), 1.0))  # too many coordinates for H
