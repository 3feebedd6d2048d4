import numpy as np
from scipy import stats

from unmix.losses import Periodic

rng = np.random.default_rng(0)
x, m = rng.uniform(0, 24, size=(200, 1)), 30 * rng.normal(size=(200, 1))
loss = Periodic(24.0)


def test_it_is_the_log_density_of_von_mises():
    angle = 2 * np.pi / 24
    found = loss.value(x, m) - loss.value(x, x)
    true = stats.vonmises.logpdf(x * angle, 1.0, loc=x * angle) - stats.vonmises.logpdf(x * angle, 1.0, loc=m * angle)
    np.testing.assert_allclose(found, true, atol=1e-12)


def test_whole_periods_change_nothing():
    for shift in (24.0, -240.0):
        for found, true in zip(loss.parabola(x + shift, m - shift), loss.parabola(x, m)):
            np.testing.assert_allclose(found, true, atol=1e-12)


def test_the_lowest_point_of_the_parabola_is_the_cell():
    _, gradient, curvature = loss.parabola(x, m)
    there = m - gradient / curvature
    np.testing.assert_allclose(loss.value(x, there), 0, atol=1e-9)


def test_the_constant_is_the_mean_direction():
    near_midnight = np.array([[23.0], [1.0], [23.5], [0.5]])
    assert abs((loss.constant(near_midnight, np.ones(4))[0] + 12) % 24 - 12) < 1e-9
    mean = stats.circmean(x, high=24.0)
    np.testing.assert_allclose(loss.constant(x, np.ones(200)), mean, rtol=1e-10)
    assert 0 <= loss.best(np.array([[-1.0]]))[0, 0] == 23.0
