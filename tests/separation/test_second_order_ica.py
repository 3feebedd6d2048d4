"""Second-order separation: Gaussian sources with memory, lagged covariances by definition, gaps, edges of leaves."""

import re
import warnings

import numpy as np
import pytest
from scipy.signal import lfilter

import unmix
from unmix.algorithms.independent.lagged_covariance import lagged_covariances, spectral_matrices
from unmix.io.dispatch import as_blocks
from unmix.separation import SecondOrderICA, joint_diagonalize


def autoregressive(n=10_000, coefficients=(0.95, 0.7, -0.2, -0.8), seed=0):
    noise = np.random.default_rng(seed).normal(size=(n, len(coefficients)))
    S = np.column_stack([lfilter([1], [1, -a], column) for a, column in zip(coefficients, noise.T, strict=True)])
    return (S - S.mean(0)) / S.std(0)


def amari(P):
    """0 for a permutation with scales, 1 for the worst."""
    P, k = np.abs(P), len(P)
    rows, columns = (P / P.max(1, keepdims=True)).sum() - k, (P / P.max(0, keepdims=True)).sum() - k
    return (rows + columns) / (2 * k * (k - 1))


@pytest.mark.parametrize("method", ["auto", "likelihood", "amuse", "jacobi", "ffdiag", "qdiag"])
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
    model = SecondOrderICA(missing="ignore").fit(X)
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


def test_spectra_are_smoothed_periodograms():
    """Bartlett's: the mean of the periodograms of all stretches of L + 1 moments."""
    rng = np.random.default_rng(0)
    X, L = rng.normal(size=(300, 2)).cumsum(0) / 10, 20
    X -= X.mean(0)
    covariances, _ = lagged_covariances(as_blocks(X), list(range(L + 1)), False)
    covariances = (covariances + covariances.transpose(0, 2, 1)) / 2
    got = spectral_matrices(covariances, 1 - np.arange(1, L + 1) / (L + 1), len(X))
    windows = [X[max(s, 0) : s + L + 1] for s in range(-L, len(X))]  # every stretch of L + 1 moments
    for f, S in zip((np.arange(len(got)) + 0.5) * np.pi / len(got), got, strict=True):
        transforms = np.array([np.exp(-1j * f * np.arange(len(part))) @ part for part in windows])
        expected = (transforms.conj().T @ transforms).real / len(X) / (L + 1)
        np.testing.assert_allclose(S, expected, atol=1e-9)
    assert np.linalg.eigvalsh(got).min() > 0


@pytest.mark.filterwarnings("ignore:sources:UserWarning")
def test_likelihood_is_nearer_than_squares():
    """Amari of Gaussian sources with memory over ten mixtures: errors at neighbouring lags are not independent."""
    errors = {"likelihood": [], "jacobi": []}
    for seed in range(10):
        S = autoregressive(n=500, coefficients=(0.95, 0.8, 0.3, -0.8), seed=seed)
        A = np.random.default_rng(seed).normal(size=(4, 4))
        for method, found in errors.items():
            found.append(amari(SecondOrderICA(method=method, lags=50).fit(S @ A.T).components_ @ A))
    assert np.median(errors["likelihood"]) < 0.8 * np.median(errors["jacobi"])


@pytest.mark.parametrize("method", ["jacobi", "ffdiag", "qdiag"])
def test_weights_of_lags_are_those_of_the_sum(method):
    S = autoregressive(n=2000)
    X = S @ np.random.default_rng(1).normal(size=(4, 4)).T
    weights = np.random.default_rng(2).uniform(0, 2, 7)
    model = SecondOrderICA(lags=7, lag_weights=weights, method=method, tol=1e-12).fit(X)
    np.testing.assert_array_equal(model.lag_weights_, weights)
    X = (X - X.mean(0)) / 2.0 ** np.round(np.log2(X.std(0)))
    C = [X[t:].T @ X[: len(X) - t] / (len(X) - t) for t in range(8)]
    C = np.array([(c + c.T) / 2 for c in C])
    alpha = weights if method == "jacobi" else np.append(1.0, weights)
    used = C[1:] if method == "jacobi" else C
    expected = joint_diagonalize(used, method, weights=alpha, constraint=C[0], tol=1e-12).transform
    found = SecondOrderICA(lags=7, lag_weights=weights, method=method, tol=1e-12).fit(X).components_
    overlap = np.abs(found @ np.linalg.inv(expected))
    np.testing.assert_allclose(overlap.max(1), 1, rtol=1e-5)
    np.testing.assert_allclose(np.sort(overlap, axis=1)[:, :-1], 0, atol=1e-5)


def test_a_lag_of_weight_zero_is_left_out():
    X = autoregressive(n=2000) @ np.random.default_rng(1).normal(size=(4, 4)).T
    plain = SecondOrderICA(lags=[1, 2, 4], method="jacobi").fit(X)
    weighted = SecondOrderICA(lags=4, lag_weights=[1, 1, 0, 1], method="jacobi").fit(X)
    np.testing.assert_allclose(weighted.components_, plain.components_, atol=1e-8)
    amuse = SecondOrderICA(lags=4, lag_weights=[0, 0, 1, 0], method="amuse").fit(X)
    np.testing.assert_allclose(amuse.components_, SecondOrderICA(lags=[3], method="amuse").fit(X).components_)
    assert amuse.lags_ == [3]


def test_the_method_that_was_used_is_told():
    X = autoregressive(n=1000) @ np.random.default_rng(1).normal(size=(4, 4)).T
    assert SecondOrderICA().fit(X).method_ == "likelihood" and SecondOrderICA().fit(X).lags_.max() == 100
    assert SecondOrderICA(lags=[1, 5]).fit(X).method_ == "jacobi"
    X[10, 1] = np.nan
    assert SecondOrderICA(missing="ignore").fit(X).method_ == "jacobi"
    with pytest.raises(ValueError, match="leave some out"):
        SecondOrderICA(lags=[1, 5], method="likelihood", missing="ignore").fit(X)
    for wrong in ("flat", [1.0], [-1.0, 1.0], [0.0, 0.0]):
        with pytest.raises(ValueError, match=re.escape(f"lag_weights={wrong!r}")):
            SecondOrderICA(lags=2, lag_weights=wrong, missing="ignore").fit(X)
