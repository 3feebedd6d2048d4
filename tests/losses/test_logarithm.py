"""Numbers by their logarithms: log-normal means and deviations, and what lies beyond all that was seen."""

import numpy as np
import pytest

from unmix.losses import Logarithm

rng = np.random.default_rng(0)
AMOUNTS = np.exp(rng.normal(1, 0.8, size=(400, 2)))
AMOUNTS[::7, 1] = 0.0
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
wide = Logarithm(columns=((0.0, 1.0, 0.7, -40.0, 40.0),))


def test_targets_are_standardised_logarithms():
    loss = Logarithm().fitted(AMOUNTS, np.ones(400))
    found = loss.targets(AMOUNTS)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(found.std(axis=0), 1, rtol=1e-12)
    np.testing.assert_allclose(found[:, 0], (np.log(AMOUNTS[:, 0]) - loss.columns[0][1]) / loss.columns[0][2])
    np.testing.assert_allclose(loss.best(found), AMOUNTS, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-6, 1e9])
def test_units_do_not_matter(unit):
    one, other = (Logarithm().fitted(x, np.ones(400)).targets(x) for x in (AMOUNTS, AMOUNTS * unit))
    np.testing.assert_allclose(one, other, atol=1e-9)


@pytest.mark.parametrize("variance", [0.0, 0.3, 1.5])
def test_mean_and_deviation_are_those_of_a_law_integrated(variance):
    m = np.array([[1.0], [2.0], [3.0]])
    values = wide.best((m + np.sqrt(variance) * NODES).reshape(-1, 1)).reshape(3, -1)
    mean = values @ WEIGHTS
    square = (values - mean[:, None]) ** 2 @ WEIGHTS
    spread = np.full_like(m, variance)
    np.testing.assert_allclose(wide.mean(m, spread)[:, 0], mean, rtol=1e-9)
    np.testing.assert_allclose(wide.deviation(m, spread)[:, 0], np.sqrt(square), rtol=1e-7, atol=1e-12)


def test_intervals_go_through_the_exponential():
    low, high = wide.interval(np.array([[1.0]]), np.array([[2.0]]))
    assert (low[0, 0], high[0, 0]) == pytest.approx((np.exp(1.7), np.exp(2.4)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_new_rows_lie_no_farther_below_what_was_seen_than_it_reaches(dtype):
    loss = Logarithm().fitted(AMOUNTS[:, :1], np.ones(400))
    least, largest = AMOUNTS[:, 0].min(), AMOUNTS[:, 0].max()
    x = np.array([[-5.0], [0.0], [least / 2], [largest * 9]], dtype)
    expected = loss.targets(np.array([[0.5 * least**2 / largest]] * 2 + [[least / 2], [largest * 9]]))
    assert loss.problem(x) == "" and loss.targets(x).dtype == dtype
    np.testing.assert_allclose(loss.targets(x), expected, rtol=1e-5)
    assert -15 < expected[0, 0] < expected[2, 0]


def test_the_number_expected_is_no_larger_than_twice_what_was_seen():
    loss = Logarithm().fitted(AMOUNTS[:, :1], np.ones(400))
    assert loss.mean(np.array([[50.0]]), np.ones((1, 1)))[0, 0] == pytest.approx(2 * AMOUNTS[:, 0].max())


@pytest.mark.parametrize("value", [0.0, 0.1, 7.0])
def test_columns_of_one_number_are_no_noise(value):
    loss = Logarithm().fitted(np.full((50, 1), value), np.ones(50))
    targets = loss.targets(np.full((50, 1), value))
    assert np.abs(targets).max() < 1e-9 or value == 0
    assert np.ptp(targets) == 0 and np.abs(targets).max() < 1
