"""What a fitted model is asked of a loss: second derivatives, errors, probabilities."""

import numpy as np
import pytest
from scipy.special import expit, softmax

from tests.losses.test_losses import BITS, CASES, every, fitted, models
from unmix.losses import Indicators, Logistic, Multinomial, Ordinal

rng = np.random.default_rng(0)


@every
def test_newton_has_the_value_and_gradient_of_the_parabola(loss, x):
    loss = fitted(loss, x)
    m = models(loss, x)
    for found, true in zip(loss.newton(x, m)[:2], loss.parabola(x, m)[:2]):
        np.testing.assert_allclose(found, true, rtol=1e-10, atol=1e-12)
    assert (loss.newton(x, m)[2] > 0).all()


@pytest.mark.parametrize("name", ["squared", "logistic", "ordinal", "scores", "logarithm"])
def test_its_curvature_is_the_second_derivative(name):
    loss = fitted(*CASES[name])
    x, step = CASES[name][1], 1e-5
    m = models(loss, x, 1.0)
    true = (loss.gradient(x, m + step) - loss.gradient(x, m - step)) / (2 * step)
    np.testing.assert_allclose(loss.newton(x, m)[2], true, rtol=1e-4, atol=1e-5)


def test_levels_that_are_equally_probable_have_the_exact_curvature():
    x, step = np.zeros((1, 1)), np.array([[1.0, -1.0, 0.0]])  # a direction that the levels share
    loss = Multinomial(3)
    bend = loss.newton(x, np.zeros((1, 3)))[2]
    far = [loss.value(x, t * 1e-3 * step)[0, 0] for t in (-1, 0, 1)]
    assert float((bend * step**2).sum()) == pytest.approx((far[0] - 2 * far[1] + far[2]) / 1e-6, rel=1e-4)


def test_confidence_of_categories_is_the_largest_probability():
    m = 2 * rng.normal(size=(50, 4))
    shares = softmax(m, axis=1)
    np.testing.assert_allclose(Multinomial(4).confidence(m)[:, 0], shares.max(axis=1))
    bits = 2 * rng.normal(size=(50, 2))
    np.testing.assert_allclose(Logistic().confidence(bits), np.maximum(expit(bits), 1 - expit(bits)))


def test_confidence_of_ordered_levels_by_enumeration():
    loss = Ordinal(((-1.0, 0.5, 2.0),))
    m = 2 * rng.normal(size=(50, 1))
    above = np.hstack([np.ones((50, 1)), expit(m - np.array([-1.0, 0.5, 2.0])), np.zeros((50, 1))])
    probabilities = -np.diff(above, axis=1)
    np.testing.assert_allclose(loss.confidence(m)[:, 0], probabilities.max(axis=1))
    expected = probabilities @ np.arange(4)
    np.testing.assert_allclose(loss.error(np.full((50, 1), 2.0), m)[:, 0], (2 - expected) ** 2)


def test_shares_that_indicators_meet_are_the_confidence():
    loss = Indicators(shares=(0.2, 0.3, 0.5))
    truth = rng.dirichlet(np.ones(3), size=20)
    m = truth / np.sqrt(loss.shares)
    np.testing.assert_allclose(loss.confidence(m)[:, 0], truth.max(axis=1))
    np.testing.assert_array_equal(loss.best(m)[:, 0], truth.argmax(axis=1))


@pytest.mark.parametrize("loss, stands_for", [
    (Indicators(shares=(0.2, 0.3, 0.5)), lambda p: p / np.sqrt([0.2, 0.3, 0.5])),
    (Multinomial(3), np.log),
])  # fmt: skip
def test_errors_of_levels_are_briers_score(loss, stands_for):
    truth = rng.dirichlet(np.ones(3), size=20)
    x = rng.integers(0, 4, (20, 1)).astype(float)  # 3 is a level that the model does not have
    indicators = x == np.arange(4)
    brier = 0.5 * ((indicators - np.hstack([truth, np.zeros((20, 1))])) ** 2).sum(axis=1)
    np.testing.assert_allclose(loss.error(x, stands_for(truth))[:, 0], brier)


def test_errors_of_truth_values():
    m = rng.normal(size=BITS.shape)
    np.testing.assert_allclose(Logistic().error(BITS, m), (BITS - expit(m)) ** 2)


@every
def test_errors_bear_their_own_constants(loss, x):
    loss = fitted(loss, x)
    m = np.broadcast_to(loss.constant(x, np.ones(len(x))), (len(x), x.shape[1] * loss.width))
    errors = loss.error(x, m)
    assert errors.shape == x.shape and (errors >= 0).all() and np.isfinite(errors).all()
