"""Distances of rows do not depend on where the origin is, and neither do clusterings of them."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from unmix.cluster import PairwiseClustering
from unmix.embedding import PairwiseSOM
from unmix.shell.dissimilarity import row_distances

rng = np.random.default_rng(0)
X = np.round(64 * np.concatenate([rng.normal(size=(25, 2)) + c for c in ([0, 0], [4, 0], [0, 4])])) / 64
NEW = X[::3] + 0.25


@pytest.mark.parametrize("metric", ["euclidean", "l2", "sqeuclidean", "nan_euclidean", "manhattan", "cosine"])
def test_metrics_are_those_of_scikit_learn(metric):
    np.testing.assert_allclose(row_distances(X, metric=metric), pairwise_distances(X, metric=metric), atol=1e-6)
    expected = pairwise_distances(NEW, X, metric=metric)
    np.testing.assert_allclose(row_distances(NEW, X, metric=metric), expected, atol=1e-6)


def test_a_function_is_a_metric():
    found = row_distances(X[:4], metric=lambda a, b: float(np.abs(a - b).max()))
    np.testing.assert_array_equal(found, pairwise_distances(X[:4], metric="chebyshev"))


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean"])
@pytest.mark.parametrize("offset", [1.7e9, -(2.0**44)])  # exact, as the rows are multiples of 1/64
def test_distances_are_the_same_to_the_bit_after_a_translation(metric, offset):
    np.testing.assert_array_equal(row_distances(X + offset, metric=metric), row_distances(X, metric=metric))


@pytest.mark.parametrize("model", [PairwiseClustering(3, random_state=0), PairwiseSOM(3, random_state=0)])
@pytest.mark.parametrize("offset", [1.7e9, -(2.0**44)])
def test_clusterings_of_points_do_not_depend_on_the_origin(model, offset):
    here, there = model.fit(X), type(model)(**model.get_params()).fit(X + offset)
    np.testing.assert_array_equal(there.labels_, here.labels_)
    assert there.cost_ == here.cost_
    np.testing.assert_array_equal(there.predict(NEW + offset), here.predict(NEW))


def test_float32_rows_have_distances_of_their_exact_differences():
    rows = (X + 1e6).astype(np.float32)
    exact = np.sqrt(((rows[:, None].astype(np.longdouble) - rows) ** 2).sum(axis=2)).astype(float)
    np.testing.assert_allclose(row_distances(rows, metric="euclidean"), exact, rtol=1e-14)
