"""What is read off a singular value decomposition, by definition."""

import numpy as np
import pytest
import scipy.sparse as sp

import unmix
from unmix.decomposition import svd
from unmix.decomposition.norms import matrix_norm, vector_norm


def matrix(m, n, rank, kind=float, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((m, rank)) @ rng.standard_normal((rank, n))
    return A + 1j * rng.standard_normal((m, rank)) @ rng.standard_normal((rank, n)) if kind is complex else A


CASES = [(6, 4, 4, float), (4, 6, 4, float), (7, 5, 2, float), (5, 7, 3, float), (5, 5, 5, complex), (3, 1, 1, float)]


@pytest.mark.parametrize(("m", "n", "rank", "kind"), CASES)
def test_factors(m, n, rank, kind):
    A = matrix(m, n, rank, kind)
    found = svd(A)
    k = min(m, n)
    np.testing.assert_allclose((found.left[:, :k] * found.values) @ found.right[:k], A, atol=1e-12)
    np.testing.assert_allclose(found.left.conj().T @ found.left, np.eye(m), atol=1e-12)
    np.testing.assert_allclose(found.right @ found.right.conj().T, np.eye(n), atol=1e-12)
    largest = found.right[np.arange(n), np.abs(found.right).argmax(axis=1)]
    assert (largest.real > 0).all()
    np.testing.assert_allclose(largest.imag, 0, atol=1e-12)


@pytest.mark.parametrize(("m", "n", "rank", "kind"), [case for case in CASES if case[3] is float])
def test_range_and_null_space(m, n, rank, kind):
    A = matrix(m, n, rank)
    found = svd(A)
    assert found.rank == rank
    assert found.null_space.shape == (n, n - rank)
    np.testing.assert_allclose(A @ found.null_space, 0, atol=1e-12)
    Q = found.range_basis
    np.testing.assert_allclose(Q @ Q.T @ A, A, atol=1e-12)
    np.testing.assert_allclose(A @ found.row_basis @ found.row_basis.T, A, atol=1e-12)


@pytest.mark.parametrize(("m", "n", "rank", "kind"), CASES)
def test_penrose_conditions(m, n, rank, kind):
    A = matrix(m, n, rank, kind)
    B = svd(A).pseudo_inverse()
    tolerance = 1e-10 * np.abs(B).max() * np.abs(A).max()
    np.testing.assert_allclose(A @ B @ A, A, atol=tolerance)
    np.testing.assert_allclose(B @ A @ B, B, atol=tolerance)
    np.testing.assert_allclose((A @ B).conj().T, A @ B, atol=tolerance)
    np.testing.assert_allclose((B @ A).conj().T, B @ A, atol=tolerance)


@pytest.mark.parametrize("k", range(6))
def test_best_approximation(k):
    A = matrix(7, 5, 5)
    found = svd(A)
    closest = found.approximate(k)
    assert np.linalg.matrix_rank(closest.matrix) == min(k, 5)
    assert np.linalg.norm(A - closest.matrix, 2) == pytest.approx(closest.error, abs=1e-12)
    assert closest.error == pytest.approx(np.r_[found.values, 0][k])
    assert np.linalg.norm(A - closest.matrix) == pytest.approx(closest.frobenius_error, abs=1e-12)
    rng = np.random.default_rng(k)
    for _ in range(20):
        other = rng.standard_normal((7, k)) @ rng.standard_normal((k, 5))
        assert np.linalg.norm(A - other, 2) >= closest.error


def test_norms_and_condition():
    A = matrix(6, 4, 4)
    found = svd(A)
    for ours, theirs in [(1, 1), (2, 2), (np.inf, np.inf), ("frobenius", "fro"), ("nuclear", "nuc")]:
        assert found.norm(ours) == pytest.approx(np.linalg.norm(A, theirs))
        assert matrix_norm(A, ours) == pytest.approx(np.linalg.norm(A, theirs))
        assert matrix_norm(A, theirs) == matrix_norm(A, ours), "numpy's names are known too"
    assert found.condition_number == pytest.approx(np.linalg.cond(A))
    assert svd(matrix(5, 5, 2)).condition_number == np.inf
    assert svd(np.zeros((3, 2))).condition_number == np.inf


@pytest.mark.parametrize("p", [1.3, 3.0, 7.0])
def test_induced_norm_is_attained_and_never_exceeded(p):
    A = matrix(3, 2, 2)
    angles = np.linspace(0, np.pi, 20_001)
    circle = np.stack([np.cos(angles), np.sin(angles)])
    ratios = (np.abs(A @ circle) ** p).sum(axis=0) ** (1 / p) / (np.abs(circle) ** p).sum(axis=0) ** (1 / p)
    assert matrix_norm(A, p) == pytest.approx(ratios.max(), rel=1e-6)


def test_norms_do_not_overflow():
    assert vector_norm([3e300, 4e300]) == pytest.approx(5e300)
    assert svd(np.diag([3e300, 4e300])).frobenius_norm == pytest.approx(5e300)
    assert svd(np.diag([3e-300, 4e-300])).rank == 2
    assert matrix_norm(np.zeros((2, 2)), 3) == 0


def test_single_precision_stays_single():
    found = svd(matrix(4, 3, 2).astype(np.float32))
    assert found.values.dtype == found.left.dtype == found.right.dtype == np.float32
    assert found.rank == 2


@pytest.mark.parametrize(
    ("A", "error", "words"),
    [
        (sp.eye_array(3).tocsr(), TypeError, "TruncatedSVD"),
        (np.ones(3), ValueError, r"shape \(3,\)"),
        (np.ones((0, 3)), ValueError, "at least one row"),
        ([[1.0, np.nan]], ValueError, "NaN"),
        ([["a", "b"]], TypeError, "numbers"),
    ],
)
def test_refusals(A, error, words):
    with pytest.raises(error, match=words):
        svd(A)


def test_what_is_no_norm_is_refused():
    for p in (-1, np.nan, "two", True, [1, 2]):
        with pytest.raises(ValueError, match="0 to count entries"):
            vector_norm([1.0], p)
    with pytest.raises(ValueError, match="p >= 1"):
        matrix_norm(np.eye(2), 0.5)
    with pytest.raises(ValueError, match="'frobenius', 'nuclear'"):
        matrix_norm(np.eye(2), "largest")


@pytest.mark.parametrize("p", [0, 0.3, 0.5, 1, 1.5, 2, 7, np.inf])
@pytest.mark.parametrize("scale", [1.0, 1e300, 1e-300])
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2)])
def test_vector_norms_are_their_definition_at_any_scale(p, scale, axis):
    x = np.random.default_rng(0).normal(size=(4, 3, 5))
    x[1] = 0
    wide = np.abs(x.astype(np.longdouble))
    if p == 0:
        expected, scale_of = np.count_nonzero(x, axis=axis), 1.0
    elif np.isinf(p):
        expected, scale_of = wide.max(axis=axis), scale
    else:
        expected, scale_of = (wide**p).sum(axis=axis) ** (1 / np.longdouble(p)), scale
    found = vector_norm(scale * x, p, axis=axis)
    assert isinstance(found, float) if axis is None else found.shape == np.shape(expected)
    np.testing.assert_allclose(found / scale_of, np.asarray(expected, dtype=float), rtol=1e-12)


def test_norms_of_odd_vectors():
    assert vector_norm([]) == vector_norm([0.0, 0.0], 0.5) == 0.0
    assert vector_norm(np.array([-128, 0], dtype=np.int8)) == 128.0
    assert vector_norm([3 + 4j, 0], 1) == vector_norm([3 + 4j, 0], np.inf) == 5.0
    assert vector_norm([1.0, -np.inf], 3) == np.inf
    assert np.isnan(vector_norm([1.0, np.nan]))
    np.testing.assert_array_equal(vector_norm(np.zeros((2, 0)), axis=1), [0, 0])
    assert unmix.decomposition.matrix_norm is matrix_norm
