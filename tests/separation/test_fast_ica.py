"""FastICA: known mixtures unmixed, its fixed point, its contrasts, and the answer of scikit-learn."""

import numpy as np
import pytest
from sklearn.decomposition import FastICA as Peer
from sklearn.exceptions import ConvergenceWarning

import unmix
from unmix.factors.independent.whitening import Whitening
from unmix.separation import FastICA, GaussianSourcesWarning, amari_index, match_sources

from .mixtures import mixture


def arctan(s):
    return np.arctan(s), 1 / (1 + s * s)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
@pytest.mark.parametrize("contrast", ["logcosh", "exp", "cube", pytest.param(arctan, id="arctan")])
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_known_mixtures(kind, contrast, algorithm):
    # The kurtosis of heavy tails has a large error of its own, and takes more rows to be known.
    X, _, A = mixture(kind, n=20_000 if contrast == "cube" and kind != "uniform" else 4000)
    model = FastICA(contrast=contrast, algorithm=algorithm, random_state=0).fit(X)
    assert amari_index(model.components_, A) < 0.05
    sources = model.transform(X)
    np.testing.assert_allclose(np.cov(sources, rowvar=False, bias=True), np.eye(4), atol=1e-8)
    np.testing.assert_allclose(model.inverse_transform(sources), X, atol=1e-8)
    np.testing.assert_allclose(model.components_ @ model.mixing_, np.eye(4), atol=1e-8)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("contrast, peer", [("logcosh", "logcosh"), ("exp", "exp"), ("kurtosis", "cube")])
def test_the_answer_of_scikit_learn(contrast, peer):
    X, _, _ = mixture("mixed", seed=1)
    ours = FastICA(contrast=contrast, tol=1e-12, random_state=0).fit_transform(X)
    theirs = Peer(fun=peer, tol=1e-12, max_iter=500, whiten="unit-variance", random_state=0).fit_transform(X)
    match = match_sources(theirs, ours)
    np.testing.assert_allclose(np.abs(match.scale), 1, atol=1e-5)
    np.testing.assert_allclose(match.sources, theirs, atol=1e-4)


@pytest.mark.slow_without_jit
def test_every_answer_is_a_fixed_point_by_definition():
    X, _, _ = mixture("mixed")
    model = FastICA(tol=1e-13, a=1.5, random_state=0).fit(X)
    s = model.transform(X)
    t = np.tanh(1.5 * s)
    step = t.T @ s / len(s) - np.diag(1.5 * (1 - t**2).mean(axis=0))
    left, _, right = np.linalg.svd(step)
    np.testing.assert_allclose(np.abs(left @ right), np.eye(4), atol=1e-6)


def test_one_unit_iteration_is_the_rule_without_the_stray_factor():
    """b ← E[z g(b·z)] - E[g'(b·z)] b, written out on whitened rows."""
    X, _, _ = mixture("laplace", k=3)
    white = unmix.separation.whiten(X).rows
    start = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    with pytest.warns(ConvergenceWarning):
        model = FastICA(algorithm="deflation", max_iter=1, tol=0.0, w_init=start).fit(X)
    b = start[0]
    g = np.tanh(white @ b)
    b = (white * g[:, None]).mean(axis=0) - (1 - g**2).mean() * b
    b /= np.linalg.norm(b)
    assert np.abs(np.corrcoef(model.transform(X).T, white @ b)[-1, :-1]).max() == pytest.approx(1, abs=1e-10)


@pytest.mark.slow_without_jit
def test_deflation_is_symmetric_up_to_order():
    X, _, _ = mixture("uniform", n=20_000)
    symmetric = FastICA(tol=1e-10, random_state=0).fit(X).components_
    deflated = FastICA(tol=1e-10, algorithm="deflation", random_state=1).fit(X)
    assert amari_index(symmetric, deflated.mixing_) < 0.02


