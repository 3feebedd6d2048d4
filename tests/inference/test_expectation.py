"""Exact expectation: EM written out in ten lines, the identity of the free energy, and what it refuses."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Diagonal, Full, Tied
from unmix.costs.gaussian.mixture import make_mixture
from unmix.inference.expectation import expect, expectation, log_partition
from unmix.io.dispatch import as_blocks

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 2)) @ np.array([[1.0, 0.4], [0.0, 0.7]]) + 2.5 * rng.integers(0, 3, (300, 1))
START = make_mixture(np.full(3, 1 / 3), X[:3].copy(), np.tile(np.eye(2), (3, 1, 1)))
COST = Gaussian(Full(), np.full(2, 1e-9))


def plain_em(X, weights, pi, means, covariances, iterations):
    for _ in range(iterations):
        densities = [p * multivariate_normal(u, S).pdf(X) for p, u, S in zip(pi, means, covariances, strict=True)]
        q = np.stack(densities, 1)
        log_likelihood = weights @ np.log(q.sum(1)) / weights.sum()
        q *= (weights / q.sum(1))[:, None]
        pi, means = q.sum(0) / weights.sum(), q.T @ X / q.sum(0)[:, None]
        covariances = [np.cov(X.T, aweights=q[:, c], ddof=0) for c in range(len(pi))]
    return pi, means, np.array(covariances), log_likelihood


@pytest.mark.parametrize("weighted", [False, True])
def test_at_beta_one_it_is_em(weighted):
    weights = rng.integers(0, 4, 300).astype(float) if weighted else np.ones(300)
    got = expectation(as_blocks(X), COST, START, weights=weights if weighted else None, max_iter=7, tol=0)
    pi, means, covariances, log_likelihood = plain_em(X, weights, START.weights, START.means, START.covariances, 7)
    assert got.iteration == 7 and not got.done
    assert -got.free_energy == pytest.approx(log_likelihood, rel=1e-12)
    np.testing.assert_allclose(got.prototypes.weights, pi, rtol=1e-9)
    np.testing.assert_allclose(got.prototypes.means, means, rtol=1e-9)
    np.testing.assert_allclose(got.prototypes.covariances, covariances, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("beta", [0.2, 1.0, 3.0])
def test_free_energy_is_expected_cost_minus_entropy_over_beta(beta):
    found = expect(X, None, COST, START, beta)
    h = COST.distances(X, START)
    q = np.exp(-beta * h)
    q /= q.sum(1, keepdims=True)
    entropy = -(q * np.log(np.maximum(q, 1e-300))).sum()
    assert found.cost == pytest.approx((q * h).sum())
    assert -found.log_z / beta == pytest.approx((q * h).sum() - entropy / beta)
    assert log_partition(X, None, COST, START, beta)[1:] == pytest.approx(found[1:])


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("family", [Full(), Tied(), Diagonal()], ids=lambda f: type(f).__name__)
def test_free_energy_never_rises(beta, family):
    cost, seen = Gaussian(family, np.full(2, 1e-3)), []
    start = cost.unit(3, X[:3].copy())
    measure = lambda state: seen.append(state.free_energy) or {}  # noqa: E731
    expectation(as_blocks(X), cost, start, beta=beta, max_iter=30, tol=0, measure=measure)
    assert len(seen) == 30 and np.diff(seen).max() < 1e-12


@pytest.mark.slow_without_jit
def test_stops_when_the_free_energy_stays():
    state = expectation(as_blocks(X), COST, START, max_iter=500, tol=1e-4)
    assert state.done and state.iteration < 500


def test_a_cost_without_prototypes_is_refused():
    class Ising:
        def total(self, data, labels):
            return 0.0

    with pytest.raises(TypeError, match="Ising has no prototypes"):
        expectation(as_blocks(X), Ising(), None, max_iter=1, tol=0)


def test_rows_of_no_weight_are_not_looked_at():
    far, weights = np.vstack([X, np.full((7, 2), 1e200)]), np.r_[np.ones(300), np.zeros(7)]
    found, plain = (expect(*rows, COST, START, 1.0) for rows in ((far, weights), (X, None)))
    for a, b in zip([*found[1:], *found.stats], [*plain[1:], *plain.stats], strict=True):
        np.testing.assert_array_equal(a, b)
    nothing = expect(far[300:], weights[300:], COST, START, 1.0)
    assert nothing.mass == nothing.log_z == 0 and not nothing.stats.second.any()
