import numpy as np
import pytest

from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.expectation import expect
from unmix.inference.prototypes.soft_means import MANY, TILE, expect_means, near_order


@pytest.mark.parametrize("T", [0.01, 0.3, 10.0])
def test_what_many_clusters_leave_out_is_below_the_precision_of_their_path(T):
    rng = np.random.default_rng(0)
    X, k = rng.normal(size=(300, 3)), 2 * MANY
    clusters = Clusters(X[:k] + 0.1, np.full(k, 1 / k))
    fused, plain = (
        expect_means(X[near_order(X)], None, clusters, T),
        expect(X, None, MassConstrained(SquaredDistance(), T), clusters, 1 / T),
    )
    assert abs(fused.log_z - plain.log_z) < 1e-8 * len(X)
    np.testing.assert_allclose(fused.stats.mass, plain.stats.mass, rtol=0, atol=1e-8 * len(X))
    np.testing.assert_allclose(fused.stats.inner.sums, plain.stats.inner.sums, rtol=0, atol=1e-7 * len(X))


@pytest.mark.parametrize("n", [1, TILE, TILE + 1, 1000])
def test_near_rows_stand_together(n):
    X = np.random.default_rng(1).normal(size=(n, 2))
    order = near_order(X)
    assert (np.sort(order) == np.arange(n)).all()
    if n > 4 * TILE:
        scatter = [X[order[start : start + TILE]].var(axis=0).sum() for start in range(0, n, TILE)]
        assert np.mean(scatter) < 0.35 * X.var(axis=0).sum()
