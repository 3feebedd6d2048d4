"""Single precision ends where double precision does, also where little of the table is left."""

import numpy as np
import pytest

from unmix.decomposition import NMF

pytestmark = [
    pytest.mark.slow_without_jit,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


def table(seed):
    """Some factors, zeros in them or not, noise of 0.1 % to 50 %: what single precision can hold."""
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.choice([100, 300, 1000])), int(rng.choice([8, 20, 60, 150])), int(rng.integers(2, 9))
    Z, U = rng.gamma(0.5, size=(n, k)), rng.gamma(0.5, size=(k, d))
    if seed % 2:
        Z *= rng.random(Z.shape) < 0.6
    X = Z @ U
    noise = rng.choice([0.001, 0.01, 0.1, 0.5])
    return np.maximum(X + noise * X.std() * rng.normal(size=X.shape), 0).astype(np.float32), k


def relative_error(X, k, dtype, **settings):
    model = NMF(k, random_state=0, **settings)
    codes = model.fit_transform(X.astype(dtype))
    assert model.components_.dtype == codes.dtype == dtype
    return np.linalg.norm(X - codes.astype(np.float64) @ model.components_.astype(np.float64)) / np.linalg.norm(X)


@pytest.mark.parametrize("init", ["nndsvda", "random"])
def test_single_precision_ends_at_the_error_of_double(init):
    apart = []
    for seed in range(24):
        X, k = table(seed)
        single, double = (relative_error(X, k, dtype, init=init) for dtype in (np.float32, np.float64))
        apart.append(single / double - 1)
    assert np.median(np.abs(apart)) < 1e-5
    assert np.sum(np.array(apart) > 1e-3) <= 1 and max(apart) < 0.02  # in one the first step told apart leads elsewhere


def test_holes_and_weights_do_too():
    X, k = table(11)
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 4, len(X)).astype(float)
    holed = np.where(rng.random(X.shape) < 0.1, np.float32(np.nan), X)
    for given, settings in ((X, {}), (holed, {"missing": "ignore"})):
        errors = [
            NMF(k, random_state=0, **settings).fit(given.astype(dtype), sample_weight=weights).reconstruction_err_
            for dtype in (np.float32, np.float64)
        ]
        assert errors[0] == pytest.approx(errors[1], rel=2e-3)
