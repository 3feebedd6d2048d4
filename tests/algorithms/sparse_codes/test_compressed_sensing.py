"""Signals come back from few random measurements, and do not from too few."""

import numpy as np
import pytest

from unmix.decomposition import dct_basis, recover, sense


def sparse_signals(n, d, k, seed):
    rng = np.random.default_rng(seed)
    codes = np.zeros((n, d))
    for row in codes:
        row[rng.choice(d, k, replace=False)] = rng.normal(size=k)
    return codes @ dct_basis(d)


@pytest.mark.parametrize("method", ["omp", "lasso"])
def test_enough_measurements_give_the_signal(method):
    X = sparse_signals(30, 128, 5, 0)
    y, W = sense(X, 50, random_state=0)
    assert y.shape == (30, 50) and W.shape == (50, 128)
    np.testing.assert_allclose(y, X @ W.T)
    back = recover(y, W, dct_basis(128), method=method)
    assert (np.linalg.norm(back - X, axis=1) < 1e-6 * np.linalg.norm(X, axis=1)).mean() > 0.95
    few, W = sense(X, 7, random_state=0)
    assert (np.linalg.norm(recover(few, W, dct_basis(128), method=method) - X, axis=1) > 0.1).mean() > 0.9


def test_measurements_are_as_said():
    _, W = sense(np.zeros(400), 300, random_state=1)
    assert abs(W.var() * 400 - 1) < 0.02 and abs(W.mean()) < 1e-3
    assert np.array_equal(W, sense(np.zeros(400), 300, random_state=1)[1])
    y, W = sense(np.ones(20, np.float32), 5, random_state=0)
    assert y.dtype == W.dtype == recover(y, W).dtype == np.float32 and y.shape == (5,)
    assert not recover(np.zeros(5), W).any()


@pytest.mark.parametrize("method", ["omp", "lasso"])
def test_each_signal_in_a_unit_of_its_own(method):
    X = sparse_signals(10, 64, 3, 0)
    y, W = sense(X, 30, random_state=0)
    units = np.array([1e300, 1e-300, 1e200, 1.0, 1e12, 1e-12, 1.0, 1.0, 1e-200, 1e100])[:, None]
    plain = recover(y, W, dct_basis(64), method=method)
    np.testing.assert_allclose(recover(y * units, W, dct_basis(64), method=method) / units, plain, atol=1e-9)


def test_noise_is_left_where_told():
    X = sparse_signals(40, 128, 4, 2)
    rng = np.random.default_rng(0)
    y, W = sense(X, 60, random_state=3)
    noisy = y + 0.05 * np.linalg.norm(y, axis=1, keepdims=True) * rng.normal(size=y.shape) / np.sqrt(60)
    back = recover(noisy, W, dct_basis(128), tol=0.05)
    assert np.median(np.linalg.norm(back - X, axis=1) / np.linalg.norm(X, axis=1)) < 0.05


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (lambda: sense(np.ones(4), 0), "m="),
        (lambda: sense(np.full(4, np.nan), 2), "x:"),
        (lambda: recover(np.ones(3), np.ones((4, 5))), "W"),
        (lambda: recover(np.ones(4), np.ones((4, 5)), np.eye(4)), "basis"),
        (lambda: recover(np.ones(4), np.ones((4, 5)), method="best"), "method"),
    ],
)
def test_wrong_arguments_are_named(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()
