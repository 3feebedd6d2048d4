"""The compiled functions are as exact as they say, at every size of argument."""

import numpy as np
import pytest

from unmix.algorithms.independent.hyperbolic import (
    RUN,
    constants,
    fill_bell,
    fill_log_cosh,
    fill_tanh,
    fill_tanh_and_log,
)

rng = np.random.default_rng(0)
POINTS = np.concatenate([rng.normal(size=1500) * 3, rng.normal(size=200) * 1e-4, [0, 20.5, -20.5, 100, -1e4, 1e15]])


@pytest.mark.parametrize("dtype, error", [(np.float32, 2e-7), (np.float64, 4e-16)])
def test_errors_are_within_what_is_said(dtype, error):
    y = POINTS.astype(dtype)
    exact, out, numbers = y.astype(np.longdouble), np.empty_like(y), constants(dtype)
    fill_tanh(y, dtype(1), out, numbers)
    assert np.abs(out - np.tanh(exact)).max() < error
    fill_bell(y, out, dtype(0.5), numbers)
    with np.errstate(under="ignore"):
        assert np.abs(out - np.exp(-exact * exact / 2)).max() < error
    fill_log_cosh(y, out, numbers)
    wanted = np.logaddexp(exact, -exact) - np.log(np.longdouble(2))
    assert (np.abs(out - wanted) / (1 + wanted)).max() < 2 * error


@pytest.mark.parametrize("dtype, error", [(np.float32, 1e-6), (np.float64, 1e-14)])
def test_logarithms_of_products_are_sums_of_logarithms(dtype, error):
    y = np.tile(rng.normal(size=RUN), 70).astype(dtype)  # more runs than float32 could hold as one product
    out = np.empty_like(y)
    total = fill_tanh_and_log(y, dtype(0.5), out, np.empty(RUN, dtype), constants(dtype))
    assert total == pytest.approx(np.log1p(np.exp(-np.abs(y.astype(float)))).sum(), rel=error)
    np.testing.assert_allclose(out, np.tanh(0.5 * y.astype(float)), atol=10 * error)
