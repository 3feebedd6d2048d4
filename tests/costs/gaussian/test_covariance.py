"""Covariance families: the floor is an exact maximum, and parameters are counted as in closed form."""

import numpy as np
import pytest

from unmix.costs.gaussian.covariance import (
    Diagonal,
    Full,
    Spherical,
    Tied,
    log_determinant_of_whitening,
    raise_to_floor,
    whitening,
)


def likelihood(covariance, scatter):
    return -np.linalg.slogdet(covariance)[1] - np.trace(np.linalg.solve(covariance, scatter))


def some_covariance(rng, d=4, rank=4):
    root = rng.normal(size=(d, rank))
    return root @ root.T


def test_floor_is_the_constrained_maximum():
    rng = np.random.default_rng(0)
    floor = np.array([0.5, 1.0, 0.1, 2.0])
    for rank in (1, 2, 4):
        scatter = some_covariance(rng, rank=rank)
        best = raise_to_floor(scatter, floor)
        assert np.linalg.eigvalsh(best - np.diag(floor)).min() > -1e-9
        for _ in range(200):  # any other matrix above the floor is less likely
            other = np.diag(floor) + some_covariance(rng) * rng.uniform(0, 2)
            mixed = best + rng.uniform(0, 1) * (other - best)
            assert likelihood(mixed, scatter) <= likelihood(best, scatter) + 1e-9


def test_floor_leaves_larger_covariances_alone():
    covariance = some_covariance(np.random.default_rng(1)) + np.eye(4)
    np.testing.assert_allclose(raise_to_floor(covariance, np.full(4, 0.5)), covariance, rtol=1e-14)


@pytest.mark.parametrize("shape", ["matrices", "variances"])
def test_whitening_makes_unit_covariance(shape):
    rng = np.random.default_rng(2)
    covariances = np.stack([some_covariance(rng) + np.eye(4) for _ in range(3)])
    if shape == "variances":
        covariances = np.diagonal(covariances, axis1=1, axis2=2)
        np.testing.assert_allclose(whitening(covariances) ** 2 * covariances, 1)
        expected = -0.5 * np.log(covariances).sum(1)
    else:
        W = whitening(covariances)
        assert np.array_equal(W, np.triu(W))
        np.testing.assert_allclose(W.transpose(0, 2, 1) @ covariances @ W, np.tile(np.eye(4), (3, 1, 1)), atol=1e-12)
        expected = -0.5 * np.linalg.slogdet(covariances)[1]
    np.testing.assert_allclose(log_determinant_of_whitening(whitening(covariances)), expected)


@pytest.mark.parametrize("family, count", [(Full(), 3 * 10), (Tied(), 10), (Diagonal(), 12), (Spherical(), 3)])
def test_free_parameters(family, count):
    assert family.n_parameters(3, 4) == count


def test_matrices_together_are_raised_as_each_alone():
    rng = np.random.default_rng(3)
    roots = rng.normal(size=(3, 4, 4))
    covariances = roots @ roots.transpose(0, 2, 1) + 2 * np.eye(4)
    covariances[1] *= 1e-3  # below the floor; the others stay clear of it
    floor = np.array([1.0, 0.5, 0.2, 1.0])
    together = raise_to_floor(covariances, floor)
    np.testing.assert_allclose(together, [raise_to_floor(each, floor) for each in covariances], rtol=1e-13)
    np.testing.assert_allclose(together[[0, 2]], covariances[[0, 2]], rtol=1e-14)
    assert np.linalg.eigvalsh(together[1] - np.diag(floor)).min() > -1e-12
