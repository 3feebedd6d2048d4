"""EM on a small table in one compiled call, against the same steps written out with SciPy's densities."""

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from unmix.validation.fits.small_mixture import (
    DIAG,
    FULL,
    SPHERICAL,
    TIED,
    TIED_DIAG,
    climb_from,
    nearest_centers,
    small_mixture,
)

FLOOR = 1e-4


def covariances_of(X, q, means, shape):
    mass, d = q.sum(axis=1), X.shape[1]
    away = X[None] - means[:, None]
    each = np.einsum("cn,cni,cnj->cij", q, away, away) / mass[:, None, None]
    if shape in (TIED, TIED_DIAG):
        each = np.broadcast_to(np.tensordot(mass / len(X), each, 1), each.shape)
    if shape == SPHERICAL:
        each = np.trace(each, axis1=1, axis2=2)[:, None, None] / d * np.eye(d)
    return each if shape in (TIED, FULL) else each * np.eye(d)


def em_written_out(X, centers, shape, steps):
    nearest = ((X[None] - centers[:, None]) ** 2).sum(axis=2).argmin(axis=0)
    q = np.where(nearest == np.arange(len(centers))[:, None], 1.0, 1e-9)
    for _ in range(steps):
        mass = q.sum(axis=1)
        means = q @ X / mass[:, None]
        covariances = covariances_of(X, q, means, shape)
        log_joint = np.array([
            np.log(m / len(X)) + multivariate_normal(u, s).logpdf(X) for m, u, s in zip(mass, means, covariances)
        ])  # fmt: skip
        log_density = logsumexp(log_joint, axis=0)
        q = np.exp(log_joint - log_density)
    return log_density.sum(), q


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("shape", [SPHERICAL, DIAG, TIED, FULL, TIED_DIAG])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_steps_are_those_written_out(shape, d):
    rng = np.random.default_rng(d)
    y = np.arange(60) % 3
    X = 2 * y[:, None] + rng.normal(size=(60, d)) @ rng.normal(size=(d, d))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    centers = np.array([X[y == c].mean(axis=0) for c in range(3)])
    for steps in (1, 4):
        total, q = small_mixture(np.ascontiguousarray(X.T), centers, shape, steps, -np.inf, FLOOR)
        expected, shares = em_written_out(X, centers, shape, steps)
        # a row starts with 1e-9 of the other clusters too, which the gram matrix of a common covariance does not count
        tolerance = 1e-7 if shape in (TIED, TIED_DIAG) else 1e-11
        assert total == pytest.approx(expected, rel=tolerance)
        assert q == pytest.approx(shares, abs=tolerance)


@pytest.mark.slow_without_jit
def test_the_likelihood_of_rows_that_several_components_share():
    """The product over 4000 rows of what is normalised is beyond every number in float64."""
    X = np.random.default_rng(0).normal(size=(4000, 1))
    total, q = small_mixture(np.ascontiguousarray(X.T), X[:6], DIAG, 3, -np.inf, FLOOR)
    expected, shares = em_written_out(X, X[:6], DIAG, 3)
    assert np.log(shares.max(axis=0)).sum() < -710
    assert total == pytest.approx(expected, rel=1e-11)
    assert q == pytest.approx(shares, abs=1e-11)


def test_no_variance_is_less_than_the_floor():
    columns = np.repeat([[0.0, 1.0]], 10, axis=0).reshape(2, 10)  # two places in two columns
    total, q = small_mixture(columns, np.array([[0.0, 0.0], [1.0, 1.0]]), FULL, 50, 1e-4, FLOOR)
    assert np.isfinite(total) and np.array_equal(q.argmax(axis=0), columns[0])


def test_centers_are_not_written_to():
    centers = np.array([[0.0], [1.0]])
    small_mixture(np.linspace(-1, 2, 20)[None], centers, DIAG, 20, 1e-4, FLOOR)
    assert centers.tolist() == [[0.0], [1.0]]


def test_shapes_may_start_from_the_same_shares():
    X = np.random.default_rng(5).normal(size=(60, 2))
    columns = np.ascontiguousarray(X.T)
    shares = nearest_centers(columns, X[:3])
    for shape in (FULL, DIAG):  # the second is not moved by the first
        total, q = climb_from(columns, columns @ columns.T, shares, shape, 20, 1e-4, FLOOR)
        alone, own = small_mixture(columns, X[:3], shape, 20, 1e-4, FLOOR)
        assert total == alone and np.array_equal(q, own)
