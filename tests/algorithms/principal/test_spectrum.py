"""Every route against numpy's full singular value decomposition."""

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.algorithms.principal import gram
from unmix.algorithms.principal.spectrum import MissingValues, choose_solver, spectrum
from unmix.io.dispatch import as_blocks

ROUTES = ["covariance", "gram", "randomized"]


def reference(X, weights=None, centred=True):
    w = np.ones(len(X)) if weights is None else weights
    X = X.astype(np.float64)
    mean = w @ X / w.sum() if centred else np.zeros(X.shape[1])
    _, singular, components = np.linalg.svd(np.sqrt(w)[:, None] * (X - mean), full_matrices=False)
    return singular, components, mean


def with_spectrum(n, d, singular, seed=0):
    rng = np.random.default_rng(seed)
    k = len(singular)
    left = np.linalg.qr(rng.standard_normal((n, k)))[0]
    right = np.linalg.qr(rng.standard_normal((d, k)))[0]
    return (left * singular) @ right.T


def assert_same_directions(found, expected):
    np.testing.assert_allclose(np.abs(np.sum(found * expected, axis=1)), 1.0, atol=1e-9)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("shape", [(3000, 12), (40, 150)])
def test_equals_full_svd(route, centred, shape):
    rng = np.random.default_rng(1)
    X = rng.standard_normal(shape) * np.linspace(3, 1, shape[1]) + rng.standard_normal(shape[1])
    if route == "gram":
        X = X[:400]
    singular, components, mean = reference(X, centred=centred)
    found = spectrum(as_blocks(X), 5, solver=route, centred=centred)
    np.testing.assert_allclose(found.singular, singular[:5], atol=1e-10 * singular[0])
    assert_same_directions(found.components, components[:5])
    if centred:
        np.testing.assert_allclose(found.mean, mean, atol=1e-12)
    np.testing.assert_allclose(found.spread, np.sum(singular**2), rtol=1e-12)


@pytest.mark.parametrize("route", ["covariance", "gram"])
@pytest.mark.parametrize("shape", [(200, 30), (30, 200)])
def test_small_singular_values_survive_squaring(route, shape):
    X = with_spectrum(*shape, np.logspace(0, -13, 30))
    singular, _, _ = reference(X, centred=False)
    found = spectrum(as_blocks(X), 30, solver=route, centred=False)
    np.testing.assert_allclose(found.singular, singular, atol=1e-11)
    # without the second look the smallest are wrong by 1e-8
    np.testing.assert_allclose(np.linalg.norm(X @ found.components.T, axis=0), singular, atol=1e-11)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(30), atol=1e-13)


@pytest.mark.parametrize("route", ROUTES)
def test_sparse_equals_dense(route):
    X = sp.random_array((300, 60), density=0.1, rng=np.random.default_rng(0), format="csr")
    weights = np.random.default_rng(1).random(300)
    singular, components, _ = reference(X.toarray(), weights)
    found = spectrum(as_blocks(X), 6, solver=route, weights=weights)
    np.testing.assert_allclose(found.singular, singular[:6], atol=1e-10)
    assert_same_directions(found.components, components[:6])


