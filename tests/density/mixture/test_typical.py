"""The spread of most rows: the standard deviation, unless a few far rows make it."""

import numpy as np
import pytest

from unmix.core.scaling.standardize import measure_spread
from unmix.density.mixture.typical import measure_typical
from unmix.io.dispatch import as_blocks

X = np.random.default_rng(0).normal(size=(300, 3)) * [1.0, 20.0, 0.03] + [0.0, 5.0, 100.0]


def deviation(spread):
    return np.sqrt(spread.variance) / spread.units.scale


def test_without_far_rows_it_is_the_standard_deviation():
    spread = measure_typical(as_blocks(X), None)
    np.testing.assert_allclose(deviation(spread), X.std(axis=0), rtol=1e-12)
    np.testing.assert_array_equal(spread.units.scale, measure_spread(as_blocks(X)).units.scale)
    # the middle row of each column is at 0
    np.testing.assert_allclose(np.median(spread.units.enter(X), axis=0), 0, atol=0.02)


@pytest.mark.parametrize("far", [1e4, 1e8, 1e12])
@pytest.mark.parametrize("weights", [None, np.append(np.full(300, 2.0), 1.0)])
def test_a_far_row_is_as_if_absent(far, weights):
    rows = np.concatenate([X, np.full((1, 3), far)])
    np.testing.assert_allclose(deviation(measure_typical(as_blocks(rows), weights)), X.std(axis=0), rtol=1e-6)


def test_gaps_and_columns_of_mostly_one_value_are_told_from_far_rows():
    rows = np.column_stack([np.where(np.arange(300) % 7 == 0, np.nan, X[:, 0]), np.arange(300) > 280.0, np.ones(300)])
    found = deviation(measure_typical(as_blocks(rows), None))
    np.testing.assert_allclose(found, np.nanstd(rows, axis=0), atol=1e-12)
