"""Distances and moments of few rows, against the density of SciPy and sums written out."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Diagonal, Full, Tied
from unmix.costs.gaussian.few_rows import FEW_ROWS, half_norms, moments
from unmix.costs.gaussian.mixture import make_mixture


def drawn(n, d, k, seed=0):
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(k, d, d)) + 2 * np.eye(d)
    return rng.normal(size=(n, d)), rng.dirichlet(np.ones(k)), rng.normal(size=(k, d)), roots @ roots.swapaxes(1, 2)


@pytest.mark.parametrize("d", [1, 2, 3, 6, 7])
def test_half_norms_are_mahalanobis_distances(d):
    X, _, means, covariances = drawn(20, d, 3)
    W = np.linalg.cholesky(np.linalg.inv(covariances)[:, ::-1, ::-1])[:, ::-1, ::-1]  # upper, W Wᵀ the inverse
    away = X[None] - means[:, None]
    expected = 0.5 * np.einsum("cni,cij,cnj->cn", away, np.linalg.inv(covariances), away)
    assert half_norms(X, means, W) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("d", [1, 2, 3, 6, 7])
def test_moments_are_the_sums_written_out(d):
    X, _, means, _ = drawn(33, d, 3)
    X[:, d // 2] += 1e9  # about means beside the rows nothing cancels
    means[:, d // 2] += 1e9
    q = np.random.default_rng(1).random((3, 33)) * (np.arange(33) % 5 > 0)
    z = X.astype(np.longdouble)[None] - means[:, None]
    first, second = moments(X, q, means, diagonal=False)
    assert first == pytest.approx(np.einsum("cn,cni->ci", q, z).astype(float), rel=1e-12, abs=1e-12)
    assert second == pytest.approx(np.einsum("cn,cni,cnj->cij", q, z, z).astype(float), rel=1e-12, abs=1e-12)
    assert moments(X, q, means, diagonal=True)[1] == pytest.approx(np.diagonal(second, axis1=1, axis2=2), rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("family", [Full(), Tied(), Diagonal()])
@pytest.mark.parametrize("n", [1, FEW_ROWS, FEW_ROWS + 1])
def test_distances_are_the_density_on_both_sides_of_the_limit(family, n, dtype):
    X, weights, means, covariances = drawn(n, 4, 3)
    X = X.astype(dtype)
    shape = covariances[:1] if family.shared else covariances
    shape = np.diagonal(shape, axis1=1, axis2=2).copy() if family.axis else shape
    mixture = make_mixture(weights, means, shape)
    found = Gaussian(family, np.full(4, 1e-6)).distances(X, mixture)
    each = [np.diag(s) if family.axis else s for s in np.broadcast_to(shape, (3, *shape.shape[1:]))]
    expected = [-np.log(w) - multivariate_normal(u, s).logpdf(X) for w, u, s in zip(weights, means, each)]
    np.testing.assert_allclose(found.T, np.reshape(expected, (3, n)), rtol=1e-9 if dtype == np.float64 else 1e-4)


@pytest.mark.parametrize("n", [40, FEW_ROWS + 1])
def test_entries_that_are_missing_are_left_out_along_axes(n):
    X, weights, means, covariances = drawn(n, 4, 3)
    X[np.random.default_rng(2).random(X.shape) < 0.3] = np.nan
    variances, there = np.diagonal(covariances, axis1=1, axis2=2).copy(), ~np.isnan(X)
    mixture, cost = make_mixture(weights, means, variances), Gaussian(Diagonal(), np.full(4, 1e-6), missing=True)
    z = np.where(there, X, 0.0)[None] - np.where(there[None], means[:, None], 0.0)
    terms = np.where(there, z**2 / variances[:, None] / 2 + np.log(2 * np.pi * variances)[:, None] / 2, 0.0)
    expected = terms.sum(axis=2) - np.log(weights)[:, None]
    np.testing.assert_allclose(cost.distances(X, mixture).T, expected, rtol=1e-9)
    q = np.random.default_rng(3).random((n, 3))
    stats = cost.statistics(X, q, mixture)
    for found, power in ((stats.observed, 0), (stats.first, 1), (stats.second, 2)):
        assert found == pytest.approx(np.einsum("nc,nd,cnd->cd", q, there, z**power), rel=1e-9, abs=1e-9)


def test_a_component_without_weight_is_infinitely_far():
    X, _, means, covariances = drawn(5, 2, 2)
    mixture = make_mixture(np.array([1.0, 0.0]), means, covariances)
    assert np.isposinf(Gaussian(Full(), np.full(2, 1e-6)).distances(X, mixture)[:, 1]).all()
