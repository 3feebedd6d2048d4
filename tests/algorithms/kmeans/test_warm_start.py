"""K-means from given centres: what Lloyd's iteration cannot mend is mended, on few rows and on many."""

import numpy as np
import pytest
from sklearn.cluster import KMeans as SklearnKMeans

from unmix.algorithms.kmeans.warm_start import fit_from_centers
from unmix.cluster import SoftKMeans
from unmix.io.dispatch import as_blocks


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("n", [900, 6000])
def test_two_centres_in_one_group_are_parted(n):
    rng = np.random.default_rng(0)
    groups = 12.0 * np.stack(np.meshgrid(range(3), range(3)), axis=-1).reshape(9, 2)
    X = np.repeat(groups, n // 9 + 1, axis=0)[:n] + rng.normal(size=(n, 2))
    wrong = np.vstack([groups[:8], groups[0] + 0.5])  # two for the first group, none for the last
    stuck = SklearnKMeans(9, init=wrong, n_init=1).fit(X).inertia_
    found = fit_from_centers(as_blocks(X), None, wrong, 0, 0)
    best = SklearnKMeans(9, init=groups, n_init=1).fit(X).inertia_
    assert found.cost <= best * (1 + 1e-6) < 0.8 * stuck
    np.testing.assert_allclose(found.cost, ((X - found.centers[found.labels]) ** 2).sum(), rtol=1e-9)
    again = fit_from_centers(as_blocks(X), np.ones(n), wrong, 0, 0)
    np.testing.assert_allclose(again.centers, found.centers, rtol=1e-9)


@pytest.mark.slow_without_jit
def test_few_rows_are_as_good_as_from_many_starts():
    """Annealing of these rows ends where swaps do not lead to the best partition, 0.6 % below."""
    rng = np.random.default_rng(5)
    d, groups = int(rng.integers(2, 6)), int(rng.integers(2, 9))
    X = 2.0 * rng.normal(size=(groups, d))[rng.integers(0, groups, 60)] + rng.normal(size=(60, d))
    best = SklearnKMeans(4, n_init=100, random_state=0).fit(X).inertia_
    annealed = SoftKMeans(4, refine="lloyd").fit(X).cluster_centers_
    assert fit_from_centers(as_blocks(X), None, annealed, 0, 0).cost <= best * (1 + 1e-9)
