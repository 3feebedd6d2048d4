"""Whitened rows have covariance I; directions without variance are left out, and too many components refused."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.separation import FastICA, Infomax, whiten

rng = np.random.default_rng(0)
X = rng.gamma(2.0, size=(300, 4)) @ rng.normal(size=(4, 4)) + [5, 0, -1, 100]


@pytest.mark.parametrize("dtype, error", [("f8", 1e-10), ("f4", 2e-4)])
def test_covariance_is_the_identity_and_rows_come_back(dtype, error):
    white = whiten(X.astype(dtype))
    assert white.rows.dtype == white.matrix.dtype == dtype
    np.testing.assert_allclose(np.cov(white.rows, rowvar=False, bias=True), np.eye(4), atol=error)
    np.testing.assert_allclose(white.rows.mean(axis=0), 0, atol=error)
    np.testing.assert_allclose(white.rows @ white.inverse.T + white.mean, X, rtol=10 * error, atol=10 * error)


def test_sparse_and_weighted_rows():
    sparse = np.where(rng.random(X.shape) < 0.5, 0, X)
    np.testing.assert_allclose(whiten(csr_array(sparse)).rows, whiten(sparse).rows, atol=1e-9)
    weights = rng.integers(0, 3, len(X))
    repeated = whiten(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(whiten(X, sample_weight=weights).matrix, repeated.matrix, atol=1e-10)


DEFICIENT = {
    "constant channel": (np.column_stack([X, np.full(300, 7.0)]), 4),
    "repeated channel": (np.column_stack([X, X[:, 0]]), 4),
    "more channels than sources": (X[:, :2] @ rng.normal(size=(2, 6)), 2),
    "fewer rows than channels": (rng.normal(size=(5, 9)), 4),
}


@pytest.mark.parametrize("case", DEFICIENT)
def test_only_directions_with_variance_are_kept(case):
    data, rank = DEFICIENT[case]
    white = whiten(data)
    assert white.rows.shape[1] == rank == np.linalg.matrix_rank(data - data.mean(axis=0))
    np.testing.assert_allclose(white.rows.T @ white.rows / len(data), np.eye(rank), atol=1e-8)
    np.testing.assert_allclose(white.rows @ white.inverse.T + white.mean, data, atol=1e-8)
    with pytest.raises(ValueError, match=f"n_components={rank + 1}.*{rank} direction"):
        whiten(data, rank + 1)


def test_sources_of_deficient_tables_are_found():
    sources = rng.laplace(size=(3000, 2))
    data = np.column_stack([sources @ rng.normal(size=(2, 5)), np.ones(3000)])
    for estimator in (FastICA(random_state=0), Infomax(random_state=0)):
        found = estimator.fit_transform(data)
        correlations = np.abs(np.corrcoef(found.T, sources.T)[:2, 2:])
        assert found.shape == (3000, 2) and correlations.max(axis=0).min() > 0.999
        np.testing.assert_allclose(estimator.inverse_transform(found), data, atol=1e-8)


def test_bad_numbers_and_nothing_to_separate():
    with pytest.raises(ValueError, match="do not vary"):
        whiten(np.ones((10, 3)))
    for k in (0, 1.5, True, "two"):
        with pytest.raises(ValueError, match="n_components"):
            whiten(X, k)
        with pytest.raises(ValueError, match="n_components"):
            FastICA(k).fit(X)
