"""Online rules: one row by hand, known mixtures, and rows that come in pieces."""

import numpy as np
import pytest

from unmix.factors.independent.online import Rule, State, learn
from unmix.factors.independent.online_kernel import LOG_COSH_OF_GAUSSIAN
from unmix.separation import GaussianSourcesWarning, OnlineICA, amari_index

from .mixtures import mixture

rng = np.random.default_rng(0)


def test_the_constant_of_the_gaussian():
    points, weights = np.polynomial.hermite_e.hermegauss(100)
    mean = weights @ np.log(np.cosh(points)) / weights.sum()
    assert mean == pytest.approx(LOG_COSH_OF_GAUSSIAN, rel=1e-8)


@pytest.mark.parametrize("name", ["kurtosis", "negentropy"])
def test_rows_by_hand(name):
    """Δb = ε sgn(γ) u y³ or ε γ u tanh(y), of which orthonormal units keep the part that turns them."""
    rows, B = rng.uniform(-1.7, 1.7, size=(6, 3)), np.linalg.qr(rng.normal(size=(3, 3)))[0]
    gamma = np.array([0.3, -0.2, 0.1])
    rule = Rule(name, 0.01, 0.1, batch_size=2)
    got = learn(State(0, False, B, gamma, 7, np.inf), rows, None, rule)
    for t in range(3):
        step = np.zeros((3, 3))
        for u in rows[2 * t : 2 * t + 2]:
            y = B @ u
            if name == "kurtosis":
                gamma = gamma + 0.1 * (y**4 - 3 - gamma)
                step += np.outer(np.sign(gamma) * y**3, u) / 2
            else:
                gamma = gamma + 0.1 * (np.log(np.cosh(y)) - LOG_COSH_OF_GAUSSIAN - gamma)
                step += np.outer(gamma * np.tanh(y), u) / 2
        rate = 0.01 * 500 / (507 + t)
        turn = step @ B.T
        moved = B + rate * (turn - turn.T) / 2 @ B
        left, _, right = np.linalg.svd(moved)
        B = left @ right
    np.testing.assert_allclose(got.units, B, atol=1e-8)
    np.testing.assert_allclose(got.running, gamma)
    assert got.batches == 10


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("rule", ["kurtosis", "negentropy"])
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_known_mixtures(kind, rule):
    X, _, A = mixture(kind, n=5000)
    model = OnlineICA(rule=rule, random_state=0).fit(X)
    assert amari_index(model.components_, A) < 0.05
    signs = np.sign(model.running_) * (1 if rule == "kurtosis" else -1)  # heavy tails have a small mean log cosh
    assert (signs > 0).sum() == {"laplace": 4, "uniform": 0, "mixed": 2}[kind]
    np.testing.assert_allclose(np.cov(model.transform(X), rowvar=False, bias=True), np.eye(4), atol=1e-6)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("rule", ["kurtosis", "negentropy"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_rows_from_a_file_a_piece_at_a_time(rule, dtype, tmp_path):
    X, _, A = mixture("laplace", n=30_000)
    np.save(tmp_path / "x.npy", X.astype(dtype))
    rows = np.load(tmp_path / "x.npy", mmap_mode="r")
    model = OnlineICA(rule=rule, random_state=0)
    for start in range(0, len(rows), 3000):
        model.partial_fit(rows[start : start + 3000])
    assert model.components_.dtype == dtype and model.n_samples_seen_ == 30_000
    assert amari_index(model.components_, A) < 0.05
    np.testing.assert_allclose(model.covariance_, np.cov(X, rowvar=False, bias=True), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(model.mean_, X.mean(axis=0), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(np.cov(model.transform(rows), rowvar=False, bias=True), np.eye(4), atol=1e-3)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("size", [1.0, 1e150, 1e-150, 1e300, 1e-300])
def test_running_covariance_in_any_unit(size):
    X = mixture("laplace", n=2000)[0]
    model = OnlineICA(random_state=0).partial_fit(X[:900] * size).partial_fit(X[900:] * size)
    expected = np.cov(X, rowvar=False, bias=True)
    np.testing.assert_allclose(model.scatter_ * (model.unit_ / size) ** 2, expected, rtol=1e-9)
    if size in (1.0, 1e150):
        np.testing.assert_allclose(model.covariance_ / size / size, expected, rtol=1e-9)
    np.testing.assert_allclose(np.cov(model.transform(X * size), rowvar=False, bias=True), np.eye(4), atol=1e-6)
    fitted = OnlineICA(n_epochs=1, random_state=0).fit(X * size)
    np.testing.assert_allclose(fitted.scatter_ * (fitted.unit_ / size) ** 2, expected, rtol=1e-9)


def test_a_row_of_weight_two_counts_twice_in_the_running_estimates():
    rows, B = rng.normal(size=(5, 2)), np.linalg.qr(rng.normal(size=(2, 2)))[0]
    rule, begin = Rule("negentropy", 1e-12, 0.1, batch_size=20), State(0, False, B, np.zeros(2), 0, np.inf)
    twice = learn(begin, np.repeat(rows, 2, axis=0), None, rule)
    np.testing.assert_allclose(learn(begin, rows, np.full(5, 2.0), rule).running, twice.running, rtol=1e-9)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("size", [1e6, 1e-6, 1e12, 1e300, 1e-300])
def test_a_first_batch_in_another_unit(size):
    X, _, A = mixture("laplace", n=12_000)
    model, plain = OnlineICA(random_state=0).partial_fit(X[:1000] * size), OnlineICA(random_state=0)
    for start in range(0, len(X), 1000):
        plain.partial_fit(X[start : start + 1000])
        if start > 0:
            model.partial_fit(X[start : start + 1000])
    assert model.n_samples_seen_ == 11_000
    np.testing.assert_allclose(model.mean_, X[1000:].mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(model.covariance_, np.cov(X[1000:], rowvar=False, bias=True), rtol=1e-9)
    assert amari_index(model.components_, A) < amari_index(plain.components_, A) + 0.02 < 0.1


@pytest.mark.slow_without_jit
def test_a_vast_row_is_forgotten():
    X, _, A = mixture("laplace", n=20_000)
    rows, model = X.copy(), OnlineICA(random_state=0)
    rows[7] *= 1e9
    for start in range(0, len(X), 1000):
        model.partial_fit(rows[start : start + 1000])
    assert amari_index(model.components_, A) < 0.06
    np.testing.assert_allclose(model.covariance_, np.cov(X[1000:], rowvar=False, bias=True), rtol=1e-9)


@pytest.mark.slow_without_jit
def test_gaussian_sources_are_told():
    with pytest.warns(GaussianSourcesWarning):
        OnlineICA(n_epochs=2, random_state=0).fit(mixture("gaussian", n=1000)[0])


@pytest.mark.parametrize("options", [{"rule": "skewness"}, {"batch_size": 0}, {"learning_rate": 0}, {"memory": 2}])
def test_bad_parameters_are_named(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        OnlineICA(**options).fit(mixture(n=50)[0])