def test_sparse_is_never_made_dense(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("made dense")

    X = sp.random_array((200, 1000), density=0.01, rng=np.random.default_rng(0), format="csr")
    singular, _, _ = reference(X.toarray())
    monkeypatch.setattr(sp.csr_array, "toarray", refuse)
    monkeypatch.setattr(sp.csr_array, "todense", refuse)
    found = spectrum(as_blocks(X), 3, solver="randomized")
    np.testing.assert_allclose(found.singular, singular[:3], atol=1e-10 * singular[0])


@pytest.mark.parametrize("route", ROUTES)
def test_weight_two_is_the_row_twice(route):
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((80, 6)), rng.integers(0, 4, 80).astype(float)
    weighted = spectrum(as_blocks(X), 6, solver=route, weights=weights)
    repeated = spectrum(as_blocks(np.repeat(X, weights.astype(int), axis=0)), 6, solver=route)
    np.testing.assert_allclose(weighted.singular, repeated.singular, rtol=1e-12)
    np.testing.assert_allclose(weighted.components, repeated.components, atol=1e-10)


@pytest.mark.parametrize("route", ROUTES)
def test_single_precision_far_from_the_origin(route):
    rng = np.random.default_rng(0)
    # the mean itself, rounded to float32, is off by a tenth of the smallest deviation
    X = (rng.standard_normal((400, 8)) * 0.05 * np.arange(1, 9) + 1e5).astype(np.float32)
    singular, _, mean = reference(X)
    found = spectrum(as_blocks(X), 8, solver=route)
    np.testing.assert_allclose(found.singular, singular, atol=2e-6 * singular[0])
    np.testing.assert_allclose(found.mean, mean, rtol=1e-9)


@pytest.mark.parametrize("route", ["covariance", "randomized"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_misleading_first_rows_are_found_out(route, dtype):
    X = np.random.default_rng(0).standard_normal((3000, 3)).astype(dtype)
    X[500:] += 3000
    weights = np.where(np.arange(3000) < 500, 0.0, 1.0)  # the shift is guessed from rows that do not count
    singular, _, _ = reference(X, weights)
    found = spectrum(as_blocks(X), 3, solver=route, weights=weights)
    np.testing.assert_allclose(found.singular, singular, rtol=1e-5 if dtype == np.float32 else 1e-11)
    np.testing.assert_allclose(found.spread, np.sum(singular**2), rtol=1e-5 if dtype == np.float32 else 1e-11)


@pytest.mark.parametrize("weak", [False, True])
def test_inner_products_by_strips(weak, monkeypatch):
    monkeypatch.setattr(gram, "ENTRIES", 1)  # strips of 64 rows, and of 64 columns
    X = np.random.default_rng(0).standard_normal((150, 8300))
    if weak:
        X = with_spectrum(150, 8300, np.r_[np.ones(140), np.linspace(1e-9, 1e-10, 10)])
    blocks = as_blocks(X)
    assert blocks.n_leaves == 3
    found = spectrum(blocks, 145, solver="gram", centred=False)
    expected = (
        np.sqrt(np.linalg.eigvalsh(X @ X.T)[::-1][:145])
        if not weak
        else np.r_[np.ones(140), np.linspace(1e-9, 1e-10, 10)[:5]]
    )
    np.testing.assert_allclose(found.singular, expected, rtol=1e-5 if weak else 1e-12)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("size", [1e300, 1e-300])
@pytest.mark.parametrize("centred", [True, False])
def test_extreme_scales(route, size, centred):
    X = np.random.default_rng(0).standard_normal((2500 if route != "gram" else 60, 5)) * np.arange(1, 6)
    plain = spectrum(as_blocks(X), 5, solver=route, centred=centred)
    found = spectrum(as_blocks(X * size), 5, solver=route, centred=centred)
    np.testing.assert_allclose(found.singular / found.scale / size, plain.singular, rtol=1e-12)
    np.testing.assert_allclose(found.components, plain.components, atol=1e-10)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("X", [np.zeros((30, 4)), np.full((30, 4), 0.1), np.full((30, 4), 1e6)])
def test_constant_data_have_no_spread_and_axes_for_directions(route, X):
    found = spectrum(as_blocks(X), 3, solver=route)
    assert not found.singular.any()
    np.testing.assert_array_equal(found.components, np.eye(4)[:3])


def test_directions_without_variance_do_not_depend_on_the_route():
    X = np.random.default_rng(0).standard_normal((20, 3)) @ np.random.default_rng(1).standard_normal((3, 9))
    found = [spectrum(as_blocks(X), 9, solver=route) for route in ROUTES]
    for other in found[1:]:
        np.testing.assert_allclose(other.components, found[0].components, atol=1e-10)
    np.testing.assert_array_equal(found[0].singular[3:], 0.0)


def test_missing_and_infinite_entries_are_named():
    X = np.random.default_rng(0).standard_normal((3000, 3))
    X[2000, 1] = np.nan
    with pytest.raises(MissingValues, match="1 of 9000"):
        spectrum(as_blocks(X), 2)
    X[5, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        spectrum(as_blocks(X), 2)


@pytest.mark.parametrize(
    ("shape", "k", "expected"),
    [
        ((20_000, 1000), 20, "covariance"),
        ((500_000, 50), 50, "covariance"),
        ((100, 5000), 10, "gram"),
        ((50_000, 10_000), 20, "randomized"),
        ((5000, 100_000), 20, "randomized"),
        ((5000, 4000), 1000, "covariance"),
    ],
)
def test_route_follows_shape(shape, k, expected):
    assert choose_solver(*shape, k) == expected
