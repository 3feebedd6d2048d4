import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.metrics import log_loss

from unmix.losses import Logistic, Multinomial

rng = np.random.default_rng(0)
x = rng.integers(0, 4, size=(100, 1)).astype(float)
m = 3 * rng.normal(size=(100, 4))


def test_it_is_the_log_probability():
    p = softmax(m, axis=1)
    true = [-stats.multinomial.logpmf(np.eye(4)[int(level)], 1, row) for level, row in zip(x.ravel(), p)]
    np.testing.assert_allclose(Multinomial(4).value(x, m).ravel(), true, rtol=1e-9)
    np.testing.assert_allclose(Multinomial(4).value(x, m).mean(), log_loss(x.ravel(), p), rtol=1e-12)


def test_two_levels_are_the_logistic_loss_and_its_parabola():
    bits, line = (x > 1).astype(float), m[:, :1]
    both = np.hstack([-line / 2, line / 2])
    value, gradient, curvature = Multinomial(2).parabola(bits, both)
    np.testing.assert_allclose(value, Logistic().value(bits, line), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(gradient[:, 1:], Logistic().gradient(bits, line), rtol=1e-9, atol=1e-14)
    # a step t of the difference moves each by t / 2: two halves of c (t / 2)² make ½ w t²
    np.testing.assert_allclose(curvature.sum(axis=1, keepdims=True) / 4, Logistic().curvature(bits, line), rtol=1e-9)


@pytest.mark.parametrize("n_levels", [2, 3, 6])
def test_nothing_rises_above_the_parabola_however_it_is_searched(n_levels):
    loss, cell, own = Multinomial(n_levels), np.zeros((1, 1)), np.random.default_rng(n_levels)
    worst = 0.0
    for scale in (0.0, 0.3, 1.0, 3.0, 6.0):
        at = scale * own.normal(size=(1, n_levels))
        value, gradient, curvature = loss.parabola(cell, at)

        def ratio(step, at=at, value=value, gradient=gradient, curvature=curvature):
            rise = loss.value(cell, at + step) - value - (gradient * step).sum()
            return -float(rise[0, 0]) / (0.5 * float((curvature * step**2).sum()) + 1e-12)

        for size in (0.5, 4.0):
            worst = max(worst, -minimize(ratio, size * own.normal(size=n_levels), method="L-BFGS-B").fun)
    assert 0.5 < worst <= 1 + 1e-6


def test_the_parabola_is_never_steeper_than_the_common_bound_and_flatter_for_rare_levels():
    curvature = Multinomial(4).curvature(x, m)
    assert (curvature <= 0.5).all()
    p = softmax(m, axis=1)
    np.testing.assert_allclose(curvature, (1 - 2 * p) / np.log((1 - p) / p), rtol=1e-6)


def test_near_even_odds_the_curvature_is_smooth():
    for dtype, tolerance in ((np.float64, 1e-11), (np.float32, 1e-4)):
        line = np.geomspace(1e-8, 0.5, 300)[:, None]
        both = np.hstack([line, np.zeros_like(line)])
        true = np.tanh(line / 2) / line
        found = Multinomial(2).curvature(np.zeros((300, 1), dtype), both.astype(dtype))
        np.testing.assert_allclose(found[:, :1], true, rtol=tolerance)


def test_the_constant_gives_the_shares_and_knows_levels_never_seen():
    loss = Multinomial(6)
    found = softmax(loss.constant(x, np.ones(100)))
    np.testing.assert_allclose(found, np.bincount(x.ravel().astype(int), minlength=6) / 100, atol=1e-6)
    assert Multinomial().fitted(x, np.ones(100)) == Multinomial(4) and Multinomial(4).degrees() == 3
