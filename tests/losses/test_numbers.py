"""Absolute, Huber and quantile against their definitions and the libraries that have them."""

import numpy as np
import pytest
from scipy.special import huber
from sklearn.metrics import mean_absolute_error, mean_pinball_loss

from unmix.losses import Absolute, Huber, Quantile

rng = np.random.default_rng(0)
x, m = rng.normal(size=(200, 1)), rng.normal(size=(200, 1))


def test_huber_is_that_of_scipy():
    np.testing.assert_allclose(Huber(0.7).value(x, m), huber(0.7, x - m), rtol=1e-14)


def test_absolute_is_rounded_below_a_width_alone():
    r = x - m
    wide = Absolute(0.5).value(x, m)
    np.testing.assert_allclose(wide, np.where(abs(r) < 0.5, (r**2 / 0.5 + 0.5) / 2, abs(r)), rtol=1e-14)
    assert Absolute(0.5).value(x, x) == pytest.approx(0.25)
    assert Absolute(1e-9).value(x, m).mean() == pytest.approx(mean_absolute_error(x, m))


@pytest.mark.parametrize("level", [0.1, 0.5, 0.97])
def test_quantile_is_the_pinball_loss(level):
    found = Quantile(level, rounding=1e-9).value(x, m).mean()
    assert found == pytest.approx(mean_pinball_loss(x, m, alpha=level), rel=1e-8)
    assert (Quantile(level, rounding=2.0).value(x, m) >= Quantile(level, rounding=1e-9).value(x, m)).all()


@pytest.mark.parametrize("level", [0.1, 0.5, 0.97])
def test_constants_are_quantiles_up_to_the_rounding(level):
    values = rng.normal(size=(501, 2)) * [1, 30]
    found = Quantile(level, rounding=1e-6).constant(values, np.ones(501))
    np.testing.assert_allclose(found, np.quantile(values, level, axis=0, method="inverted_cdf"), atol=1e-6)
    if level == 0.5:
        np.testing.assert_allclose(Absolute(1e-6).constant(values, np.ones(501)), np.median(values, axis=0), atol=1e-6)


def test_the_constant_of_huber_lies_between_median_and_mean():
    values = rng.exponential(size=(301, 1))
    ones = np.ones(301)
    np.testing.assert_allclose(Huber(1e-6).constant(values, ones), np.median(values), atol=1e-5)
    np.testing.assert_allclose(Huber(1e3).constant(values, ones), values.mean(), rtol=1e-12)


def test_parameters_by_column_are_as_many_as_columns():
    with pytest.raises(ValueError, match="3 parameters for 1 columns"):
        Huber((1.0, 2.0, 3.0)).value(x, m)
    np.testing.assert_array_equal(Huber((0.7,)).value(x, m), Huber(0.7).value(x, m))


def test_a_far_value_does_not_move_them():
    values = rng.normal(size=(101, 1))
    far = np.vstack([values, [[1e300]], [[-1e300]]])
    for loss in (Absolute(), Huber(), Quantile()):
        np.testing.assert_allclose(loss.constant(far, np.ones(103)), loss.constant(values, np.ones(101)), atol=1e-9)
