"""Densities of single columns: they integrate to one, their scores are normal, and known laws cost their entropy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import kstest

from unmix.validation.bits.margins import fit_levels, fit_numbers

DRAWS = {
    "normal": lambda rng, n: rng.normal(5, 2, size=n),
    "lognormal": lambda rng, n: rng.lognormal(1, 1, size=n),
    "two humps": lambda rng, n: rng.normal(np.where(rng.random(n) < 0.3, -4, 4), 1),
    "heavy": lambda rng, n: rng.standard_t(3, size=n),
}


def fitted(name, n=2000):
    rng = np.random.default_rng(0)
    x = DRAWS[name](rng, n)[:, None]
    return x, fit_numbers(x, np.zeros(1), np.full(1, 0.01))


def measure(margin, X):
    return margin.measure(X, np.full(X.shape, 0.5))


@pytest.mark.parametrize("name", DRAWS)
def test_a_density_integrates_to_one(name):
    x, margin = fitted(name)

    def density(value):
        return float(np.exp(measure(margin, np.array([[value]]))[0][0, 0]))

    edges = [*np.quantile(x, [0, 0.05, 0.5, 0.95, 1])]
    inside = sum(quad(density, a, b, limit=100)[0] for a, b in pairwise(edges))
    outside = quad(density, -np.inf, edges[0])[0] + quad(density, edges[-1], np.inf)[0]
    assert inside + outside == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("name", DRAWS)
def test_scores_follow_the_density(name):
    """dz/dx φ(z) = f(x), by differences."""
    x, margin = fitted(name)
    at = np.quantile(x, [0.02, 0.3, 0.5, 0.8, 0.98])[:, None]
    step = 1e-5 * x.std()
    slope = (measure(margin, at + step)[1] - measure(margin, at - step)[1]) / (2 * step)
    log_density, z = measure(margin, at)
    assert np.allclose(np.log(slope) - 0.5 * z**2 - 0.5 * np.log(2 * np.pi), log_density, atol=1e-4)


@pytest.mark.parametrize(
    "name, nats",
    [
        ("normal", 0.5 * np.log(2 * np.pi * np.e * 4)),
        ("lognormal", 1 + 0.5 * np.log(2 * np.pi * np.e)),
        ("heavy", 1.7735),  # of Student's law with three degrees of freedom
    ],
)
def test_known_laws_cost_their_entropy(name, nats):
    _, margin = fitted(name)
    fresh = DRAWS[name](np.random.default_rng(1), 20_000)[:, None]
    cost = -measure(margin, fresh)[0]
    assert cost.mean() == pytest.approx(nats, abs=3 * cost.std() / np.sqrt(len(cost)) + 0.01)


def test_units_do_not_matter():
    x, margin = fitted("lognormal")
    other = fit_numbers(1e6 * x, np.zeros(1), np.full(1, 0.01))
    assert np.allclose(measure(other, 1e6 * x)[0] + np.log(1e6), measure(margin, x)[0], atol=1e-6)
    assert np.allclose(measure(other, 1e6 * x)[1], measure(margin, x)[1], atol=1e-6)


def test_a_far_value_and_one_without_a_logarithm_cost_finite_bits():
    _, margin = fitted("lognormal")
    assert margin.logarithm.all()
    log_density, z = measure(margin, np.array([[1e12], [-3.0], [0.0], [np.nan]]))
    assert np.isfinite(log_density).all() and np.isfinite(z[:3]).all() and np.isnan(z[3, 0])


def test_levels_cost_their_share_and_points_of_levels_are_normal():
    column = np.repeat([3.0, 1.0, 2.0], [500, 300, 200])
    margin = fit_levels(column)
    log_share, z = margin.measure(column, np.random.default_rng(0).random(1000))
    assert np.allclose(np.exp(log_share), np.repeat([0.5, 0.3, 0.2], [500, 300, 200]), atol=2e-3)
    assert abs(z.mean()) < 0.1 and abs(z.std() - 1) < 0.1
    unseen, _ = margin.measure(np.array([7.0]), np.array([0.5]))
    assert np.exp(unseen[0]) == pytest.approx(0.5 / 1002)


def test_atoms_cost_their_share_and_have_normal_scores_with_the_rest():
    rng = np.random.default_rng(3)
    x = np.where(rng.random(4000) < 0.4, 0.0, rng.normal(-1, 2, 4000))[:, None]
    x = np.minimum(x, 1.5)  # a second atom at the top
    margin = fit_numbers(x, np.zeros(1), np.full(1, 0.01))
    assert [values.tolist() for values in margin.atoms.values] == [[0.0, 1.5]]
    log_density, z = margin.measure(x, rng.random(x.shape))
    share = np.mean(x == 0.0)
    assert log_density[x == 0.0] == pytest.approx(np.log(share / 0.01))
    assert kstest(z[:, 0], "norm").pvalue > 0.001
    assert z[x == 0.0].min() > z[x < 0.0].max() and z[x == 0.0].max() < z[(x > 0) & (x < 1.5)].min()
