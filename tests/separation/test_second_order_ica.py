"""Second-order separation: Gaussian sources with memory, lagged covariances by definition, gaps, edges of leaves."""

import warnings

import numpy as np
import pytest
from scipy.signal import lfilter

import unmix
from unmix.core.dispatch import as_blocks
from unmix.factors.lagged_covariance import lagged_covariances
from unmix.separation import SecondOrderICA


def autoregressive(n=10_000, coefficients=(0.95, 0.7, -0.2, -0.8), seed=0):
    noise = np.random.default_rng(seed).normal(size=(n, len(coefficients)))
    S = np.column_stack([lfilter([1], [1, -a], column) for a, column in zip(coefficients, noise.T, strict=True)])
    return (S - S.mean(0)) / S.std(0)


def amari(P):
    """0 for a permutation with scales, 1 for the worst."""
    P, k = np.abs(P), len(P)
    rows, columns = (P / P.max(1, keepdims=True)).sum() - k, (P / P.max(0, keepdims=True)).sum() - k
    return (rows + columns) / (2 * k * (k - 1))


@pytest.mark.parametrize("method", ["amuse", "jacobi", "ffdiag", "qdiag"])
def test_gaussian_sources_with_memory_are_separated(method):
    S = autoregressive()
    A = np.random.default_rng(1).normal(size=(4, 4))
    model = SecondOrderICA(method=method).fit(S @ A.T + 5)
    assert amari(model.components_ @ A) < 0.05
    np.testing.assert_allclose(model.inverse_transform(model.transform(S @ A.T + 5)), S @ A.T + 5, atol=1e-8)
    np.testing.assert_allclose(model.transform(S @ A.T + 5).std(0), 1, rtol=1e-9)
    assert (np.diff(model.autocorrelations_[:, 0]) < 0).all()


def test_sources_without_memory_are_warned_of():
    X = np.random.default_rng(0).laplace(size=(5000, 3)) @ np.random.default_rng(1).normal(size=(3, 3))
    with pytest.warns(UserWarning, match="cannot tell apart"):
        SecondOrderICA().fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SecondOrderICA().fit(autoregressive() @ np.random.default_rng(1).normal(size=(4, 4)))


def test_more_channels_than_sources_and_a_constant_one():
    S = autoregressive()
    A = np.random.default_rng(2).normal(size=(7, 4))
    X = np.column_stack([S @ A.T, np.ones(len(S))])
    model = SecondOrderICA().fit(X)
    assert model.components_.shape == (4, 8)
    assert amari(model.components_[:, :7] @ A) < 0.05
    assert SecondOrderICA(2).fit(X).components_.shape == (2, 8)
    with pytest.raises(ValueError, match="n_components=5 is more than the rank 4"):
        SecondOrderICA(5).fit(X)


def test_lagged_covariances_are_what_they_are_defined_as_across_the_edges_of_leaves():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 3)).cumsum(0) / 30  # three leaves
    blocks = as_blocks(X)
    assert blocks.n_leaves == 3
    lags = [0, 1, 7, 100, 5000]  # the last is longer than a leaf
    found, mean = lagged_covariances(blocks, lags, missing=False)
    Y = X - X.mean(0)
    np.testing.assert_allclose(mean, X.mean(0), rtol=1e-10)
    for lag, C in zip(lags, found, strict=True):
        np.testing.assert_allclose(C, Y[lag:].T @ Y[: len(Y) - lag] / (len(Y) - lag), rtol=1e-9, atol=1e-12)


def test_with_gaps_every_pair_that_is_seen_counts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 3)).cumsum(0) / 30
    X[rng.random(X.shape) < 0.2] = np.nan
    found, _ = lagged_covariances(as_blocks(X), [0, 3], missing=True)
    Y = X - np.nanmean(X, 0)
    for lag, C in zip([0, 3], found, strict=True):
        for i in range(3):
            for j in range(3):
                assert C[i, j] == pytest.approx(np.nanmean(Y[lag:, i] * Y[: len(Y) - lag, j]), rel=1e-9)


def test_gaps_cost_little():
    S, rng = autoregressive(), np.random.default_rng(3)
    A = rng.normal(size=(4, 4))
    X = np.where(rng.random(S.shape) < 0.1, np.nan, S @ A.T)
    model = SecondOrderICA().fit(X)
    assert amari(model.components_ @ A) < 0.06
    filled = model.transform(X)
    assert np.isfinite(filled).all()
    assert np.abs(np.corrcoef(filled.T, S.T)[:4, 4:]).max(1).min() > 0.85


def test_the_mixture_does_not_matter():
    """Equivariance: other channels, the same sources."""
    S = autoregressive(4000)
    rng = np.random.default_rng(4)
    one, other = (SecondOrderICA().fit_transform(S @ rng.normal(size=(4, 4))) for _ in range(2))
    np.testing.assert_allclose(np.abs(one), np.abs(other), atol=1e-6)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_scales(scale):
    S = autoregressive(3000)
    X = S @ np.random.default_rng(5).normal(size=(4, 4))
    np.testing.assert_allclose(
        np.abs(SecondOrderICA().fit_transform(X * scale)), np.abs(SecondOrderICA().fit_transform(X)), atol=1e-6
    )


def test_the_number_of_threads_changes_no_bit(tmp_path):
    X = (autoregressive(20_000) @ np.random.default_rng(6).normal(size=(4, 4))).astype(np.float32)
    np.save(tmp_path / "x.npy", X)
    answers = []
    for data, threads in ((X, 1), (X, 4), (tmp_path / "x.npy", 2)):
        with unmix.execution(threads=threads):
            answers.append(SecondOrderICA().fit(data).components_)
    assert answers[0].dtype == np.float32
    assert all(np.array_equal(a, answers[0]) for a in answers)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"lags": "many"}, "lags='many'"),
        ({"lags": [0, 1]}, "lags="),
        ({"lags": 50}, "lags go up to 50"),
        ({"method": "pca"}, "method='pca'"),
        ({"n_components": 0}, "n_components=0"),
    ],
)
def test_what_cannot_be_is_said(parameters, message):
    with pytest.raises(ValueError, match=message):
        SecondOrderICA(**parameters).fit(np.random.default_rng(0).normal(size=(30, 3)))


def test_a_constant_table_has_no_source():
    with pytest.raises(ValueError, match="every channel is constant"):
        SecondOrderICA().fit(np.ones((20, 2)))
