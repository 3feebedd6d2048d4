"""Rows of few columns against NumPy's own sums, bit by bit."""

import numpy as np
import pytest

from unmix.core.summation.short_rows import least_of_rows, sums_of_rows


@pytest.mark.parametrize("columns", [1, 2, 3, 7, 8, 9, 15, 16, 40])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_bits_are_those_of_numpy(columns, dtype, order):
    x = np.asarray(np.random.default_rng(columns).normal(size=(50, columns)), dtype, order=order)
    kept = x.copy()
    for ours, plain in ((sums_of_rows(x), x.sum(axis=1)), (least_of_rows(x), x.min(axis=1))):
        assert ours.shape == (50, 1) and ours.dtype == dtype
        np.testing.assert_array_equal(ours[:, 0], plain)
    np.testing.assert_array_equal(x, kept)


def test_what_is_no_number_stays_so_and_no_rows_have_no_sums():
    x = np.array([[1.0, np.nan, 2.0], [np.inf, 0.0, 1.0]])
    np.testing.assert_array_equal(sums_of_rows(x)[:, 0], [np.nan, np.inf])
    assert np.isnan(least_of_rows(x)[0, 0]) and least_of_rows(x)[1, 0] == 0.0
    assert sums_of_rows(np.empty((0, 3))).shape == least_of_rows(np.empty((0, 3))).shape == (0, 1)
