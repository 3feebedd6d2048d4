"""Poisson and Kullback-Leibler against densities, and what their steps are safe for."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import rel_entr
from sklearn.metrics import mean_poisson_deviance

from unmix.losses import KullbackLeibler, Poisson

rng = np.random.default_rng(0)
x = rng.poisson(4.0, size=(200, 2)).astype(float)
m = rng.normal(size=(200, 2)) + 1


def test_poisson_is_the_log_density_below_its_best():
    true = stats.poisson.logpmf(x, np.where(x > 0, x, 1e-300)) - stats.poisson.logpmf(x, np.exp(m))
    np.testing.assert_allclose(Poisson().value(x, m), true, rtol=1e-9, atol=1e-12)
    deviance = mean_poisson_deviance(x.ravel(), np.exp(m).ravel())
    assert Poisson().value(x, m).mean() == pytest.approx(deviance / 2)


def test_both_are_one_loss_under_two_links():
    np.testing.assert_allclose(Poisson().value(x, m), KullbackLeibler().value(x, np.exp(m)), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(
        KullbackLeibler().value(x, np.exp(m)), rel_entr(x, np.exp(m)) - x + np.exp(m), atol=1e-12
    )


def test_poisson_keeps_its_digits_near_an_exact_fit():
    cells, off = np.full((1, 1), 1e6), 1e-7
    found = Poisson().value(cells, np.log(cells) + off)
    np.testing.assert_allclose(found, 1e6 * off**2 / 2, rtol=1e-2)


@pytest.mark.parametrize("cell", [0.0, 0.5, 7.0, 1e4])
def test_a_step_of_poisson_never_leaps_over_its_aim(cell):
    cells = np.full((400, 1), cell)
    models = np.linspace(-300, 60, 400)[:, None]
    value, gradient, curvature = Poisson().parabola(cells, models)
    step = -gradient / curvature
    assert (Poisson().value(cells, models + step) <= value * (1 + 1e-9)).all()
    if cell:
        aim = np.log(cell)
        assert (step * (aim - models) >= 0).all() and (abs(step) <= abs(aim - models) * (1 + 1e-9)).all()


@pytest.mark.parametrize("cell", [0.0, 0.5, 7.0, 1e4])
def test_a_step_of_kullback_leibler_never_leaps_over_its_aim(cell):
    cells = np.full((400, 1), cell)
    models = np.geomspace(1e-2, 1e6, 400)[:, None]
    loss = KullbackLeibler()
    value, gradient, curvature = loss.parabola(cells, models)
    there = models - gradient / curvature
    assert ((there - models) * (cell - models) >= 0).all()
    assert (loss.value(cells, np.maximum(there, 0)) <= value * (1 + 1e-9)).all()


def test_impossible_models_cost_infinity_and_have_finite_steps():
    cells, models = np.array([[1.0, 1.0, 0.0, 0.0]]), np.array([[0.0, -2.0, 0.0, -1.0]])
    value, gradient, curvature = KullbackLeibler().parabola(cells, models)
    np.testing.assert_array_equal(value, [[np.inf, np.inf, 0.0, np.inf]])
    assert np.isfinite(gradient).all() and np.isfinite(curvature).all() and (gradient[0, :2] < 0).all()


def test_units_of_kullback_leibler_change_no_step():
    models = np.exp(m)
    models[0] = 0
    one, ten = (KullbackLeibler().fitted(c * x, np.ones(200)).parabola(c * x, c * models) for c in (1.0, 1024.0))
    np.testing.assert_allclose(ten[1], one[1], rtol=1e-12)
    np.testing.assert_allclose(ten[2] * 1024, one[2], rtol=1e-12)


def test_a_column_of_zeros_has_a_constant():
    zeros = np.zeros((5, 1))
    assert Poisson().value(zeros, np.broadcast_to(Poisson().constant(zeros, np.ones(5)), (5, 1))).max() < 1e-6
    assert KullbackLeibler().constant(zeros, np.ones(5)) == 0
