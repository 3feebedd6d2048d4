"""Nearest centres against distances computed from the definition in float64."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.costs.nearest.centers import JIT_DISABLED, frame_around, nearest, nearest_plain
from unmix.costs.nearest.differences import Points

shapes = [(1000, 5, 7), (17, 19, 3), (1, 1, 1), (5, 8, 6), (300, 33, 50), (40, 3, 13)]


@pytest.fixture(autouse=True, params=["few", "many"])
def route(request, monkeypatch):
    """Every rule holds on the way of few rows and on that of many."""
    if request.param == "many":
        monkeypatch.setattr("unmix.costs.nearest.centers.is_small", lambda n, d, k: False)
        monkeypatch.setattr("unmix.costs.nearest.differences.SMALL_ENTRIES", 0)


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


FAR = {
    "one": [[1.0, 1.0, 1.0]],
    "one column": [[0.0, 1.0, 0.0]],
    "most": [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [1.0, -2.0, 1.0], [3.0, 1.0, 1.0], [1.0, 1.0, 2.0], [2.0, -1.0, 1.0]],
    "a group": [[1.0, 1.0, 1.0], [1.0 + 1e-6, 1.0, 1.0], [1.0, 1.0 - 1e-6, 1.0]],
}


def far_problem(kind: str, far: float, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """Rows around five near centres and some far ones."""
    rng = np.random.default_rng(3)
    centers = np.concatenate([rng.normal(size=(5, 3)) * 3, far * np.array(FAR[kind])]).astype(dtype)
    X = centers[rng.integers(len(centers), size=400)] + rng.normal(size=(400, 3))
    return X.astype(dtype), centers.astype(np.float64)


def assert_nearest(labels: np.ndarray, X: np.ndarray, centers: np.ndarray) -> None:
    """The labels are those of differences in extended precision, but for ties in double."""
    distances = ((X[:, None].astype(np.longdouble) - centers) ** 2).sum(axis=2)
    chosen, least = distances[np.arange(len(X)), labels], distances.min(axis=1)
    assert (chosen <= least * (1 + 1e-14)).all(), f"{(chosen > least * (1 + 1e-14)).sum()} wrong labels"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("far", [1e4, 1e6, 1e8, 1e10, 1e12])
@pytest.mark.parametrize("kind", FAR)
@pytest.mark.parametrize("plain", [False, True])
def test_far_centres_do_not_change_the_labels_of_the_others(dtype, far, kind, plain, monkeypatch):
    monkeypatch.setattr("unmix.costs.nearest.centers.JIT_DISABLED", plain or JIT_DISABLED)
    X, centers = far_problem(kind, far, dtype)
    for origin in (centers.mean(axis=0), np.median(centers, axis=0), np.zeros(3)):  # a bad origin is slower, not wrong
        frame = frame_around(origin, far, dtype)
        found = nearest(X, frame, frame.enter(centers), unmoved=frame.scale * centers)
        assert_nearest(found.label, X, centers)
    sparse = nearest(csr_array(X), frame_around(np.zeros(3), far, dtype), centers)
    assert_nearest(sparse.label, X, centers)


@pytest.mark.parametrize("plain", [False, True])
def test_offsets_count_where_differences_decide(plain, monkeypatch):
    monkeypatch.setattr("unmix.costs.nearest.centers.JIT_DISABLED", plain or JIT_DISABLED)
    X, centers = far_problem("one", 1e9, np.float64)
    offsets = np.array([0.0, 3.0, 1.0, 0.5, 2.0, 7.0])
    frame = frame_around(centers[-1], 1e9, np.float64)
    found = nearest(X, frame, frame.enter(centers), offsets, unmoved=centers)
    expected = naive(X, centers) + offsets
    assert (found.label == expected.argmin(axis=1)).all()
    np.testing.assert_allclose(found.near, expected.min(axis=1), rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e20, 1e39, 1e160, 1e300])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
@pytest.mark.parametrize("plain", [False, True])
def test_centres_without_squares_have_labels(dtype, size, wrap, plain, monkeypatch):
    monkeypatch.setattr("unmix.costs.nearest.centers.JIT_DISABLED", plain or JIT_DISABLED)
    X = np.random.default_rng(0).normal(size=(40, 3)).astype(dtype)
    centers = size * np.array([[-1.5, 1.0, 1.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    found = nearest(wrap(X), frame_around(np.zeros(3), 1.0, dtype), centers)
    assert (found.label == 1).all()
    nowhere = nearest(wrap(X), frame_around(np.zeros(3), 1.0, dtype), np.full((9, 3), np.nan))
    assert ((nowhere.label >= 0) & (nowhere.label < 9)).all()


def test_centres_of_other_columns_are_refused():
    with pytest.raises(ValueError, match="rows of 3 columns were compared with centres of shape"):
        nearest(np.zeros((5, 3)), frame_around(np.zeros(3), 1.0, np.float64), np.zeros((2, 4)))
    with pytest.raises(ValueError, match="rows of 3 columns were compared with centres of shape"):
        Points(np.zeros((5, 3)), None, frame_around(np.zeros(3), 1.0, np.float64)).distances(np.zeros((2, 4)))


@pytest.mark.parametrize("plain", [False, True])
def test_of_centres_that_differ_by_rounding_the_first_is_taken(plain, monkeypatch):
    monkeypatch.setattr("unmix.costs.nearest.centers.JIT_DISABLED", plain or JIT_DISABLED)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4)) + 5
    centers = np.repeat(X[:10], 4, axis=0) * (1 + 2e-16 * rng.integers(-2, 3, size=(40, 4)))
    frame = frame_around(X.mean(axis=0), 10.0, np.float64)
    found = nearest(X[:10], frame, frame.enter(centers), unmoved=centers, lean=2.0**-46)
    assert (found.label == 4 * np.arange(10)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_of_sparse_rows_with_a_large_entry_in_common(dtype):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    X[:30, 2] = 1e9
    X = X.astype(dtype)
    frame = frame_around(np.zeros(5), 1e9, dtype)
    found = Points(csr_array(X), None, frame).distances(X[:7].astype(np.float64))
    np.testing.assert_allclose(found, naive(X, X[:7].astype(np.float64)).T, rtol=1e-9)
