"""Rows made of parts: the sum over sets against integration and scipy, and a climb that never falls."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from unmix.validation.bits.low_rank import cells_of
from unmix.validation.bits.parts import Parts, _expect, _log_density, _update, varimax


def model(rng, d=4, k=2):
    share, mean, variance = np.array([0.3, 0.6]), np.array([1.0, -0.5]), np.array([0.5, 2.0])
    return Parts(rng.normal(size=(d, k)), rng.normal(size=d), rng.uniform(0.2, 1, size=d), share, mean, variance)


def test_density_is_the_sum_over_sets_of_parts():
    rng = np.random.default_rng(0)
    parts, X = model(rng), rng.normal(size=(10, 4))
    terms = []
    for on in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        has = np.array(on)
        chance = np.prod(np.where(has, parts.share, 1 - parts.share))
        covariance = (parts.U * parts.variance * has) @ parts.U.T + np.diag(parts.noise)
        mean = parts.base + parts.U @ (parts.mean * has)
        terms.append(np.log(chance) + multivariate_normal(mean, covariance).logpdf(X))
    assert np.allclose(_log_density(parts, cells_of(X)), logsumexp(terms, axis=0), rtol=1e-12)


def test_every_iteration_raises_the_likelihood_and_parts_stay_non_negative():
    rng = np.random.default_rng(1)
    X = np.abs(rng.exponential(size=(200, 2)) @ rng.uniform(size=(2, 4)) + 0.1 * rng.normal(size=(200, 4)))
    X[rng.random(X.shape) < 0.1] = np.nan
    X = X[np.isfinite(X).any(axis=1)]
    cells, parts = cells_of(X), model(rng)._replace(U=rng.uniform(size=(4, 2)), base=np.zeros(4), mean=np.ones(2))
    reached = []
    for _ in range(15):
        sums = _expect(parts, cells)
        reached.append(sums.log_density.sum())
        parts = _update(cells, sums, np.full(4, 1e-6), True)
        assert (parts.U >= 0).all() and (parts.base >= 0).all()
    assert np.all(np.diff(reached) > -1e-6)


def test_varimax_finds_single_columns():
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    plain = np.array([[2.0, 0], [1.5, 0], [0, 1.0], [0, 0.7]])
    found = np.abs(varimax(plain @ turn))
    assert np.allclose(np.sort(found, axis=1), np.sort(plain, axis=1), atol=1e-6)
