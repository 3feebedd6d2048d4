"""Codes with a normal law: likelihood, posterior and every iteration, held to dense normal laws."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.decomposition import FactorAnalysis

from unmix.algorithms.factorization.normal_codes import (
    balanced,
    expanded,
    log_prior,
    maximized,
    posterior,
    sums_of,
)
from unmix.decomposition import Factorization


def some_model(seed, k=3, D=6):
    rng = np.random.default_rng(seed)
    components, noise = rng.normal(size=(k + 1, D)), rng.uniform(0.1, 1.0, D)
    return balanced(components, noise, 10.0)


def some_rows(seed, n=40, D=6, share=0.3):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 2)) @ rng.normal(size=(2, D)) + 0.4 * rng.normal(size=(n, D)) + 1
    rows[rng.random((n, D)) < share] = np.nan
    return rows


def dense_log_likelihood(rows, model):
    """Row by row from the covariance of what was observed."""
    U, b = model.components[:-1], model.components[-1]
    covariance, out = U.T @ U + np.diag(model.noise), np.zeros(len(rows))
    for i, row in enumerate(rows):
        seen = np.flatnonzero(~np.isnan(row))
        if len(seen):
            out[i] = multivariate_normal.logpdf(row[seen], b[seen], covariance[np.ix_(seen, seen)])
    return out


def test_the_likelihood_is_that_of_a_dense_normal_law():
    model, rows = some_model(0), some_rows(1)
    rows[3] = np.nan
    np.testing.assert_allclose(
        posterior(rows, None, model).log_likelihood, dense_log_likelihood(rows, model), rtol=1e-10
    )


def test_codes_are_a_regression_on_what_was_observed():
    """E z = Σ_zx Σ_xx⁻¹ (x - b), and what it leaves of the covariance."""
    model, rows = some_model(2), some_rows(3)
    U, b = model.components[:-1], model.components[-1]
    found = posterior(rows, None, model)
    for i, row in enumerate(rows):
        seen = ~np.isnan(row)
        V = U[:, seen]
        weights = V @ np.linalg.inv(V.T @ V + np.diag(model.noise[seen]))
        np.testing.assert_allclose(found.means[i], weights @ (row - b)[seen], atol=1e-10)
        np.testing.assert_allclose(found.covariances[i], np.eye(3) - weights @ V.T, atol=1e-10)


def test_a_cell_of_weight_two_has_half_the_noise():
    model, rows = some_model(4), some_rows(5, share=0.0)
    entries = np.ones(rows.shape)
    entries[:, 2] = 2.0
    halved = model._replace(noise=np.where(np.arange(6) == 2, model.noise / 2, model.noise))
    np.testing.assert_allclose(posterior(rows, entries, model).means, posterior(rows, None, halved).means, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_no_plain_iteration_lowers_the_posterior(seed):
    rng = np.random.default_rng(seed)
    rows = some_rows(seed, n=int(rng.integers(2, 40)), share=rng.uniform(0, 0.8))
    rows[:, 0] = np.nan if seed % 4 == 0 else rows[:, 0]  # a column that was never observed
    weights, model, last = rng.uniform(0.1, 3, len(rows)), some_model(seed, k=int(rng.integers(1, 8))), -np.inf
    for _ in range(30):
        value = weights @ dense_log_likelihood(rows, model) + log_prior(model)
        assert value >= last - 1e-9 * abs(value)
        last, found = value, sums_of(posterior(rows, None, model), weights)
        model = expanded(maximized(found, model), found)


def test_the_precisions_found_are_the_best_ones():
    model = some_model(7)
    for factor in (0.9, 1.1):
        assert log_prior(model) > log_prior(model._replace(precision=model.precision * factor))


def test_noises_are_the_best_ones_for_their_components():
    rows, model = some_rows(8), some_model(8)
    found = sums_of(posterior(rows, None, model), np.ones(len(rows)))
    best = maximized(found, model)._replace(precision=model.precision)

    def complete(model):
        """The expected log-posterior of cells and codes together."""
        U = model.components.T
        i, j = np.triu_indices(4)
        grams = np.zeros((6, 4, 4))
        grams[:, i, j] = grams[:, j, i] = found.products
        left = found.squares - 2 * (U * found.pull.T).sum(axis=1) + np.einsum("ja,jab,jb->j", U, grams, U)
        return log_prior(model) - 0.5 * float((found.cells * np.log(model.noise) + left / model.noise).sum())

    rng = np.random.default_rng(0)
    for _ in range(50):
        near = best._replace(
            components=best.components + 1e-3 * rng.normal(size=(4, 6)),
            noise=best.noise * np.exp(1e-3 * rng.normal(size=6)),
        )
        assert complete(near) < complete(best)


def test_a_large_full_table_has_the_noises_and_covariances_of_factor_analysis():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 2)) @ rng.normal(size=(2, 9)) + rng.uniform(0.8, 1.2, 9) * rng.normal(size=(4000, 9))
    ours = Factorization(2, loss="squared", codes="normal", tol=1e-8).fit(X)
    true = FactorAnalysis(2, tol=1e-8, max_iter=5000, svd_method="lapack").fit(X)
    noise = ours.noise_ * X.std(axis=0) ** 2
    np.testing.assert_allclose(noise, true.noise_variance_, rtol=0.02)
    found, wanted = (model.components_.T @ model.components_ for model in (ours, true))
    np.testing.assert_allclose(found, wanted, rtol=0.01, atol=0.02)
    law = multivariate_normal(ours.intercept_, found + np.diag(noise))
    assert law.logpdf(X).mean() == pytest.approx(true.score(X), abs=1e-4)
