"""The warning of Gaussian sources: fires on Gaussian rows of any length, not on others; its numbers by simulation."""

import warnings

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.special import binom, eval_hermitenorm, gamma, ndtr

from tests.separation.mixtures import mixture
from unmix.algorithms.independent.gaussianity import (
    FUNCTIONS,
    critical_value,
    null,
    sum_few,
    sum_many,
    tail_probability,
)
from unmix.separation import FastICA, GaussianSourcesWarning


def fitted(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return FastICA(random_state=0).fit(X)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("n, k", [(200, 3), (2000, 2), (1000, 4)])
def test_gaussian_rows_stay_below_one(n, k):
    """40 tables at a level of 1 %: three above have a probability of 0.8 %."""
    sizes = [fitted(np.random.default_rng(i).normal(size=(n, k))).non_gaussianity_.max() for i in range(40)]
    assert sum(size > 1 for size in sizes) < 3


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_other_rows_are_above(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = FastICA(random_state=0).fit(mixture(kind, n=2000)[0])
    assert (model.non_gaussianity_ > 1).all()


@pytest.mark.slow_without_jit
def test_skewed_sources_are_seen():
    rng = np.random.default_rng(0)
    s = rng.gamma(20.0, size=(5000, 2))  # nearly mesokurtic
    assert (fitted(s @ rng.normal(size=(2, 2))).non_gaussianity_ > 1).all()


@pytest.mark.slow_without_jit
def test_one_gaussian_source_is_no_harm_two_are_told():
    rng = np.random.default_rng(0)
    sources = np.column_stack([rng.laplace(size=(3000, 3)), rng.normal(size=(3000, 2))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FastICA(random_state=0).fit(sources[:, :4])
    with pytest.warns(GaussianSourcesWarning, match="2 of 5 sources"):
        FastICA(random_state=0).fit(sources)


@pytest.mark.slow_without_jit
def test_gaussian_signals_with_memory_do_not_pass_for_others():
    noise = np.random.default_rng(0).normal(size=(20_000, 3))
    signals = np.column_stack([lfilter([1], [1, -a], noise[:, i]) for i, a in enumerate((0.99, 0.9, -0.95))])
    assert (fitted(signals).non_gaussianity_ < 1).all()


@pytest.mark.parametrize("which", [0, 1])
def test_numbers_of_the_null_by_simulation(which):
    law, nu = null(which), np.random.default_rng(0).normal(size=400_000)
    values = FUNCTIONS[which](nu)
    design = np.column_stack([np.ones_like(nu), nu, nu**2 - 1])
    coefficients, *_ = np.linalg.lstsq(design, values, rcond=None)
    np.testing.assert_allclose(coefficients, [law.mean, law.linear, law.quadratic], atol=2e-3)
    assert np.var(values - design @ coefficients) == pytest.approx(law.variance, rel=0.02)


def test_the_largest_of_a_field_on_the_circle():
    """On the circle the fourth-order field is a random polynomial; its maximum by simulation against the formula."""
    rng = np.random.default_rng(0)
    angles = np.linspace(0, np.pi, 181)
    c, s = np.cos(angles), np.sin(angles)
    # H4 of c x + s y is Σ_j C(4,j) c^j s^(4-j) H_j(x) H_(4-j)(y), of variance 24: five independent coefficients
    basis = np.stack([np.sqrt(binomial) * c**j * s ** (4 - j) for j, binomial in enumerate((1, 4, 6, 4, 1))])
    largest = np.abs(rng.normal(size=(20_000, 5)) @ basis).max(axis=1)
    for u in (2.5, 3.0, 3.5):
        assert tail_probability(np.array([u]), 2, 4.0)[0] == pytest.approx((largest > u).mean(), rel=0.15, abs=2e-4)
    x, y = rng.normal(size=(2, 10))
    direct = eval_hermitenorm(4, 0.6 * x + 0.8 * y)
    parts = [
        b * 0.6**j * 0.8 ** (4 - j) * eval_hermitenorm(j, x) * eval_hermitenorm(4 - j, y)
        for j, b in enumerate((1, 4, 6, 4, 1))
    ]
    np.testing.assert_allclose(direct, np.sum(parts, axis=0), atol=1e-9)


def test_more_sources_allow_for_more_searching():
    values = [critical_value(k, 0) for k in (1, 2, 4, 8, 16, 40)]
    assert values[0] == pytest.approx(2.807, abs=0.01)  # two-sided, level 0.005
    assert all(np.diff(values) > 0)
    assert values[-1] < 25


@pytest.mark.parametrize("which", (0, 1))
def test_hundreds_of_sources_have_a_critical_value(which):
    """Polynomials of that degree leave the range of floats; the values go on growing as the root of the dimension."""
    many = np.array([100, 200, 400, 1000])
    values = np.array([critical_value(int(k), which) for k in many])
    slopes = np.diff(values) / np.diff(np.sqrt(many))
    np.testing.assert_allclose(slopes, slopes[0], rtol=0.02)


def tail_by_definition(u, k, roughness):
    """The sum over curvatures of the sphere as it is written in the book."""
    total = 0.0
    for j in range((k - 1) % 2, k, 2):
        areas = [2 * np.pi ** (m / 2) / gamma(m / 2) for m in (k, k - j)]
        density = ndtr(-u) if j == 0 else eval_hermitenorm(j - 1, u) * np.exp(-u * u / 2) / (2 * np.pi) ** ((j + 1) / 2)
        total += roughness ** (j / 2) * 2 * binom(k - 1, j) * areas[0] / areas[1] * density
    return total


@pytest.mark.parametrize("k", (2, 3, 10, 31))
def test_the_tail_is_that_of_the_definition(k):
    u = np.array([2.5, 6.0, 9.0, 15.0])
    np.testing.assert_allclose(tail_probability(u, k, 3.0), tail_by_definition(u, k, 3.0), rtol=1e-8)


@pytest.mark.parametrize("n", [5, 64, 203])
def test_sums_of_few_rows_are_those_of_the_compiled_loops_and_of_the_definition(n):
    rng, length = np.random.default_rng(n), 16
    s, w = rng.normal(size=(3, n)), rng.random(n)
    few, many = sum_few(s, w, length), sum_many(s, w, length)
    np.testing.assert_allclose(few, many, rtol=1e-10, atol=1e-12)
    for which, function in enumerate((lambda y: np.log(np.cosh(y)), lambda y: y * np.exp(-(y**2) / 2))):
        law = null(which)
        rest = function(s) - law.mean - law.linear * s - law.quadratic * (s**2 - 1)
        runs = np.reshape([rest[:, at : at + length].sum(axis=1) for at in range(0, n - length + 1, length)], (-1, 3))
        np.testing.assert_allclose(few[which, 0], function(s) @ w)
        np.testing.assert_allclose(few[which, 2], runs.sum(axis=0))
        np.testing.assert_allclose(few[which, 3], (runs**2).sum(axis=0))
