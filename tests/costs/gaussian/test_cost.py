"""The Gaussian cost against scipy's densities, its own definition, and sums written out."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import multivariate_normal

from unmix.costs.base import Cost, HasPrototypes
from unmix.costs.gaussian import ellipsoid
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Diagonal, Fixed, Full, Spherical, Tied
from unmix.costs.gaussian.mixture import make_mixture

FAMILIES = [Full(), Tied(), Diagonal(), Spherical(), Fixed(np.diag([1.0, 2.0, 0.5])[None])]
K, D = 3, 3


def names(value):
    return type(value).__name__


def some_rows(n=200, d=D, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 3 * rng.integers(0, 3, (n, 1))


def some_mixture(family, k=K, d=D, seed=1):
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(k, d, d)) + 2 * np.eye(d)
    covariances = {
        "Full": roots @ roots.transpose(0, 2, 1),
        "Tied": (roots @ roots.transpose(0, 2, 1))[:1],
        "Diagonal": rng.uniform(0.5, 2, (k, d)),
        "Spherical": np.repeat(rng.uniform(0.5, 2, (k, 1)), d, axis=1),
        "Fixed": getattr(family, "given", None),
    }[names(family)]
    return make_mixture(rng.dirichlet(np.ones(k)), rng.normal(size=(k, d)), covariances)


def covariance_of(mixture, c):
    if mixture.covariances.ndim == 2:
        return np.diag(mixture.covariances[c])
    return mixture.covariances[c % len(mixture.covariances)]


def plain_distances(X, mixture):
    """-log π N by scipy, on the observed columns of each row."""
    out = np.empty((len(X), len(mixture.weights)))
    for i, row in enumerate(X):
        there = ~np.isnan(row)
        for c, weight in enumerate(mixture.weights):
            density = 0.0
            if there.any():
                part = covariance_of(mixture, c)[np.ix_(there, there)]
                density = multivariate_normal(mixture.means[c][there], part).logpdf(row[there])
            out[i, c] = -np.log(weight) - density
    return out


def with_holes(X, seed=2):
    holed = X.copy()
    holed[np.random.default_rng(seed).random(X.shape) < 0.3] = np.nan
    return holed


@pytest.mark.parametrize("family", FAMILIES, ids=names)
@pytest.mark.parametrize("missing", [False, True], ids=["whole", "holes"])
def test_distances_are_log_densities_of_what_was_observed(family, missing):
    X, mixture = some_rows(60), some_mixture(family)
    X = with_holes(X) if missing else X
    cost = Gaussian(family, np.full(D, 1e-9), missing)
    np.testing.assert_allclose(cost.distances(X, mixture), plain_distances(X, mixture), rtol=1e-10)


def plain_moments(X, q, mixture):
    """Σ q E[x - u] and Σ q E[(x - u)(x - u)ᵀ] from the regression of missing on observed columns."""
    k, d = mixture.means.shape
    first, second = np.zeros((k, d)), np.zeros((k, d, d))
    for c in range(k):
        S = covariance_of(mixture, c)
        for row, share in zip(X, q[:, c], strict=True):
            o, m = np.flatnonzero(~np.isnan(row)), np.flatnonzero(np.isnan(row))
            z, rest = np.zeros(d), np.zeros((d, d))
            z[o] = row[o] - mixture.means[c][o]
            slope = S[np.ix_(m, o)] @ np.linalg.inv(S[np.ix_(o, o)])
            z[m] = slope @ z[o]
            rest[np.ix_(m, m)] = S[np.ix_(m, m)] - slope @ S[np.ix_(o, m)]
            first[c] += share * z
            second[c] += share * (np.outer(z, z) + rest)
    return first, second


@pytest.mark.parametrize("family", [Full(), Tied()], ids=names)
@pytest.mark.parametrize("missing", [False, True], ids=["whole", "holes"])
def test_statistics_are_conditional_moments(family, missing):
    X, mixture = some_rows(80), some_mixture(family)
    X = with_holes(X) if missing else X
    q = np.random.default_rng(3).dirichlet(np.ones(K), len(X))
    stats = Gaussian(family, np.full(D, 1e-9), missing).statistics(X, q, mixture)
    first, second = plain_moments(X, q, mixture)
    np.testing.assert_allclose(stats.mass, q.sum(0))
    np.testing.assert_allclose(stats.first, first, atol=1e-9)
    expected = second.sum(0, keepdims=True) if family.shared else second
    np.testing.assert_allclose(stats.second, expected, atol=1e-9)


def test_axis_parallel_statistics_leave_missing_entries_out():
    X, mixture = with_holes(some_rows(80)), some_mixture(Diagonal())
    q = np.random.default_rng(3).dirichlet(np.ones(K), len(X))
    stats = Gaussian(Diagonal(), np.full(D, 1e-9), True).statistics(X, q, mixture)
    z = X[:, None] - mixture.means
    there = ~np.isnan(z)
    np.testing.assert_allclose(stats.observed, np.einsum("ik,ikj->kj", q, there))
    np.testing.assert_allclose(stats.first, np.einsum("ik,ikj->kj", q, np.where(there, z, 0)), atol=1e-12)
    np.testing.assert_allclose(stats.second, np.einsum("ik,ikj->kj", q, np.where(there, z, 0) ** 2))


@pytest.mark.parametrize("family", FAMILIES, ids=names)
def test_prototypes_minimise_the_cost(family):
    X, labels = some_rows(), np.random.default_rng(4).integers(0, K, 200)
    cost = Gaussian(family, np.full(D, 1e-9))
    assert isinstance(cost, Cost) and isinstance(cost, HasPrototypes)
    q = np.eye(K)[labels]
    best = cost.prototypes(cost.statistics(X, q, cost.unit(K)), cost.unit(K))

    def at(mixture):
        return cost.distances(X, mixture)[np.arange(len(X)), labels].sum()

    assert at(best) == pytest.approx(cost.total(X, labels), rel=1e-12)
    rng = np.random.default_rng(5)
    for _ in range(10):
        means = best.means + 0.05 * rng.normal(size=best.means.shape)
        assert at(make_mixture(best.weights, means, best.covariances)) > at(best)
        weights = rng.dirichlet(500 * best.weights)
        assert at(make_mixture(weights, best.means, best.covariances)) > at(best)
        if family.given is None:
            factor = rng.uniform(0.9, 1.1)
            assert at(make_mixture(best.weights, best.means, best.covariances * factor)) > at(best)


@pytest.mark.parametrize("family", [Full(), Tied(), Diagonal(), Spherical()], ids=names)
def test_where_statistics_are_centred_does_not_matter(family):
    X, q = some_rows(), np.random.default_rng(6).dirichlet(np.ones(K), 200)
    cost = Gaussian(family, np.full(D, 1e-9))
    one, other = cost.unit(K), cost.unit(K, np.random.default_rng(7).normal(size=(K, D)))
    a, b = (cost.prototypes(cost.statistics(X, q, at), at) for at in (one, other))
    np.testing.assert_allclose(a.means, b.means, atol=1e-10)
    np.testing.assert_allclose(a.covariances, b.covariances, atol=1e-10)


@pytest.mark.parametrize("dtype, rtol", [("f8", 1e-11), ("f4", 2e-5)])
@pytest.mark.parametrize("d", [1, 2, 5, 16])
def test_tiles_and_matrix_products_agree(monkeypatch, dtype, rtol, d):
    X, mixture = some_rows(700, d).astype(dtype), some_mixture(Full(), 4, d)
    cost = Gaussian(Full(), np.full(d, 1e-9))
    q = np.random.default_rng(8).dirichlet(np.ones(4), len(X)).astype(dtype)
    q[q < 0.1] = 0
    results = []
    for many in (64, 0):
        monkeypatch.setattr(ellipsoid, "MANY_COLUMNS", many)
        stats = cost.statistics(X, q, mixture._replace(precise=False))
        results.append((cost.distances(X, mixture._replace(precise=False)), stats.first, stats.second))
    for tiles, products in zip(*results, strict=True):
        np.testing.assert_allclose(tiles, products, rtol=rtol, atol=rtol * np.abs(products).max())


@pytest.mark.parametrize("family", [Diagonal(), Spherical()], ids=names)
def test_sparse_rows_give_the_dense_sums(family):
    X = np.where(np.random.default_rng(9).random((90, D)) < 0.5, 0, some_rows(90))
    mixture, cost = some_mixture(family), Gaussian(family, np.full(D, 1e-9))
    q = np.random.default_rng(3).dirichlet(np.ones(K), len(X))
    np.testing.assert_allclose(cost.distances(csr_array(X), mixture), cost.distances(X, mixture), rtol=1e-9)
    for a, b in zip(cost.statistics(csr_array(X), q, mixture), cost.statistics(X, q, mixture), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("family", [Full(), Tied(), Diagonal(), Spherical()], ids=names)
def test_a_component_without_rows_stays_where_it_was(family):
    X, cost = some_rows(), Gaussian(family, np.full(D, 1e-9))
    q = np.zeros((len(X), K))
    q[:, :2] = 0.5
    previous = some_mixture(family)
    new = cost.prototypes(cost.statistics(X, q, previous), previous)
    assert new.weights[2] == 0 and np.isclose(new.weights.sum(), 1)
    np.testing.assert_array_equal(new.means[2], previous.means[2])
    if not family.shared:
        np.testing.assert_allclose(new.covariances[2], previous.covariances[2])
    distances = cost.distances(X, new)
    assert np.isposinf(distances[:, 2]).all() and np.isfinite(distances[:, :2]).all()


def test_single_precision_gives_way_where_it_would_not_do():
    good, bad = np.diag([1.0, 1e-2])[None], np.diag([1.0, 1e-8])[None]
    assert not make_mixture(np.ones(1), np.zeros((1, 2)), good).precise
    assert make_mixture(np.ones(1), np.zeros((1, 2)), bad).precise
