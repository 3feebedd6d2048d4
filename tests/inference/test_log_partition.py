"""Laplace's method against Gaussian integrals and a quadrature, in any units."""

import numpy as np
import pytest
from scipy.integrate import quad

from unmix.inference.log_partition import laplace

rng = np.random.default_rng(0)


@pytest.mark.parametrize("width", [1e-12, 1e-5, 1.0, 1e9])
@pytest.mark.parametrize("temperature", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_gaussian_integrals_are_exact_in_any_units(width, temperature, offset):
    root = rng.normal(size=(2, 2))
    precision, center = root @ root.T + 0.3 * np.eye(2), 5 * width * rng.normal(size=2)

    def f(y):
        z = (y - center) / width
        return temperature * (z @ precision @ z / 2 + offset)

    exact = np.log(2 * np.pi) + 2 * np.log(width) - np.linalg.slogdet(precision)[1] / 2 - offset
    assert laplace(f, np.zeros(2), temperature) == pytest.approx(exact, abs=1e-5)


def test_a_coordinate_in_its_own_units_and_a_far_start():
    def f(y):
        return float((y[0] / 1e-5) ** 2 / 2 + (y[1] / 1e3) ** 2 / 2)

    assert laplace(f, np.array([0.3, 20.0]), 1.0) == pytest.approx(np.log(2 * np.pi * 1e-2), abs=1e-5)


@pytest.mark.parametrize("width", [1e-5, 1.0])
def test_low_temperatures_agree_with_a_quadrature(width):
    def f(y):
        z = float(np.ravel(y)[0]) / width
        return np.cosh(z) + 0.3 * z**4

    exact = np.log(quad(lambda z: np.exp(-(f(z * width) - 1.0) / 0.001), -1, 1, points=[0.0])[0] * width) - 1 / 0.001
    assert laplace(f, np.array([0.4 * width]), 0.001) == pytest.approx(exact, abs=0.01)


def test_no_minimum_is_named():
    for f in (lambda y: float(y[0]), lambda y: 1.0):
        with pytest.raises(ValueError, match="no strict minimum"):
            laplace(f, np.zeros(1), 1.0)
