"""Nearest centres of few rows: against all differences in extended precision, and against the kernels of many rows."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.costs.nearest import centers as route
from unmix.costs.nearest.centers import JIT_DISABLED, Frame, nearest
from unmix.costs.nearest.differences import Points
from unmix.costs.nearest.small import nearest_two

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="without a compiler no rows take this way")


@pytest.mark.parametrize("k", [1, 2, 3, 8])
@pytest.mark.parametrize("n, d", [(1, 1), (8, 3), (77, 9)])
@pytest.mark.parametrize("form", ["float64", "float32", "sparse", "offsets", "shifted"])
def test_the_two_nearest_are_those_of_the_definition(n, d, k, form):
    rng = np.random.default_rng(n + d + k)
    X, U = rng.normal(size=(n, d)), rng.normal(size=(k, d))
    X = X.astype(np.float32) if form == "float32" else X
    frame = Frame(0.5, rng.normal(size=d) if form == "shifted" else np.zeros(d))
    offsets = rng.random(k) if form == "offsets" else None
    found = nearest(csr_array(X) if form == "sparse" else X, frame, U, offsets)
    inside = 0.5 * X.astype(np.longdouble) - frame.shift
    squares = ((inside[:, None] - U) ** 2).sum(axis=2) + (0 if offsets is None else offsets)
    rising = np.sort(np.column_stack([squares, np.full(n, np.inf)]), axis=1)
    np.testing.assert_array_equal(found.label, squares.argmin(axis=1))
    rounding = 8 * np.finfo(X.dtype).eps
    np.testing.assert_allclose(found.near, rising[:, 0].astype(float), rtol=rounding)
    np.testing.assert_allclose(found.far, rising[:, 1].astype(float), rtol=rounding)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_kernel_itself_needs_no_second_look(k):
    """An odd number of centres leaves the last without a partner, which must not count as its own second."""
    rng = np.random.default_rng(k)
    X, U = rng.normal(size=(21, 4)), rng.normal(size=(k, 4))
    label, near, far = nearest_two(X, U)
    squares = ((X[:, None].astype(np.longdouble) - U) ** 2).sum(axis=2)
    rising = np.sort(np.column_stack([squares, np.full(21, np.inf)]), axis=1).astype(float)
    np.testing.assert_array_equal(label, squares.argmin(axis=1))
    np.testing.assert_allclose(np.column_stack([near, far]), rising[:, :2], rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("lean", [0.0, 1e-9])
@pytest.mark.parametrize("d", [2, 11])
def test_ties_go_where_they_go_among_many_rows(dtype, lean, d, monkeypatch):
    """Rows half way between centres, where rounding of the sums decides, and rows on centres."""
    rng = np.random.default_rng(d)
    U = rng.integers(-4, 5, size=(6, d)) / 3
    pairs = rng.integers(6, size=(400, 2))
    X = np.concatenate([(U[pairs[:, 0]] + U[pairs[:, 1]]) / 2, U, 1e160 * U[:2], 1e-170 * U[:2]])
    X = X[np.abs(X).max(axis=1) < np.finfo(dtype).max].astype(dtype)
    frame = Frame(1.0, np.zeros(d))
    few = nearest(X, frame, U, lean=lean)
    monkeypatch.setattr(route, "is_small", lambda n, d, k: False)
    many = nearest(X, frame, U, lean=lean)
    np.testing.assert_array_equal(few.label, many.label)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_are_zero_where_row_and_centre_agree(dtype):
    rng = np.random.default_rng(0)
    X = (1e4 + rng.normal(size=(50, 6))).astype(dtype)
    frame = Frame(1.0, np.full(6, 1e4))
    found = Points(X, None, frame).distances(frame.enter(X[:7]))
    assert (found[np.arange(7), np.arange(7)] == 0).all()
    expected = ((X[None].astype(np.longdouble) - X[:7, None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(found, expected.astype(float), rtol=8 * np.finfo(dtype).eps)


def test_squares_beyond_the_precision_of_the_data_are_infinite():
    X = np.array([[0.0], [3e25]], np.float32)
    frame = Frame(1.0, np.zeros(1))
    assert np.isinf(Points(X, None, frame).distances(np.zeros((1, 1)))[0, 1])
    assert np.isinf(nearest(X, frame, np.zeros((1, 1))).near[1])
