"""Marginal densities and conditional moments of rows with holes, against formulas of blocks of the covariance."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from unmix.costs.gaussian.ellipsoid_missing import add_moments, by_pattern, find_distances


def with_holes(n, d, k, shapes, seed=0):
    rng = np.random.default_rng(seed)
    X, roots = rng.normal(size=(n, d)), rng.normal(size=(shapes, d, d)) + 2 * np.eye(d)
    X[rng.random(X.shape) < 0.4] = np.nan
    return X, rng.random((k, n)), rng.normal(size=(k, d)), roots @ roots.swapaxes(1, 2)


def conditional(row, mean, covariance):
    """E[x - u | x_o] and cov[x | x_o] by the inverse of the observed block."""
    o = ~np.isnan(row)
    gain = covariance[:, o] @ np.linalg.inv(covariance[np.ix_(o, o)])
    return gain @ (row - mean)[o], covariance - gain @ covariance[o]


@pytest.mark.parametrize("d", [1, 2, 5, 9])
@pytest.mark.parametrize("shapes", [1, 3])
def test_distances_are_marginal_densities(d, shapes):
    X, _, means, covariances = with_holes(40, d, 3, shapes)
    found = find_distances(X, means, covariances)
    for c, mean in enumerate(means):
        for i, o in enumerate(~np.isnan(X)):
            block = covariances[c % shapes][np.ix_(o, o)]
            expected = -multivariate_normal(mean[o], block).logpdf(X[i, o]) if o.any() else 0.0
            assert found[c, i] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("d", [1, 2, 5, 9])
@pytest.mark.parametrize("shapes", [1, 3])
def test_moments_are_conditional_expectations(d, shapes):
    X, q, means, covariances = with_holes(40, d, 3, shapes)
    q[1] = 0.0  # a component that no row belongs to
    q[2, ::2] = 0.0
    first, second = np.ones((3, d)), np.ones((shapes, d, d))
    expected_first, expected_second = first.copy(), second.copy()
    add_moments(X, q, means, covariances, first, second)
    for c, mean in enumerate(means):
        for i, row in enumerate(X):
            away, spread = conditional(row, mean, covariances[c % shapes])
            expected_first[c] += q[c, i] * away
            expected_second[c % shapes] += q[c, i] * (np.outer(away, away) + spread)
    np.testing.assert_allclose(first, expected_first, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(second, expected_second, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("d", [1, 8, 9, 70])
def test_rows_of_a_pattern_lie_together_and_in_their_order(d):
    X = with_holes(60, d, 1, 1)[0]
    X[::3] = X[0]
    patterns = by_pattern(X)
    runs = [patterns.order[a:b] for a, b in zip(patterns.starts[:-1], patterns.starts[1:])]
    assert sorted(np.concatenate(runs)) == list(range(60))
    assert all((np.diff(run) > 0).all() and len(np.unique(np.isnan(X[run]), axis=0)) == 1 for run in runs)
    assert len(runs) == len(np.unique(np.isnan(X), axis=0))
    for run, columns, there in zip(runs, patterns.columns, patterns.there):
        missing = np.isnan(X[run[0]])
        assert columns.tolist() == [*np.flatnonzero(~missing), *np.flatnonzero(missing)]
        assert there == (~missing).sum()
