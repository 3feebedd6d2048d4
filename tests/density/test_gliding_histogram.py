"""The gliding histogram against its definition, counted row by row."""

import numpy as np
import pytest
from scipy.stats import kstest

from unmix.density import GlidingHistogram, KernelDensity

pytestmark = pytest.mark.slow_without_jit


def by_definition(X, queries, width, weights):
    inside = np.array([[float((np.abs(q - x) < width / 2).all()) for x in X] for q in queries])
    with np.errstate(divide="ignore"):
        return np.log(inside @ weights / (weights.sum() * np.prod(np.broadcast_to(width, X.shape[1]))))


@pytest.mark.parametrize("d", [1, 2, 4])
def test_it_counts_the_rows_in_the_window(d):
    rng = np.random.default_rng(d)
    X, queries, weights = rng.normal(size=(200, d)), 2 * rng.normal(size=(90, d)), rng.integers(1, 4, 200) + 0.0
    for width in (0.7, np.linspace(1, 3, d), 5.0):
        found = GlidingHistogram(width).fit(X, sample_weight=weights).score_samples(queries)
        expected = by_definition(X, queries, np.asarray(width), weights)
        assert np.array_equal(np.isneginf(found), np.isneginf(expected))
        np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("d", [1, 2])
def test_the_border_of_the_window_is_outside(d):
    X = np.zeros((1, d))
    model = GlidingHistogram(2.0).fit(X)
    queries = np.zeros((4, d))
    queries[:, -1] = [1.0, -1.0, 1 - 1e-12, 1e-12 - 1]
    assert np.isneginf(model.score_samples(queries)).tolist() == [True, True, False, False]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 3])
def test_rows_of_decimal_numbers_are_counted_as_on_paper(d, dtype):
    rng = np.random.default_rng(d)
    for decimals, offset in ((1, 0), (2, 100), (3, 7)):
        unit = 10**decimals
        rows, asked = (rng.integers(-30, 30, (n, d)) + offset * unit for n in (200, 100))
        for half in (3, 7, 12):
            model = GlidingHistogram(2 * half / unit).fit((rows / unit).astype(dtype))
            found = np.exp(model.score_samples((asked / unit).astype(dtype))) * 200 * (2 * half / unit) ** d
            on_paper = (np.abs(rows - asked[:, None]) < half).all(axis=2).sum(axis=1)
            np.testing.assert_allclose(found, on_paper, rtol=1e-4, atol=1e-4)


def test_numbers_too_coarse_for_the_window_still_count_themselves():
    X = np.array([[1e16], [1e16], [2e16], [3.0]])
    found = np.exp(GlidingHistogram(1.0).fit(X).score_samples(X))
    np.testing.assert_allclose(found, [0.5, 0.5, 0.25, 0.25])


def test_a_heavy_row_elsewhere_takes_no_digits():
    X, weights = np.array([[0.0], [1.0], [1.2], [1.4], [5.0]]), np.array([1e20, 0.1, 0.2, 0.3, 1e20])
    found = GlidingHistogram(1.0).fit(X, sample_weight=weights).score_samples([[1.2], [1.6], [3.0]])
    np.testing.assert_allclose(found, [np.log(0.6 / 2e20), np.log(0.5 / 2e20), -np.inf], rtol=1e-14)


def test_it_is_the_box_kernel_by_its_own_name():
    X = np.random.default_rng(0).normal(size=(100, 2))
    for width in ("likelihood", "scott", 1.3, [0.5, 2.0]):
        mine, other = GlidingHistogram(width).fit(X), KernelDensity(width, kernel="box", shape="axes").fit(X)
        assert np.array_equal(mine.score_samples(X), other.score_samples(X))
    assert set(GlidingHistogram().get_params()) == {"width", "shape", "cv", "random_state"}


def test_samples_fill_the_windows():
    X = np.array([[0.0, 5.0], [1.0, -5.0]])
    draws = GlidingHistogram([2.0, 1.0], random_state=0).fit(X, sample_weight=[3, 1]).sample(4000)
    first = draws[draws[:, 1] > 0]
    assert abs(len(first) / 4000 - 0.75) < 0.03
    assert kstest(first[:, 0], "uniform", args=(-1, 2)).pvalue > 1e-3
    assert kstest(first[:, 1], "uniform", args=(4.5, 1)).pvalue > 1e-3


def test_errors_speak_of_the_width():
    X = np.zeros((3, 2))
    for width, sentence in ((0, "=0"), ("best", "='best'"), ([1.0], "has shape"), (np.eye(2), "sides")):
        with pytest.raises(ValueError, match=f"^width.*{sentence}"):
            GlidingHistogram(width).fit(X)
    with pytest.raises(ValueError, match='give "axes" or "ball"'):
        GlidingHistogram(shape="full").fit(X)
