"""Laws of few directions against scipy's normal law, with and without gaps."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from unmix.validation.bits.factor_mixture import FactorMixture, log_density
from unmix.validation.bits.group_mixture import GroupMixture, fit_groups, group_densities
from unmix.validation.bits.low_rank import Normal, cells_of, codes_of, log_sum


def law(rng, d=5, k=2):
    return Normal(rng.normal(size=d), rng.normal(size=(d, k)), rng.uniform(0.2, 1.0, size=d))


def dense(law, row):
    seen = np.isfinite(row)
    covariance = law.directions @ law.directions.T + np.diag(law.noise)
    return multivariate_normal(law.mean[seen], covariance[np.ix_(seen, seen)]).logpdf(row[seen])


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("k", [0, 2])
def test_density_of_the_cells_that_are_there(gaps, k):
    rng = np.random.default_rng(0)
    normal = law(rng, k=k)
    X = rng.normal(size=(20, 5))
    X[:, 1:][rng.random((20, 4)) < gaps] = np.nan
    found = codes_of(cells_of(X), normal)
    assert np.allclose(found.log_density, [dense(normal, row) for row in X], rtol=1e-12)
    assert found.mean.shape == (20, k)


def test_codes_are_the_posterior_means():
    rng = np.random.default_rng(1)
    normal = law(rng)
    X = rng.normal(size=(6, 5))
    covariance = normal.directions @ normal.directions.T + np.diag(normal.noise)
    expected = np.linalg.solve(covariance, (X - normal.mean).T).T @ normal.directions
    assert np.allclose(codes_of(cells_of(X), normal).mean, expected)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_groups_by_products_of_matrices_are_the_mixture_without_factors(gaps):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 4))
    X[:, 1:][rng.random((30, 3)) < gaps] = np.nan
    means, variances, weights = rng.normal(size=(3, 4)), rng.uniform(0.3, 2, size=(3, 4)), np.array([0.2, 0.3, 0.5])
    laws = tuple(Normal(u, np.zeros((4, 0)), v) for u, v in zip(means, variances))
    fast = log_sum(group_densities(GroupMixture(weights, means, variances), cells_of(X)))
    assert np.allclose(fast, log_density(FactorMixture(weights, laws), cells_of(X)), rtol=1e-12)


def test_the_climb_never_falls():
    rng = np.random.default_rng(3)
    cells = cells_of(np.vstack([rng.normal(size=(50, 3)), rng.normal(3, 0.5, size=(50, 3))]))
    start = rng.dirichlet(np.ones(2), size=100).T
    reached = [fit_groups(cells, start, np.full(3, 1e-3), n)[2] for n in (1, 2, 4, 8, 16)]
    assert np.all(np.diff(reached) > -1e-3)  # the two rows of the prior may cost a little likelihood
