"""Block Lanczos against a dense eigensolver."""

import numpy as np
import pytest

from unmix.algorithms.principal.krylov import leading_by_products


def symmetric(values, seed=0):
    q = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(values), len(values))))[0]
    return (q * values) @ q.T


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(1, 0, 300) ** 4,
        np.repeat([5.0, 3.0, 1.0], [7, 9, 284]),  # repeated eigenvalues, as many as there are
        np.r_[np.ones(3), np.zeros(297)],  # the span is exhausted at once
    ],
)
def test_finds_the_leading_pairs(values):
    matrix = symmetric(values)
    found = leading_by_products(lambda rows: rows @ matrix, 300, 12, tol=1e-12, max_iter=200, seed=0)
    assert found.residual <= 1e-12
    np.testing.assert_allclose(found.values, np.sort(values)[::-1][:12], atol=1e-11)
    np.testing.assert_allclose(found.vectors @ matrix, found.values[:, None] * found.vectors, atol=1e-10)
    np.testing.assert_allclose(found.vectors @ found.vectors.T, np.eye(12), atol=1e-12)


def test_residual_bounds_the_error_when_stopped_early():
    values = np.linspace(1, 0.5, 400)
    matrix = symmetric(values)
    found = leading_by_products(lambda rows: rows @ matrix, 400, 5, tol=1e-14, max_iter=2, seed=0)
    assert found.residual > 1e-14
    distance = np.abs(values[:, None] - found.values[None]).min(axis=0)
    assert (distance <= found.residual * values[0] * 1.01).all()
