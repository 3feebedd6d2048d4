import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from unmix.density import Categorical, Gaussian, GaussianMixture
from unmix.sampling import monte_carlo

KNOWN = {
    "a square of a normal": (lambda X: X[:, 0] ** 2, lambda n, rng: rng.normal(size=(n, 1)), 1.0),
    "an exponential": (lambda X: np.exp(X[:, 0]), lambda n, rng: rng.random(n), np.e - 1),
    "a quarter of a circle": (lambda X: (X**2).sum(axis=1) < 1, lambda n, rng: rng.random((n, 2)), np.pi / 4),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_integrals_lie_inside_the_stated_error(name):
    f, sampler, exact = KNOWN[name]
    runs = [monte_carlo(f, sampler, 1000, random_state=seed) for seed in range(200)]
    inside = {
        level: sum(low < exact < high for low, high in (run.interval(level) for run in runs))
        for level in (0.5, 0.95, 0.99)
    }
    assert inside[0.99] >= 190
    assert 179 <= inside[0.95] <= 199  # four standard deviations of the binomial law
    assert 72 <= inside[0.5] <= 128


def test_blocks_add_up_to_the_mean_and_error_of_all_draws(monkeypatch):
    drawn = []

    def sampler(n, rng):
        drawn.append(1e6 + rng.normal(size=(n, 2)))
        return drawn[-1]

    found = monte_carlo(lambda X: np.stack([X, 2 * X], axis=2), sampler, 20_001, random_state=0)
    X = np.concatenate(drawn)
    assert len(drawn) == 3
    assert max(map(len, drawn)) <= 8192
    assert found.mean.shape == (2, 2)
    np.testing.assert_allclose(found.mean[:, 0], X.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(found.standard_error[:, 1], 2 * X.std(axis=0, ddof=1) / np.sqrt(len(X)), rtol=1e-6)


def test_an_estimator_with_a_fixed_seed_does_not_draw_the_same_block_twice():
    X = np.random.default_rng(0).normal(size=(200, 2))
    mixture = GaussianMixture(1, random_state=0).fit(X)
    drawn = []
    monte_carlo(lambda X: drawn.append(X) or X[:, 0], mixture, 20_000, random_state=0)
    assert len(np.unique(np.concatenate(drawn)[:, 0])) == 20_000
    assert mixture.random_state == 0


@pytest.mark.parametrize("law", [norm(3, 2), multivariate_normal([3, 1], [[4, 1], [1, 2]])])
def test_laws_of_scipy_draw(law):
    low, high = monte_carlo(lambda X: X[:, 0], law, 4000, random_state=0).interval(0.999)
    assert low < 3 < high


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_the_error_scales_with_f_at_any_size(factor):
    """Two columns of f, each in a unit of its own, over several blocks."""
    plain = monte_carlo(lambda X: X, norm(), 20_000, random_state=0)
    scaled = monte_carlo(lambda X: X * [1.0, factor], norm(), 20_000, random_state=0)
    np.testing.assert_allclose(scaled.mean, plain.mean * [1.0, factor], rtol=1e-12)
    np.testing.assert_allclose(scaled.standard_error, plain.standard_error * [1.0, factor], rtol=1e-12)


def test_words_are_drawn_as_they_are():
    law = Categorical().fit(np.array([["red"], ["red"], ["blue"], ["red"]]))
    low, high = monte_carlo(lambda X: X[:, 0] == "blue", law, 20_000, random_state=0).interval(0.999)
    assert low < 0.25 < high


def test_runs_repeat():
    runs = [monte_carlo(lambda X: X[:, 0], norm(), 100, random_state=seed).mean for seed in (3, 3, 4)]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize(
    ("f", "sampler", "n", "words"),
    [
        (lambda X: X[:, 0], 3, 10, "sampler=3 cannot draw"),
        (lambda X: X[:, 0], norm(), 1, "n=1: give a whole number from 2"),
        (lambda X: X[:, 0], norm(), "many", "n='many': give a whole number from 2"),
        (None, norm(), 10, "f=None is no function"),
        (lambda X: 1j * X[:, 0], norm(), 10, "f gave values of type complex128"),
        (lambda X: X[:, 0], Gaussian, 10, "is a class; give one of its objects"),
        (lambda X: 1.0, norm(), 10, r"f gave shape \(\)"),
        (lambda X: X[:, 0] / 0, lambda n, rng: np.ones(n), 10, r"f gave inf at the point \[1\]"),
        (lambda X: X[:, 0], lambda n, rng: np.ones((n + 1, 2)), 10, "where 10 points"),
    ],
)
def test_bad_input_is_named(f, sampler, n, words):
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=words):
        monte_carlo(f, sampler, n)
