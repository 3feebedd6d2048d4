"""Every density integrates to 1, and its samples come from it; tests that a false density does fail.

A new density joins by one line in DENSITIES.
"""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2, multivariate_t

from unmix.density import Categorical, Gaussian, GaussianMixture, GlidingHistogram, HistogramDensity, KernelDensity
from unmix.sampling import importance

LEVEL = 1e-4  # of the chi-square test; seeds are fixed


def cloud(d, seed=0):
    """Two groups, tilted, of unequal width."""
    rng = np.random.default_rng(seed)
    root = np.eye(d) + 0.4 * np.tri(d, k=-1)
    return np.vstack([rng.normal(size=(300, d)) @ root, 0.4 * rng.normal(size=(150, d)) + 2.5])


DENSITIES = {
    "Gaussian": lambda: Gaussian(random_state=0),
    "Gaussian, shrunk": lambda: Gaussian(shrinkage=0.5, unbiased=True, random_state=0),
    "GaussianMixture, full": lambda: GaussianMixture(2, random_state=0),
    "GaussianMixture, tied": lambda: GaussianMixture(2, covariance_type="tied", random_state=0),
    "GaussianMixture, diag": lambda: GaussianMixture(3, covariance_type="diag", tol=0.01, random_state=0),
    "GaussianMixture, spherical": lambda: GaussianMixture(3, covariance_type="spherical", random_state=0),
    "GaussianMixture, fixed": lambda: GaussianMixture(2, covariance_type="fixed", covariance=0.5, random_state=0),
    "HistogramDensity, likelihood": lambda: HistogramDensity(random_state=0),
    "HistogramDensity, plain": lambda: HistogramDensity(8, background=0, random_state=0),
    "KernelDensity, axes": lambda: KernelDensity("likelihood", random_state=0),
    "KernelDensity, full": lambda: KernelDensity("scott", shape="full", random_state=0),
    "GlidingHistogram": lambda: GlidingHistogram(random_state=0),
    "HistogramDensity, background": lambda: HistogramDensity(5, background=50, random_state=0),
}
every = pytest.mark.parametrize("name", DENSITIES)


def fitted(name, d):
    return DENSITIES[name]().fit(cloud(d))


def draws(model, n):
    rows = model.sample(n)
    return rows[0] if isinstance(rows, tuple) else rows


def masses(model, d, cells, fine):
    """The mass in each of ``cells``^d boxes around the rows, by ``fine``^d points in each, one at random in every part.

    Points in a row would all miss the edge of a cell of a histogram by the same amount.
    """
    X = cloud(d)
    reach = np.ptp(X, axis=0)
    edges = [np.linspace(a - r, b + r, cells + 1) for a, b, r in zip(X.min(0), X.max(0), reach)]
    ticks = [np.linspace(e[0], e[-1], 2 * cells * fine + 1)[1::2] for e in edges]
    points = np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, d)
    widths = np.array([tick[1] - tick[0] for tick in ticks])
    points += widths * (np.random.default_rng(0).random(points.shape) - 0.5)
    p = np.exp(model.score_samples(points)) * np.prod(widths)
    shape = [size for _ in range(d) for size in (cells, fine)]
    return p.reshape(shape).sum(axis=tuple(range(1, 2 * d, 2))), edges


def mismatch(model, d, n=6000):
    """Chi-square of draws against the density in boxes, those that expect less than 5 put together, and its limit."""
    expected, edges = masses(model, d, *((40, 500) if d == 1 else (16, 40)))
    counts = np.histogramdd(draws(model, n), edges)[0]
    expected, counts = np.append(n * expected, n * (1 - expected.sum())), np.append(counts, n - counts.sum())
    rare = expected < 5
    expected = np.append(expected[~rare], max(expected[rare].sum(), 1.0))
    counts = np.append(counts[~rare], counts[rare].sum())
    return ((counts - expected) ** 2 / expected).sum(), chi2.ppf(1 - LEVEL, len(expected) - 1)


def integral(model, d):
    """By importance sampling from a wide Student t, with its standard error."""
    X = cloud(d)
    wide = multivariate_t(X.mean(0), 2 * np.cov(X.T).reshape(d, d), df=4)
    found = importance(lambda x: np.ones(len(x)), model, wide, 40_000, random_state=0)
    total = np.exp(found.log_normalizer)
    return total, total * np.sqrt(1 / found.effective_sample_size - 1 / 40_000)


@pytest.mark.slow_without_jit
@every
@pytest.mark.parametrize("d", [1, 2])
def test_it_integrates_to_one(name, d):
    total = masses(fitted(name, d), d, *((40, 500) if d == 1 else (16, 40)))[0].sum()
    assert total == pytest.approx(1.0, abs=2e-3)


@pytest.mark.slow_without_jit
@every
def test_it_integrates_to_one_in_four_dimensions(name):
    total, error = integral(fitted(name, 4), 4)
    assert error < 0.05
    assert abs(total - 1) < 4 * error


@pytest.mark.slow_without_jit
@every
@pytest.mark.parametrize("d", [1, 2])
def test_samples_come_from_it(name, d):
    found, limit = mismatch(fitted(name, d), d)
    assert found < limit


class Broken:
    """A density with a wrong constant, or with draws from elsewhere."""

    def __init__(self, model, factor=1.0, stretch=1.0, shift=0.0):
        self.model, self.factor, self.stretch, self.shift = model, factor, stretch, shift

    def score_samples(self, X):
        return self.model.score_samples(X) + np.log(self.factor)

    def sample(self, n):
        rows = draws(self.model, n)
        return rows.mean(0) + self.stretch * (rows - rows.mean(0)) + self.shift


@pytest.mark.slow_without_jit
@every
def test_a_false_density_is_found_out(name):
    model = fitted(name, 2)
    assert masses(Broken(model, factor=1.05), 2, 16, 40)[0].sum() > 1.02
    total, error = integral(Broken(fitted(name, 4), factor=1.3), 4)
    assert total - 1 > 4 * error
    for wrong in ({"stretch": 1.2}, {"shift": 0.2}):
        found, limit = mismatch(Broken(model, **wrong), 2)
        assert found > limit


def test_categories_add_up_to_one_and_samples_have_their_shares():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.choice(["a", "b", "c"], 200, p=[0.6, 0.3, 0.1]), rng.choice(["x", "y"], 200)])
    for pseudo_count in (0.0, 2.0):
        model = Categorical(pseudo_count=pseudo_count, random_state=0).fit(X)
        rows = np.array(list(product(*model.categories_)))
        p = np.exp(model.score_samples(rows))
        assert p.sum() == pytest.approx(1.0, rel=1e-12)
        drawn = model.sample(5000)
        counts = np.array([(drawn == row).all(axis=1).sum() for row in rows])
        assert counts.sum() == 5000
        limit = chi2.ppf(1 - LEVEL, len(p) - 1)
        assert ((counts - 5000 * p) ** 2 / (5000 * p)).sum() < limit
        assert ((counts - 5000 / len(p)) ** 2 / (5000 / len(p))).sum() > limit  # even shares are found out
