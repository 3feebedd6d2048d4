import numpy as np
import pytest

from unmix.losses.parts import sigmoid

WIDE = np.concatenate([-np.geomspace(1e-12, 700, 400)[::-1], [0.0], np.geomspace(1e-12, 700, 400)])


@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-11), (np.float32, 1e-4)])
def test_all_three_keep_their_digits(dtype, tolerance):
    m = WIDE[np.abs(WIDE) < 80].astype(dtype)
    exact = m.astype(np.longdouble)
    slope = np.where(exact < 0, np.exp(exact), 1) / (1 + np.exp(-abs(exact)))
    half = np.tanh(abs(exact) / 2) / np.where(exact == 0, 1, 2 * abs(exact))
    found = sigmoid.parabola(m)
    np.testing.assert_allclose(found.tail, np.log1p(np.exp(-abs(exact))), rtol=tolerance)
    np.testing.assert_allclose(found.slope, slope, rtol=tolerance)
    np.testing.assert_allclose(found.curvature, np.where(exact == 0, 0.25, half), rtol=tolerance)
    for part, alone in zip(found, (sigmoid.softplus(m) - np.maximum(m, 0), sigmoid.sigmoid(m), sigmoid.curvature(m))):
        np.testing.assert_array_equal(part.dtype, alone.dtype)
        np.testing.assert_allclose(part, alone, rtol=1e-6, atol=100 * np.finfo(dtype).eps)


def test_infinite_numbers_have_their_limits():
    found = sigmoid.parabola(np.array([-np.inf, np.inf]))
    np.testing.assert_array_equal(found.tail, [0, 0])
    np.testing.assert_array_equal(found.slope, [0, 1])
    assert (found.curvature > 0).all() and (found.curvature < 1e-20).all()
