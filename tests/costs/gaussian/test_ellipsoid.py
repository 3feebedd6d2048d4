"""Distances and moments of full Gaussians against sums written out in float64, across the edges of tiles and spans."""

import numpy as np
import pytest

from unmix.costs.gaussian.ellipsoid import add_moments, distances
from unmix.costs.gaussian.mixture import make_mixture

ROWS = 2911  # two spans or four and a part, the last register not full


def some_mixture(columns, k=3):
    rng = np.random.default_rng(columns)
    factors = rng.normal(size=(k, columns, columns)) / columns + np.eye(columns)
    return make_mixture(np.array([0.5, 0.5, 0.0]), rng.normal(size=(k, columns)), factors @ factors.transpose(0, 2, 1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [1, 4, 11, 70])
def test_distances_are_minus_log_densities(columns, dtype):
    mixture = some_mixture(columns)
    X = np.random.default_rng(0).normal(size=(ROWS, columns)).astype(dtype)
    h = distances(X, mixture, missing=False)
    for c in range(2):
        away = X - mixture.means[c]
        squares = np.einsum("ij,jl,il->i", away, np.linalg.inv(mixture.covariances[c]), away)
        logdet = np.linalg.slogdet(2 * np.pi * mixture.covariances[c])[1]
        np.testing.assert_allclose(h[c], 0.5 * (squares + logdet) - np.log(0.5), rtol=1e3 * np.finfo(dtype).eps)
    assert (h[2] == np.inf).all()
    assert h.dtype == (np.float64 if mixture.precise else dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [1, 4, 11, 70])
def test_moments_whether_a_component_has_a_share_in_all_rows_some_or_none(columns, dtype):
    rng = np.random.default_rng(1)
    X, means = rng.normal(size=(ROWS, columns)).astype(dtype), rng.normal(size=(3, columns)).astype(dtype)
    q = (rng.random((3, ROWS)) * (rng.random((3, ROWS)) < [[1.0], [0.2], [0.0]])).astype(dtype)
    first, second = np.zeros((3, columns)), np.zeros((3, columns, columns))
    add_moments(X, q, means, first, second)
    for c in range(3):
        away = X.astype(np.float64) - means[c]
        share, scale = q[c].astype(np.float64), 1e2 * np.finfo(dtype).eps * ROWS
        np.testing.assert_allclose(first[c], share @ away, atol=scale)
        np.testing.assert_allclose(second[c], (away * share[:, None]).T @ away, atol=scale)
    assert not second[2].any()
