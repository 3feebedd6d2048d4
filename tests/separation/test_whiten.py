"""Whitened rows have covariance I; directions without variance are left out, and too many components refused."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.separation import FastICA, Infomax, OnlineICA, SecondOrderICA, joint_diagonalize, whiten

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


def in_mixed_units(decades, seed):
    """(rows, rank): four sources in six or eight channels of very different units, some repeated, constant or far."""
    draw = np.random.default_rng(seed)
    n, d = int(draw.choice([200, 1000, 3000])), int(draw.choice([6, 8]))
    table = draw.laplace(size=(n, 4)) @ draw.normal(size=(4, d))
    if seed % 3 == 1:
        table[:, -1] = table[:, 0]
    if seed % 3 == 2:
        table[:, -1] = 3.3
    units = 10 ** draw.uniform(-decades / 2, decades / 2, d)
    units[:2] = 10 ** (-decades / 2), 10 ** (decades / 2)
    return (table + (seed % 4) * draw.normal(size=d)) * units


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("decades", [0, 3, 6, 9])
def test_rank_does_not_depend_on_units(decades, dtype):
    for seed in range(12):
        data = in_mixed_units(decades, seed).astype(dtype)
        white = whiten(data)
        assert white.rows.shape[1] == 4, seed
        np.testing.assert_allclose(
            white.rows.T @ white.rows / len(data), np.eye(4), atol=1e-9 if dtype == "f8" else 1e-3
        )
        back = white.rows @ white.inverse.T + white.mean
        errors = np.abs(back - data).max(axis=0) / np.maximum(data.std(axis=0), np.abs(data).max(axis=0))
        assert errors.max() < (1e-9 if dtype == "f8" else 1e-4)
        assert (np.diff(np.linalg.norm(white.inverse.astype("f8"), axis=0)) <= 0).all()  # most variance first


@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_every_estimator_finds_the_rank(dtype):
    for seed, decades in enumerate((3, 6, 9, 6, 9, 3)):
        data = in_mixed_units(decades, seed).astype(dtype)
        estimators = [
            FastICA(max_iter=2, tol=1.0, random_state=0),
            Infomax(max_iter=2, random_state=0),
            OnlineICA(n_epochs=1, random_state=0),
            SecondOrderICA(lags=3),
        ]
        assert [len(estimator.fit(data).components_) for estimator in estimators] == [4] * 4
        streams = Infomax(random_state=0).partial_fit(data), OnlineICA(random_state=0).partial_fit(data)
        assert [len(stream.components_) for stream in streams] == [4, 4]


def test_fewer_components_are_those_of_most_variance_in_the_units_given():
    data = in_mixed_units(6, 0)
    centred = data - data.mean(axis=0)
    left = np.linalg.svd(centred, full_matrices=False)[0]
    white = whiten(data, 2)
    np.testing.assert_allclose(np.abs(white.rows.T @ left[:, :2]) / np.sqrt(len(data)), np.eye(2), atol=1e-8)


def test_sparse_channels_in_mixed_units():
    data = np.where(rng.random(X.shape) < 0.5, 0, X - X.mean(axis=0)) * [1e-4, 1.0, 1e4, 1e2]
    data = np.column_stack([data, 10 * data[:, 0]])
    white = whiten(csr_array(data))
    assert white.rows.shape == (300, 4)
    np.testing.assert_allclose(white.rows.T @ white.rows / 300, np.eye(4), atol=1e-9)


def test_matrices_of_mixed_units_are_diagonalized():
    A, units = rng.normal(size=(4, 4)), np.array([1e-5, 1e-2, 1e2, 1e5])
    matrices = [A @ np.diag(rng.uniform(0.5, 2, 4)) @ A.T for _ in range(5)]
    plain = joint_diagonalize(matrices)
    scaled = joint_diagonalize([C * np.outer(units, units) for C in matrices])
    found = scaled.transform * units @ A
    np.testing.assert_allclose(np.sort(np.abs(found).max(1)), np.sort(np.abs(plain.transform @ A).max(1)), rtol=1e-6)


def test_zca_is_the_inverse_root_of_the_covariance():
    white = whiten(X, method="zca")
    values, vectors = np.linalg.eigh(np.cov(X, rowvar=False, bias=True))
    np.testing.assert_allclose(white.matrix, vectors / np.sqrt(values) @ vectors.T, rtol=1e-8)
    np.testing.assert_allclose(white.rows.T @ white.rows / len(X), np.eye(4), atol=1e-9)
    np.testing.assert_allclose(white.rows @ white.inverse.T + white.mean, X, atol=1e-8)
    with pytest.raises(ValueError, match="one coordinate a channel"):
        whiten(np.column_stack([X, X[:, 0]]), method="zca")
    with pytest.raises(ValueError, match="method="):
        whiten(X, method="cholesky")
