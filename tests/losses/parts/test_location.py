import numpy as np
import pytest

from unmix.losses.parts.location import root, weighted_quantile


@pytest.mark.parametrize("level", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_weighted_quantiles_are_those_of_repeated_rows(level):
    rng = np.random.default_rng(0)
    x, weights = rng.integers(0, 9, size=(50, 2)).astype(float), rng.integers(0, 4, 50)
    x[3, 0], x[5], weights[5] = np.nan, -100, 0  # what has no weight is not there
    found = weighted_quantile(x, weights.astype(float), level)
    for j in range(2):
        values = np.repeat(x[:, j], weights)
        true = np.quantile(values[~np.isnan(values)], level, method="inverted_cdf")
        assert found[j] == true


def test_roots_of_slopes_that_are_steep_flat_and_straight():
    aim = np.array([-0.3, 0.0, 0.999, 0.5, 0.2])

    def slope(m):
        r = m - aim
        return np.stack([r[0], np.clip(1e6 * r[1], -1, 1), np.expm1(30 * r[2]), r[3] ** 3, np.sign(r[4])])

    found = root(slope, np.full(5, -1.0), np.full(5, 1.0))
    np.testing.assert_allclose(found[[0, 1, 2, 4]], aim[[0, 1, 2, 4]], atol=1e-12)
    assert abs(found[3] - aim[3]) < 1e-4  # flat: any of these is as good
