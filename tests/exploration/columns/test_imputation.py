"""Missing numbers are filled nearly as well as by the law of the table, if that were known."""

import numpy as np

from unmix.exploration.columns.imputation import fill_missing, fit_filling, most_rows


def expected_given_the_rest(X, covariance):
    """E[x_missing | x_given] of a normal law with mean 0, row by row."""
    filled = X.copy()
    for row in filled:
        gap = np.isnan(row)
        if gap.any() and not gap.all():
            row[gap] = covariance[np.ix_(gap, ~gap)] @ np.linalg.solve(covariance[np.ix_(~gap, ~gap)], row[~gap])
    return np.nan_to_num(filled)


def a_table(n, d, n_factors, noise, share, seed):
    rng = np.random.default_rng(seed)
    U = rng.normal(size=(n_factors, d))
    covariance = U.T @ U + noise**2 * np.eye(d)
    spread = np.sqrt(np.diag(covariance))
    X = rng.multivariate_normal(np.zeros(d), covariance, n) / spread
    return X, np.where(rng.random((n, d)) < share, np.nan, X), covariance / np.outer(spread, spread)


def test_gaps_are_told_nearly_as_well_as_by_the_true_law():
    for n_factors, noise in ((2, 0.05), (2, 1.0), (3, 0.3)):
        X, holed, covariance = a_table(1500, 10, n_factors, noise, 0.2, seed=n_factors)
        gaps = np.isnan(holed)
        best = np.mean((expected_given_the_rest(holed, covariance) - X)[gaps] ** 2)
        assert np.mean((fill_missing(holed, 0) - X)[gaps] ** 2) < 1.15 * best


def test_unrelated_columns_are_filled_with_little_more_than_their_mean():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 12))
    gaps = rng.random(X.shape) < 0.3
    filled = fill_missing(np.where(gaps, np.nan, X), 0)
    assert np.mean((filled - X)[gaps] ** 2) < 1.15 * np.mean(X[gaps] ** 2)


def test_a_long_table_is_filled_by_the_directions_of_some_of_its_rows():
    X, holed, covariance = a_table(2 * most_rows, 4, 1, 0.5, 0.1, seed=5)
    gaps = np.isnan(holed)
    filling = fit_filling(holed, 0)
    assert filling.pca.n_samples_ == most_rows
    best = np.mean((expected_given_the_rest(holed[:2000], covariance) - X[:2000])[gaps[:2000]] ** 2)
    assert np.mean((filling.fill(holed) - X)[gaps] ** 2) < 1.15 * best
