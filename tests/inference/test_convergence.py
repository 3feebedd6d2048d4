import numpy as np
import pytest
from scipy.stats import rankdata

from unmix.inference.convergence import _mean_autocovariance, _normal_scores
from unmix.sampling import effective_sample_size, r_hat


def autoregression(rho, chains=8, steps=5000, seed=0):
    rng = np.random.default_rng(seed)
    x = np.empty((chains, steps, 1))
    x[:, 0] = rng.normal(size=(chains, 1))
    for t in range(1, steps):
        x[:, t] = rho * x[:, t - 1] + np.sqrt(1 - rho**2) * rng.normal(size=(chains, 1))
    return x


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.3, 0.7, 0.9])
def test_effective_sample_size_of_an_autoregression_is_known(rho):
    x = autoregression(rho)
    found = effective_sample_size(x)[0] / (x.shape[0] * x.shape[1])
    # normal scores of a normal series are the series itself, up to its scale
    assert found == pytest.approx((1 - rho) / (1 + rho), rel=0.1)


def test_r_hat_is_one_for_independent_draws_and_large_for_separated_chains():
    x = np.random.default_rng(0).normal(size=(4, 1000, 3))
    x[0, :, 1] += 5  # another place
    x[0, :, 2] *= 8  # the same place, another width
    found = r_hat(x)
    assert found[0] == pytest.approx(1, abs=0.01)
    assert found[1] > 1.5
    assert found[2] > 1.2
    assert effective_sample_size(x)[1] < 20


def test_a_drift_common_to_all_chains_shows():
    x = np.random.default_rng(0).normal(size=(4, 1000, 1)) + np.linspace(0, 3, 1000)[:, None]
    assert r_hat(x)[0] > 1.2


def test_r_hat_without_ranks_is_gelmans(monkeypatch):
    """By its own formula, from the scores that scipy's ranks give."""
    from scipy.special import ndtri

    x = np.random.default_rng(1).gamma(0.5, size=(3, 200, 1)).round(1)  # with ties
    x[0] += 1
    halves = np.concatenate([x[:, :100, 0], x[:, 100:, 0]])
    values = []
    for table in (halves, np.abs(halves - np.median(halves))):
        z = ndtri((rankdata(table).reshape(6, 100) - 3 / 8) / (600 + 1 / 4))
        between, within = 100 * z.mean(axis=1).var(ddof=1), z.var(axis=1, ddof=1).mean()
        values.append(np.sqrt((99 / 100 * within + between / 100) / within))
    assert r_hat(x)[0] == pytest.approx(max(values))


def test_autocovariance_by_fourier_is_that_of_the_sum():
    chains = np.random.default_rng(0).normal(size=(3, 17))
    off = chains - chains.mean(axis=1, keepdims=True)
    brute = [np.mean([row[: 17 - lag] @ row[lag:] / 17 for row in off]) for lag in range(17)]
    np.testing.assert_allclose(_mean_autocovariance(chains), brute, atol=1e-12)


def test_ranks_do_not_see_monotone_changes():
    x = autoregression(0.5, 4, 500)
    np.testing.assert_allclose(effective_sample_size(np.exp(5 * x)), effective_sample_size(x))
    np.testing.assert_allclose(_normal_scores(x[..., 0]), _normal_scores(x[..., 0] ** 3))


def test_chains_that_do_not_move():
    assert np.isnan(r_hat(np.ones((4, 100, 1)))[0])
    assert np.isnan(effective_sample_size(np.ones((4, 100, 1)))[0])
    apart = np.ones((4, 100, 1)) * np.arange(4)[:, None, None]
    assert r_hat(apart)[0] == np.inf


def test_too_few_steps_are_refused():
    with pytest.raises(ValueError, match="at least 4 steps"):
        r_hat(np.zeros((2, 3, 1)))
