"""Labels, cost and distances of final centres against differences in extended precision."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.algorithms.kmeans.lloyd.labels_and_cost import assess, distances
from unmix.algorithms.kmeans.missing_entries import assess_partial
from unmix.algorithms.kmeans.missing_entries import distances as partial_distances
from unmix.algorithms.self_organizing_map.quality import assess_map, label_map
from unmix.io.dispatch import as_blocks

FAR = [1e4, 1e6, 1e9, 1e12]


def rows_and_centers(far: float, dtype: type, n_far: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Two unit clusters at 0 and 10, and far ones of two rows each."""
    rng = np.random.default_rng(0)
    near = np.concatenate([rng.normal(size=(300, 2)), 10 + rng.normal(size=(300, 2))])
    away = far * (1 + np.arange(n_far)[:, None]) * np.array([1.0, -1.0])
    X = np.concatenate([near, np.repeat(away, 2, axis=0)]).astype(dtype)
    return X, np.concatenate([[[0.1, -0.1], [9.9, 10.2]], away]).astype(dtype)


def squares(X: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return ((X[:, None].astype(np.longdouble) - centers.astype(np.longdouble)) ** 2).sum(axis=2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("n_far", [1, 5])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_far_centres_change_neither_labels_nor_cost(dtype, far, n_far, wrap):
    X, centers = rows_and_centers(far, dtype, n_far)
    weights = np.random.default_rng(1).integers(0, 3, len(X)).astype(float)
    found, expected = assess(as_blocks(wrap(X)), weights, centers), squares(X, centers)
    assert (found.labels == expected.argmin(axis=1)).all()
    np.testing.assert_allclose(found.cost, float(weights @ expected.min(axis=1)), rtol=1e-12)
    np.testing.assert_allclose(found.mass, np.bincount(expected.argmin(axis=1), weights, minlength=len(centers)))
    precision = {np.float32: 2e-6, np.float64: 1e-9}[dtype]
    np.testing.assert_allclose(distances(as_blocks(wrap(X)), centers), np.sqrt(expected).astype(float), rtol=precision)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("n_far", [1, 5])
def test_far_centres_with_gaps_in_the_rows(dtype, far, n_far):
    X, centers = rows_and_centers(far, dtype, n_far)
    X[np.random.default_rng(2).random(X.shape) < 0.2] = np.nan
    part = (X[:, None].astype(np.longdouble) - centers) ** 2
    expected, observed = np.nansum(part, axis=2), (~np.isnan(X)).sum(axis=1)
    found = assess_partial(as_blocks(X), None, centers)
    assert (found.labels == expected.argmin(axis=1)).all()
    np.testing.assert_allclose(found.cost, float(expected.min(axis=1).sum()), rtol=1e-12)
    seen = observed > 0
    scaled = np.sqrt(expected[seen] * (2 / observed[seen, None])).astype(float)
    np.testing.assert_allclose(partial_distances(as_blocks(X), centers)[seen], scaled, rtol=2e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_far_nodes_change_neither_labels_nor_errors_of_a_map(dtype, far, wrap):
    rng = np.random.default_rng(4)
    centers = np.concatenate([rng.normal(size=(6, 2)), far * rng.normal(size=(2, 2))]).astype(dtype)
    X = rng.normal(size=(300, 2)).astype(dtype)
    adjacent = np.array([[(c - 1) % 8, (c + 1) % 8] for c in range(8)])
    expected = squares(X, centers)
    order = np.argsort(expected, axis=1)
    torn = np.mean([order[i, 1] not in adjacent[order[i, 0]] for i in range(len(X))])
    found = assess_map(as_blocks(wrap(X)), None, centers, adjacent)
    assert (found.labels == order[:, 0]).all()
    assert (label_map(as_blocks(wrap(X)), centers) == order[:, 0]).all()
    np.testing.assert_allclose(found.quantization_error, float(np.sqrt(expected.min(axis=1)).mean()), rtol=1e-9)
    np.testing.assert_allclose(found.topographic_error, torn, atol=1e-12)
