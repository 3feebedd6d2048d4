"""Differential entropies against closed forms, scipy, and how they must change with the data."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from unmix.information import differential_entropy, gaussian_entropy

rng = np.random.default_rng(0)


def test_gaussian_agrees_with_scipy():
    A = rng.normal(size=(4, 6))
    sigma = A @ A.T
    assert gaussian_entropy(sigma, base=np.e) == pytest.approx(multivariate_normal(cov=sigma).entropy())
    assert gaussian_entropy(4.0) == pytest.approx(0.5 * np.log2(2 * np.pi * np.e * 4))
    assert gaussian_entropy([[1.0, 1.0], [1.0, 1.0]]) == -np.inf
    scales = np.diag([1e-9, 1e9])  # far from singular, only in different units
    assert gaussian_entropy(scales @ scales) == pytest.approx(gaussian_entropy(np.eye(2)))


@pytest.mark.parametrize("d", [1, 2, 4])
def test_samples_of_known_densities(d):
    root = rng.normal(size=(d, d)) + 2 * np.eye(d)
    sigma = root @ root.T
    rows = rng.multivariate_normal(np.zeros(d), sigma, 4000)
    assert differential_entropy(rows) == pytest.approx(gaussian_entropy(sigma), abs=0.12)
    assert differential_entropy(rng.uniform(0, 8, (4000, d))) == pytest.approx(3 * d, abs=0.12 * d)


def test_exponential_and_two_clusters():
    assert differential_entropy(rng.exponential(1.0, 5000)) == pytest.approx(np.log2(np.e), abs=0.08)
    apart = np.concatenate([rng.normal(0, 1, 3000), rng.normal(1e4, 1, 3000)])  # one bit more than one of them
    assert differential_entropy(apart) == pytest.approx(1 + gaussian_entropy(1.0), abs=0.08)


def test_follows_linear_maps_exactly_and_ignores_order():
    rows, A = rng.normal(size=(300, 3)) ** 3, rng.normal(size=(3, 3))
    expected = differential_entropy(rows) + np.log2(abs(np.linalg.det(A)))
    assert differential_entropy(rows @ A + 5) == pytest.approx(expected)
    assert differential_entropy(rows[rng.permutation(300)]) == pytest.approx(differential_entropy(rows))
    assert differential_entropy(rows * 1e200) == pytest.approx(differential_entropy(rows) + 3 * np.log2(1e200))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_rounded_readings_are_read_as_spread(d):
    rows = np.round(rng.normal(0, 3, (20_000, d)))  # every value many times
    assert differential_entropy(rows) == pytest.approx(d * gaussian_entropy(9.0), abs=0.2 * d)
    repeated = np.repeat(rng.normal(size=(1000, d)), 2, axis=0)
    assert differential_entropy(repeated) == pytest.approx(d * gaussian_entropy(1.0), abs=0.3 * d)


def test_what_has_no_density():
    rows = rng.normal(size=(50, 2))
    assert differential_entropy(np.full(20, 0.1)) == -np.inf
    assert differential_entropy(np.column_stack([rows, rows[:, 0] + rows[:, 1]])) == -np.inf
    assert differential_entropy(np.column_stack([rows, np.full(50, 0.3)])) == -np.inf


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: gaussian_entropy([[1, 2], [3, 4]]), "symmetric"),
        (lambda: gaussian_entropy([[1, 2], [2, 1]]), "negative variance"),
        (lambda: gaussian_entropy(np.ones((2, 3))), "square"),
        (lambda: differential_entropy([1.0, np.nan, 2.0]), "NaN"),
        (lambda: differential_entropy([1.0, 2.0, 3.0], k=3), "k=3"),
        (lambda: differential_entropy(np.ones((3, 3))), "more rows"),
    ],
)
def test_bad_input_is_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("far", [1e4, 1e8, 1e12, 1e16])
@pytest.mark.parametrize("d", [1, 3])
def test_one_far_row_adds_only_its_own_distance(far, d):
    """Of n + 1 rows the far one has log ε = log far up to the shape of the rest; the others are as they were."""
    rows = np.random.default_rng(0).normal(size=(2000, d))
    plain = differential_entropy(rows, base=np.e)
    for sign in (1, -1):
        more = differential_entropy(np.vstack([rows, np.full((1, d), sign * far)]), base=np.e)
        assert abs(more - plain - d * np.log(far) / 2001) < 0.02


def test_a_covariance_is_judged_in_the_units_of_its_columns():
    wrong = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1e14]])
    with pytest.raises(ValueError, match="negative variance in some direction"):
        gaussian_entropy(wrong)
    skew = np.array([[1.0, 0.5, 0.0], [0.1, 1.0, 0.0], [0.0, 0.0, 1e14]])
    with pytest.raises(ValueError, match="not symmetric"):
        gaussian_entropy(skew)
    good = np.array([[1.0, 0.5], [0.5, 1.0]])
    scale = np.array([1e-9, 1e9])
    assert gaussian_entropy(good * np.outer(scale, scale)) == pytest.approx(gaussian_entropy(good), abs=1e-9)
