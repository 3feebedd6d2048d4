"""Nearest centres against distances computed from the definition in float64."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.core.nearest import frame_around, nearest, nearest_plain
from unmix.core.points import Points

shapes = [(1000, 5, 7), (17, 19, 3), (1, 1, 1), (5, 8, 6), (300, 33, 50), (40, 3, 13)]


def naive(X: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return ((X[:, None, :].astype(np.float64) - centers) ** 2).sum(axis=2)


def problem(n: int, d: int, k: int, dtype: type, offset: float = 3.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n + d)
    return (rng.normal(size=(n, d)) + offset).astype(dtype), rng.normal(size=(k, d)) + offset


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", shapes)
@pytest.mark.parametrize("find", [nearest, nearest_plain])
def test_dense_rows_agree_with_the_definition(shape, dtype, find):
    X, centers = problem(*shape, dtype)
    frame = frame_around(X.mean(axis=0), np.abs(X).max(), dtype)
    found, distances = find(X, frame, frame.enter(centers)), naive(X, centers)
    ordered = np.sort(distances, axis=1)
    error = 100 * np.finfo(dtype).eps * shape[1]
    chosen = distances[np.arange(len(X)), found.label]
    np.testing.assert_allclose(chosen, ordered[:, 0], rtol=0, atol=error)
    np.testing.assert_allclose(found.near, ordered[:, 0], rtol=0, atol=error)
    if shape[2] > 1:
        np.testing.assert_allclose(found.far, ordered[:, 1], rtol=0, atol=error)
    assert found.near.dtype == dtype


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("find", [nearest, nearest_plain])
def test_sparse_rows_agree_with_the_definition(dtype, find):
    X, centers = problem(400, 30, 11, dtype, offset=0.5)
    X *= np.random.default_rng(0).random(X.shape) < 0.2
    found = find(csr_array(X), frame_around(np.zeros(30), 1.0, dtype), centers)
    distances = naive(X, centers)
    assert (found.label == distances.argmin(axis=1)).all()
    np.testing.assert_allclose(found.near, distances.min(axis=1), atol=1e4 * np.finfo(dtype).eps)


def test_far_from_the_origin_float32_still_tells_clusters_apart():
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(10, 6)) + 5e3
    X = (centers[rng.integers(10, size=500)] + 0.05 * rng.normal(size=(500, 6))).astype(np.float32)
    frame = frame_around(X.mean(axis=0, dtype=np.float64), 5e3, np.float32)
    found = nearest(X, frame, frame.enter(centers))
    assert (found.label == naive(X, centers).argmin(axis=1)).all()


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1.0, 1e150, 1e300])
def test_any_magnitude(scale):
    X, centers = problem(50, 4, 5, np.float64)
    frame = frame_around(scale * X.mean(axis=0), scale * np.abs(X).max(), np.float64)
    found = nearest(scale * X, frame, frame.enter(scale * centers))
    assert (found.label == naive(X, centers).argmin(axis=1)).all()
    np.testing.assert_allclose(frame.leave(frame.enter(scale * centers)), scale * centers, rtol=1e-12)


def test_ties_go_to_the_lower_number():
    X = np.zeros((20, 3), np.float32)
    centers = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, -1.0]])
    frame = frame_around(np.zeros(3), 1.0, np.float32)
    assert (nearest(X, frame, centers).label == 0).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 3, 4, 9])
def test_distances_from_differences_vanish_at_the_rows(dtype, k):
    X, _ = problem(83, 11, 1, dtype, offset=100.0)
    frame = frame_around(X.mean(axis=0, dtype=np.float64), 100.0, dtype)
    distances = Points(X, None, frame).distances(frame.enter(X[:k]))
    np.testing.assert_allclose(distances, naive(X, X[:k].astype(np.float64)).T, rtol=1e-3, atol=1e-3)
    assert (np.diag(distances[:, :k]) < 1e-6 * distances.max()).all()
