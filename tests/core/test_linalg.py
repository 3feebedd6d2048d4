"""Signs, completed bases, scales."""

import numpy as np
import pytest

from unmix.core.linalg import complete_basis, fix_signs, leading_eigenpairs, power_of_two


def test_signs_do_not_hang_on_rounding():
    row = np.array([[0.5, -0.5, 0.5, -0.5]])
    for noise in (1e-12, -1e-12, 1e-6, -1e-6):
        np.testing.assert_allclose(fix_signs(-(row + noise)), row, atol=2e-6)


def test_the_larger_of_close_entries_is_positive():
    np.testing.assert_array_equal(fix_signs(np.array([[0.5, -0.5001]])), [[-0.5, 0.5001]])


@pytest.mark.parametrize("turn", [0, 1])
def test_completed_basis_depends_on_the_span_alone(turn):
    rng = np.random.default_rng(0)
    given = np.linalg.qr(rng.standard_normal((7, 3)))[0].T
    rotation = np.linalg.qr(rng.standard_normal((3, 3)))[0] if turn else np.eye(3)
    full = complete_basis(rotation @ given, 7)
    np.testing.assert_allclose(full @ full.T, np.eye(7), atol=1e-14)
    np.testing.assert_allclose(full[3:], complete_basis(given, 7)[3:], atol=1e-12)


@pytest.mark.parametrize("size", [1e300, 3.0, 1e-300, 5e-324])
def test_power_of_two_brings_near_one_exactly(size):
    scale = power_of_two(size)
    assert np.frexp(scale)[0] == 0.5
    assert size * scale / scale == size
    assert 1e-24 < size * scale <= 1


def test_nothing_to_scale():
    assert power_of_two(0.0) == power_of_two(np.inf) == power_of_two(np.nan) == 1.0


@pytest.mark.parametrize("k", [2, 30])
def test_leading_eigenpairs(k):
    A = np.random.default_rng(0).standard_normal((40, 40))
    A = A + A.T
    values, vectors = leading_eigenpairs(A, k)
    np.testing.assert_allclose(values[:k], np.linalg.eigvalsh(A)[::-1][:k])
    np.testing.assert_allclose(vectors @ A, values[:, None] * vectors, atol=1e-12)