@pytest.mark.slow_without_jit
def test_the_start_on_few_rows_changes_nothing():
    X, _, A = mixture("laplace", n=20_000, k=3)
    long = FastICA(tol=1e-12, random_state=0).fit(X)
    assert long.trace_[0]["stage"] == "sample"
    exact = Peer(tol=1e-12, whiten="unit-variance", random_state=0).fit(X)
    assert amari_index(long.components_, exact.mixing_) < 1e-6
    assert amari_index(long.components_, A) < 0.05


def test_fewer_components_keep_the_directions_of_most_variance():
    rng = np.random.default_rng(0)
    S, A = rng.laplace(size=(3000, 2)), rng.normal(size=(8, 2))
    X = S @ A.T + 1e-3 * rng.normal(size=(3000, 8))
    model = FastICA(2, random_state=0).fit(X)
    assert model.components_.shape == (2, 8) and model.mixing_.shape == (8, 2)
    assert amari_index(model.components_, A) < 0.05
    assert amari_index(FastICA(2, random_state=0).fit(X.astype("f4")).components_, A) < 0.05


@pytest.mark.parametrize("shift", [0, 1e3])
def test_single_precision_far_from_zero(shift):
    X, _, A = mixture("laplace")
    model = FastICA(random_state=0).fit((X + shift).astype("f4"))
    assert model.components_.dtype == np.float32
    assert amari_index(model.components_, A) < 0.05
    assert np.abs(model.transform((X + shift).astype("f4")).mean(axis=0)).max() < 1e-2


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("options", [{}, {"algorithm": "deflation"}, {"contrast": "exp"}])
def test_same_bits_on_any_number_of_threads(options):
    X, _, _ = mixture("mixed", n=40_000)
    fits = []
    for threads in (1, 2, 3):
        with unmix.execution(threads=threads):
            fits.append(FastICA(random_state=0, **options).fit(X).components_)
    assert np.array_equal(fits[0], fits[1]) and np.array_equal(fits[0], fits[2])


def test_a_wrong_derivative_is_refused():
    with pytest.raises(ValueError, match="not the derivative"):
        FastICA(contrast=lambda s: (np.tanh(s), np.tanh(s))).fit(np.ones((4, 2)))
    with pytest.raises(ValueError, match="g and g'"):
        FastICA(contrast=lambda s: (np.tanh(s), 1.0)).fit(np.ones((4, 2)))
    with pytest.raises(ValueError, match="g and g'"):
        FastICA(contrast=lambda s: np.tanh(s)).fit(np.ones((4, 2)))
    X, _, A = mixture("laplace")
    kink = FastICA(contrast=lambda s: (np.clip(s, -1, 1), (np.abs(s) < 1) * 1.0), random_state=0).fit(X)
    assert amari_index(kink.components_, A) < 0.05


@pytest.mark.parametrize(
    "options, word",
    [
        ({"contrast": "tanh"}, "contrast"),
        ({"algorithm": "serial"}, "algorithm"),
        ({"a": 3.0}, "a=3.0"),
        ({"tol": -1}, "tol"),
        ({"max_iter": 0}, "max_iter"),
        ({"w_init": np.ones((4, 4))}, "w_init"),
    ],
)
def test_bad_parameters_are_named(options, word):
    with pytest.raises(ValueError, match=word):
        FastICA(**options).fit(mixture(n=50)[0])


@pytest.mark.slow_without_jit
def test_gaussian_sources_are_not_separated_and_that_is_said():
    X, _, A = mixture("gaussian")
    with pytest.warns(GaussianSourcesWarning, match="4 of 4 sources"):
        model = FastICA(random_state=0, tol=2.0).fit(X)
    assert amari_index(model.components_, A) > 0.1


def test_sources_come_by_size_however_small_beside_the_largest():
    sizes = np.array([1e-9, 1.0, 3e-9, 2e-9])
    model, frame = FastICA(), Whitening(10.0, np.zeros(4), np.diag(1 / sizes), np.diag(sizes))
    order, _ = model._store(frame, np.eye(4), np.float64)
    assert order.tolist() == [1, 2, 3, 0]
    np.testing.assert_allclose(model.mixing_.max(axis=0), sizes[order])
