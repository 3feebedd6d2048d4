"""Generators keep what they promise: distances, proportions, covariances, seeds."""

import numpy as np
import pytest
from scipy import stats

from unmix.datasets import blobs, gaussian, skewed, student_t, tibshirani, uniform
from unmix.datasets.blobs import scattered_centers


@pytest.mark.parametrize("k, d", [(2, 2), (8, 2), (5, 10), (1, 3)])
def test_centres_keep_their_distance(k, d):
    centers = scattered_centers(k, d, 6.0, np.random.default_rng(0))
    distance = np.linalg.norm(centers[:, None] - centers, axis=2)[np.triu_indices(k, 1)]
    assert centers.shape == (k, d)
    assert (distance >= 6.0).all()


def test_blobs_have_unit_spread_and_the_stated_proportions():
    X, y = blobs(6000, 3, 3, sizes=[1, 2, 3], random_state=0)
    assert np.bincount(y).tolist() == [1000, 2000, 3000]
    for c in range(3):
        assert np.allclose(X[y == c].std(axis=0), 1.0, atol=0.08)


def test_unequal_blobs_leave_no_cluster_empty():
    for seed in range(20):
        _, y = blobs(100, 2, 8, sizes="unequal", random_state=seed)
        assert len(y) == 100 and np.bincount(y, minlength=8).min() >= 3


def test_null_tables_have_the_distribution_they_name():
    assert stats.kstest(gaussian(2000, 1, random_state=0)[:, 0], "norm").pvalue > 0.01
    assert stats.kstest(uniform(2000, 1, random_state=0)[:, 0], "uniform").pvalue > 0.01
    assert stats.kstest(student_t(2000, 1, random_state=0)[:, 0], stats.t(3).cdf).pvalue > 0.01
    assert stats.kstest(skewed(2000, 1, random_state=0)[:, 0], "expon").pvalue > 0.01
    assert np.abs(np.corrcoef(gaussian(2000, 3, correlated=True, random_state=0).T) - np.eye(3)).max() > 0.2


@pytest.mark.parametrize("model, shape, k", [(1, (200, 10), 1), (2, (100, 2), 3), (5, (200, 3), 2)])
def test_published_models(model, shape, k):
    X, y = tibshirani(model, random_state=0)
    assert X.shape == shape and y.max() + 1 == k


@pytest.mark.parametrize("model, d", [(3, 3), (4, 10)])
def test_random_clusters_lie_one_apart(model, d):
    X, y = tibshirani(model, random_state=1)
    distance = np.linalg.norm(X[:, None] - X, axis=2)
    assert X.shape[1] == d and distance[y[:, None] != y].min() >= 1.0
    assert set(np.bincount(y)) <= {25, 50}


@pytest.mark.parametrize("draw", [blobs, gaussian, uniform, student_t, skewed])
def test_same_seed_same_table(draw):
    first, again, other = (draw(50, 3, random_state=seed) for seed in (7, 7, 8))
    first, again, other = (x[0] if isinstance(x, tuple) else x for x in (first, again, other))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_bad_requests_are_named():
    with pytest.raises(ValueError, match="n_rows=2"):
        blobs(2, 2, 3)
    with pytest.raises(ValueError, match="'equal', 'unequal'"):
        blobs(20, 2, 3, sizes="skewed")
    with pytest.raises(ValueError, match="3 positive numbers"):
        blobs(20, 2, 3, sizes=[1, 2])
    with pytest.raises(ValueError, match="give 1, 2, 3, 4 or 5"):
        tibshirani(6)
