"""EM for probabilistic PCA against closed forms and the multivariate normal."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from unmix.algorithms.principal import probabilistic_pca
from unmix.algorithms.principal.latent_gaussian import LatentGaussian, posterior
from unmix.algorithms.principal.probabilistic_pca import fit_with_missing
from unmix.core.iteration.loop import Run, running
from unmix.core.iteration.trace import Trace
from unmix.io.dispatch import as_blocks


def low_rank(n=300, d=7, k=2, noise=0.5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, k)) @ rng.standard_normal((k, d)) * 2 + noise * rng.standard_normal((n, d)) + 4


def with_gaps(X, share=0.25, seed=1):
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    return X


def fit(X, k, **options):
    options = {"weights": None, "scale": 1.0, "max_iter": 1000, "tol": 1e-12, "seed": 0} | options
    trace = Trace()
    with running(Run(trace)):
        model, last = fit_with_missing(as_blocks(X), k, **options)
    return model, last, [r.values["log_likelihood"] for r in trace.records if r.stage == "expectation"]


def covariance(model):
    return model.loadings @ model.loadings.T + model.noise * np.eye(len(model.mean))


def test_em_reaches_the_closed_form_on_complete_data(monkeypatch):
    X = low_rank()
    poor = LatentGaussian(np.random.default_rng(3).standard_normal((7, 2)), np.zeros(7), 10.0)
    monkeypatch.setattr(probabilistic_pca, "start", lambda *args: poor)
    model, _, _ = fit(X, 2, tol=1e-14)
    values, vectors = np.linalg.eigh(np.cov(X.T, bias=True))
    noise = values[:-2].mean()
    top = vectors[:, -2:]
    np.testing.assert_allclose(model.noise, noise, rtol=1e-6)
    np.testing.assert_allclose(model.mean, X.mean(axis=0), atol=1e-6)
    expected = top @ np.diag(values[-2:] - noise) @ top.T + noise * np.eye(7)
    np.testing.assert_allclose(covariance(model), expected, atol=1e-5)


def test_likelihood_of_gaps_is_the_marginal_normal():
    X = with_gaps(low_rank(40), 0.4)
    X[0] = np.nan
    rng = np.random.default_rng(0)
    model = LatentGaussian(rng.standard_normal((7, 3)), rng.standard_normal(7), 0.3)
    full = covariance(model)
    for row, value in zip(X, posterior(X, model).log_likelihood):
        seen = ~np.isnan(row)
        expected = (
            multivariate_normal(model.mean[seen], full[np.ix_(seen, seen)]).logpdf(row[seen]) if seen.any() else 0
        )
        assert value == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_every_iteration_raises_the_likelihood():
    _, last, trace = fit(with_gaps(low_rank(), 0.4), 3)
    assert last.done
    assert len(trace) > 5
    assert np.diff(trace).min() > -1e-12


def test_maximum_is_a_maximum():
    X = with_gaps(low_rank(120))
    model, _, _ = fit(X, 2, tol=1e-14, max_iter=3000)
    best = posterior(X, model).log_likelihood.sum()
    rng = np.random.default_rng(0)
    for _ in range(20):
        near = LatentGaussian(
            model.loadings + 1e-2 * rng.standard_normal(model.loadings.shape),
            model.mean + 1e-2 * rng.standard_normal(7),
            model.noise * np.exp(1e-2 * rng.standard_normal()),
        )
        assert posterior(X, near).log_likelihood.sum() < best


def test_weight_two_is_the_row_twice():
    X = with_gaps(low_rank(60))
    weights = np.random.default_rng(0).integers(0, 4, 60)
    weighted, _, _ = fit(X, 2, weights=weights.astype(float))
    repeated, _, _ = fit(np.repeat(X, weights, axis=0), 2)
    np.testing.assert_allclose(covariance(weighted), covariance(repeated), atol=1e-5)
    np.testing.assert_allclose(weighted.mean, repeated.mean, atol=1e-5)


def test_one_column_is_mean_and_variance_of_what_was_seen():
    X = np.array([[1.0], [np.nan], [3.0], [8.0]])
    model, _, _ = fit(X, 0)
    assert model.mean[0] == pytest.approx(4.0)
    assert model.noise == pytest.approx(np.var([1.0, 3.0, 8.0]))


def test_gaps_in_an_exactly_low_rank_table_are_filled_exactly():
    X = low_rank(200, noise=0.0)
    gaps = with_gaps(X, 0.15)
    model, _, _ = fit(gaps, 2)
    found = posterior(gaps, model)
    enough = found.observed.sum(axis=1) >= 4
    filled = found.means @ model.loadings.T + model.mean
    np.testing.assert_allclose(filled[enough], X[enough], atol=1e-3)


def test_column_without_values_is_named():
    X = low_rank(20)
    X[:, 4] = np.nan
    with pytest.raises(ValueError, match="column 4 holds no observed value"):
        fit(X, 2)
