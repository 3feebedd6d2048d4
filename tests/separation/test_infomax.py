"""Infomax: its likelihood and gradient by definition, its paths step by step, equivariance, and known mixtures."""

import warnings

import numpy as np
import pytest
from scipy.stats import logistic, norm
from sklearn.exceptions import ConvergenceWarning

import unmix
from unmix.algorithms.independent.likelihood import evaluate
from unmix.algorithms.independent.natural_gradient import Batches, ascend, begin, natural_gradient_pass
from unmix.algorithms.independent.whitening import Whitening, fit_whitening
from unmix.io.dispatch import as_blocks
from unmix.separation import GaussianSourcesWarning, Infomax, amari_index, match_sources, whiten

from .mixtures import mixture

rng = np.random.default_rng(0)


def as_they_are(X):
    """Rows that are not to be whitened."""
    d = X.shape[1]
    return as_blocks(X), Whitening(float(len(X)), np.zeros(d), np.eye(d), np.eye(d))


def score(s, flat):
    return np.where(flat, s - np.tanh(s), np.tanh(s / 2))


def loss(W, X, flat):
    s = X @ W.T
    bells = np.logaddexp(norm.logpdf(s, 1), norm.logpdf(s, -1)) - np.log(2)
    return -np.where(flat, bells, logistic.logpdf(s)).sum(axis=1).mean() - np.log(abs(np.linalg.det(W)))


def test_loss_and_gradient_are_those_of_the_densities():
    X, W, flat = rng.laplace(size=(700, 3)), rng.normal(size=(3, 3)), np.array([False, True, False])
    point = evaluate(*as_they_are(X), W, flat, None)
    assert point.loss == pytest.approx(loss(W, X, flat), rel=1e-12)
    by_differences = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            E = np.zeros((3, 3))
            E[i, j] = 1e-6
            by_differences[i, j] = (loss(W + E @ W, X, flat) - loss(W - E @ W, X, flat)) / 2e-6
    np.testing.assert_allclose(point.gradient, by_differences, atol=1e-7)
    s = X @ W.T
    slopes = np.where(flat, np.tanh(s) ** 2, (1 - np.tanh(s / 2) ** 2) / 2)
    np.testing.assert_allclose(point.slopes, slopes.mean(axis=0))
    np.testing.assert_allclose(point.squares, (s**2).mean(axis=0))
    np.testing.assert_allclose(point.curvatures, (slopes * s**2).mean(axis=0))


def test_weights_and_single_precision_give_the_same_point():
    X, W, flat = rng.laplace(size=(700, 3)), rng.normal(size=(3, 3)), np.array([False, True, False])
    weights = rng.integers(0, 4, 700)
    repeated = evaluate(*as_they_are(np.repeat(X, weights, axis=0)), W, flat, None)
    blocks, frame = as_they_are(X)
    weighted = evaluate(blocks, frame._replace(weight=float(weights.sum())), W, flat, weights.astype(float))
    for a, b in zip(repeated, weighted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10)
    single = evaluate(*as_they_are(np.repeat(X, weights, axis=0).astype("f4")), W, flat, None)
    np.testing.assert_allclose(single.gradient, repeated.gradient, atol=1e-5)
    assert single.loss == pytest.approx(repeated.loss, rel=1e-5)


@pytest.mark.parametrize("natural", [True, False])
def test_the_path_is_its_definition_step_by_step(natural):
    """W ← W + η (I - E[φ(Wx)(Wx)ᵀ]) W, and the same gradient with W⁻ᵀ in place of W."""
    X = mixture("laplace", n=500, k=3)[0]
    X = X / X.std(axis=0)
    W = expected = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    for steps in range(1, 6):
        s = X @ expected.T
        ascent = np.eye(3) - score(s, False).T @ s / len(X)
        expected = expected + 0.05 * ascent @ (expected if natural else np.linalg.inv(expected).T)
        settings = {"rate": 0.05, "weights": None, "extended": False, "max_iter": steps, "tol": 0.0}
        got = ascend(*as_they_are(X), W, natural=natural, **settings)
        np.testing.assert_allclose(got.point.matrix, expected, rtol=1e-10)


@pytest.mark.parametrize("rule", ["natural", "gradient", "newton"])
def test_batches_follow_their_rule(rule):
    """W ← W + η A W, η A W⁻ᵀ, or η H⁻¹ A W with H written out as a matrix of all entries of A."""
    X, W = rng.laplace(size=(100, 3)), np.linalg.qr(rng.normal(size=(3, 3)))[0]
    got = natural_gradient_pass(begin(W, 1000.0), X, None, Batches(rule, 40, 0.1, False))
    running, seen = np.zeros((4, 3)), 0
    for start, m in ((0, 40), (40, 40), (80, 20)):
        s = X[start : start + m] @ W.T
        t = np.tanh(s / 2)
        step = np.eye(3) - t.T @ s / m
        now = np.stack([s**2, (1 - t**2) / 2, (1 - t**2) / 2 * s**2, 1 - np.tanh(s) ** 2]).mean(axis=1)
        running, seen = running + 2 * m / (seen + 2 * m) * (now - running), seen + m
        rate = 0.1 * m / 64 * (12800 / (12800 + 1000 + start)) ** 0.8
        if rule == "newton":
            rate, step = 0.1 * m / (1400 + seen), newton(step, running)
        W = W + rate * step @ (np.linalg.inv(W).T if rule == "gradient" else W)
    np.testing.assert_allclose(got.matrix, W, rtol=1e-9)
    np.testing.assert_allclose(got.running[1], running[3])
    assert got.batches == 3 and got.weight == 1100


def newton(ascent, running):
    """Solved as one system for all pairs; its 2×2 blocks have no eigenvalue below 0.2."""
    squares, slopes, curvatures = running[:3]
    out = np.diag(np.diag(ascent) / (1 + curvatures))
    for i in range(3):
        for j in range(i):
            block = np.array([[slopes[i] * squares[j], 1.0], [1.0, slopes[j] * squares[i]]])
            block += max(0.2 - np.linalg.eigvalsh(block)[0], 0.0) * np.eye(2)
            out[i, j], out[j, i] = np.linalg.solve(block, [ascent[i, j], ascent[j, i]])
    return out


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("solver", ["quasi-newton", "natural", "gradient"])
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_chunks_of_any_size_give_one_answer(kind, solver):
    """Row by row, by sevens and all at once: the same numbers, in units over six decades."""
    X, A = stream_of(kind, k=3, n=700)
    fits = []
    for size in (1, 7, 64, 700):
        model = Infomax(solver=solver, random_state=0)
        for start in range(0, len(X), size):
            model.partial_fit(X[start : start + size])
        fits.append(model)
    for model in fits[1:]:
        np.testing.assert_allclose(model.components_ @ A, fits[0].components_ @ A, rtol=1e-8, atol=1e-9)
        assert model.n_batches_ == fits[0].n_batches_ and model.n_samples_seen_ == 700
        np.testing.assert_array_equal(model.sub_gaussian_, fits[0].sub_gaussian_)


def stream_of(kind, k, n):
    """(rows, mixing): condition 100, channels in units of 1e-3 to 1e3."""
    S, draw = mixture(kind, n=n, k=k)[1], np.random.default_rng(5)
    left, right = (np.linalg.qr(draw.normal(size=(k, k)))[0] for _ in range(2))
    A = np.geomspace(1e-3, 1e3, k)[:, None] * (left * np.geomspace(1, 0.01, k)) @ right
    return S @ A.T, A


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("k", [2, 4, 8])
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_one_pass_comes_near_to_the_whole_table(kind, k):
    X, A = stream_of(kind, k, 3000)
    whole = amari_index(Infomax(random_state=0).fit(X).components_, A)
    for batch_size in (1, 16, 64):
        stream = Infomax(batch_size=batch_size, random_state=0).partial_fit(X)
        assert amari_index(stream.components_, A) < 2 * whole + 0.04


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("solver", ["natural", "gradient"])
@pytest.mark.parametrize("batch_size", [1, 8, 256])
def test_batches_of_any_size_come_to_the_answer(batch_size, solver):
    X, _, A = mixture("mixed", n=1500, k=3)
    model = Infomax(solver=solver, batch_size=batch_size, random_state=0).fit(X)
    assert amari_index(model.components_, A) < 0.06 and model.sub_gaussian_.sum() == 1


def test_a_single_row_is_held_and_two_are_seen():
    model = Infomax(2, random_state=0).partial_fit(np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_array_equal(model.transform(np.eye(3)), np.zeros((3, 2)))
    np.testing.assert_array_equal(model.mean_, [1, 2, 3])
    model.partial_fit(np.array([[2.0, 2.0, 5.0]]))
    codes = model.transform(np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 5.0]]))
    np.testing.assert_allclose(model.inverse_transform(codes), [[1, 2, 3], [2, 2, 5]], atol=1e-12)


@pytest.mark.slow_without_jit
def test_too_few_directions_are_told_when_the_first_rows_are_there():
    X = np.random.default_rng(0).laplace(size=(300, 2)) @ np.ones((2, 4))
    with pytest.raises(ValueError, match=r"n_components=3.*1 direction"):
        Infomax(3, random_state=0).partial_fit(X)


@pytest.mark.slow_without_jit
def test_a_saved_stream_goes_on(tmp_path):
    X = mixture("mixed", n=900, k=3)[0]
    model = Infomax(random_state=0).partial_fit(X[:333])
    model.save(tmp_path / "stream.unmix")
    later = unmix.load(tmp_path / "stream.unmix").partial_fit(X[333:])
    np.testing.assert_array_equal(later.components_, model.partial_fit(X[333:]).components_)


@pytest.mark.slow_without_jit
def test_a_silent_stretch_changes_nothing():
    X, _, A = mixture("laplace", n=9000, k=3)
    X[4000:4600] *= 1e-6
    model = Infomax(random_state=0)
    for start in range(0, len(X), 300):
        model.partial_fit(X[start : start + 300])
    assert model.n_samples_seen_ == 9000 and amari_index(model.components_, A) < 0.05


def test_the_natural_path_is_equivariant():
    """Of start and mixing only the product counts, even for a mixing that is nearly singular."""
    S = rng.laplace(size=(600, 3))
    mixing = rng.normal(size=(3, 3)) @ np.diag([1, 1e-2, 1e-5])
    W = rng.normal(size=(3, 3))
    settings = {"natural": True, "rate": 0.1, "weights": None, "extended": True, "max_iter": 25, "tol": 0.0}
    plain = ascend(*as_they_are(S), W, **settings)
    mixed = ascend(*as_they_are(S @ mixing.T), W @ np.linalg.inv(mixing), **settings)
    np.testing.assert_allclose(mixed.point.matrix @ mixing, plain.point.matrix, rtol=1e-6, atol=1e-8)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("solver", ["quasi-newton", "natural"])
def test_the_answer_does_not_depend_on_the_mixing(solver):
    S = mixture("mixed", n=1500, k=3)[1]
    fits = []
    for spread in (1.0, 1e-4):
        A = np.random.default_rng(3).normal(size=(3, 3)) @ np.diag([1, 1, spread])
        fits.append(Infomax(solver=solver, random_state=0).fit_transform(S @ A.T))
    match = match_sources(*fits)
    np.testing.assert_allclose(np.abs(match.scale), 1, atol=1e-5)
    np.testing.assert_allclose(match.sources, fits[0], atol=1e-4)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
@pytest.mark.parametrize("options", [{}, {"solver": "natural"}, {"solver": "gradient", "learning_rate": 1.0}], ids=str)
def test_known_mixtures_to_the_last_digit(kind, options):
    X, _, A = mixture(kind, n=2000)
    model = Infomax(max_iter=3000, random_state=0, **options).fit(X)
    assert amari_index(model.components_, A) < 0.05
    assert model.sub_gaussian_.sum() == {"laplace": 0, "uniform": 4, "mixed": 2}[kind]
    s = (X - X.mean(axis=0)) @ model.components_.T
    gradient = score(s, model.sub_gaussian_).T @ s / len(s) - np.eye(4)
    assert np.abs(gradient).max() < 1.1e-7 and model.gradient_norm_ < 1e-7


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("solver", ["quasi-newton", "natural"])
def test_single_precision_converges_as_far_as_it_can(solver):
    X, _, A = mixture("mixed", n=6000)
    model = Infomax(solver=solver, random_state=0).fit(X.astype("f4"))  # a warning would be an error
    assert model.components_.dtype == np.float32 and model.gradient_norm_ < 2e-5
    assert amari_index(model.components_, A) < 0.05


@pytest.mark.slow_without_jit
def test_the_solver_converges_where_the_gradient_crawls():
    X, _, _ = mixture("mixed", n=2000)
    quick = Infomax(random_state=0).fit(X)
    with pytest.warns(ConvergenceWarning, match="quasi-newton"):
        slow = Infomax(solver="gradient", max_iter=quick.n_iter_, random_state=0).fit(X)
    assert quick.n_iter_ < 40 and slow.gradient_norm_ > 1e4 * quick.gradient_norm_


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("solver", ["natural", "gradient"])
def test_mini_batches(solver):
    X, _, A = mixture("mixed", n=3000)
    model = Infomax(solver=solver, batch_size=64, random_state=0).fit(X)
    assert amari_index(model.components_, A) < 0.05
    assert model.sub_gaussian_.sum() == 2


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_rows_from_a_file_a_piece_at_a_time(dtype, tmp_path):
    S = np.random.default_rng(0).laplace(size=(20_000, 4))
    S[:, 1] = np.random.default_rng(1).uniform(-2, 2, 20_000)
    A = np.random.default_rng(2).normal(size=(4, 4))
    np.save(tmp_path / "x.npy", (S @ A.T + 5).astype(dtype))
    rows = np.load(tmp_path / "x.npy", mmap_mode="r")
    model = Infomax(random_state=0)
    for start in range(0, len(rows), 2000):
        model.partial_fit(rows[start : start + 2000])
    assert model.components_.dtype == dtype and model.n_samples_seen_ == 20_000
    assert amari_index(model.components_, A) < 0.05
    assert model.sub_gaussian_.sum() == 1
    np.testing.assert_allclose(model.mean_, rows.mean(axis=0, dtype=float), rtol=1e-4)
    np.testing.assert_allclose(model.components_ @ model.mixing_, np.eye(4), atol=1e-4)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("size", [1e6, 1e-6, 1e12, 1e300, 1e-300])
def test_a_first_batch_in_another_unit(size):
    X, _, A = mixture("laplace", n=12_000)
    model, plain = Infomax(random_state=0).partial_fit(X[:1000] * size), Infomax(random_state=0)
    for start in range(0, len(X), 1000):
        plain.partial_fit(X[start : start + 1000])
        if start > 0:
            model.partial_fit(X[start : start + 1000])
    np.testing.assert_allclose(model.mean_, X[1000:].mean(axis=0), atol=1e-9)
    assert amari_index(model.components_, A) < amari_index(plain.components_, A) + 0.02 < 0.1


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("k, n", [(50, 1000), pytest.param(100, 2000, marks=pytest.mark.long)])
def test_many_sources_in_few_rows_are_found_as_from_the_truth(k, n):
    rng = np.random.default_rng(k)
    mixing = rng.normal(size=(k, k))
    X = rng.laplace(size=(n, k)) @ mixing.T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GaussianSourcesWarning)  # of the few of which so few rows show no shape
        drawn = Infomax(random_state=0).fit(X)
        whitening = whiten(X)
        known = Infomax(w_init=np.linalg.inv(whitening.matrix @ mixing), random_state=0).fit(X)
    assert amari_index(drawn.components_, mixing) < 1.05 * amari_index(known.components_, mixing)
    assert drawn.sub_gaussian_.sum() <= 1


@pytest.mark.slow_without_jit
def test_a_vast_row_is_forgotten():
    X, _, A = mixture("laplace", n=20_000)
    for place in (7, 5007):
        rows, model = X.copy(), Infomax(random_state=0)
        rows[place] *= 1e9
        for start in range(0, len(X), 1000):
            model.partial_fit(rows[start : start + 1000])
        np.testing.assert_allclose(model.mean_, X.mean(axis=0), atol=0.05)
        assert amari_index(model.components_, A) < 0.1


@pytest.mark.slow_without_jit
def test_flat_sources_need_the_extension_and_that_is_said():
    X, _, A = mixture("uniform")
    with pytest.warns(UserWarning, match="extended=True"):
        model = Infomax(extended=False, random_state=0).fit(X)
    assert amari_index(model.components_, A) > 0.1


@pytest.mark.slow_without_jit
def test_the_start_on_few_rows_changes_nothing():
    X, _, _ = mixture("laplace", n=20_000, k=3)
    long = Infomax(random_state=0).fit(X)
    assert long.trace_[0]["stage"] == "sample"
    other = Infomax(solver="natural", random_state=1).fit(X)
    assert amari_index(long.components_, other.mixing_) < 1e-6


@pytest.mark.slow_without_jit
def test_same_bits_on_any_number_of_threads():
    X, _, _ = mixture("mixed", n=40_000)
    fits = []
    for threads in (1, 2, 3):
        with unmix.execution(threads=threads):
            fits.append(Infomax(random_state=0).fit(X).components_)
    assert np.array_equal(fits[0], fits[1]) and np.array_equal(fits[0], fits[2])


@pytest.mark.parametrize("options", [{"solver": "newton"}, {"batch_size": 0}, {"learning_rate": -1}, {"tol": np.nan}])
def test_bad_parameters_are_named(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        Infomax(**options).fit(mixture(n=50)[0])


@pytest.mark.slow_without_jit
def test_many_peaked_and_flat_sources_end_where_the_true_unmixing_leads():
    """Also in few iterations: from a rotation that is drawn, densities that switch would cost some thirty."""
    rng = np.random.default_rng(5)
    S = np.column_stack([rng.laplace(size=(3000, 12)), rng.uniform(-1, 1, (3000, 12))])
    A = rng.normal(size=(24, 24))
    X = S @ A.T
    frame = fit_whitening(as_blocks(X), None)
    true = np.linalg.inv(A) @ frame.inverse
    given = Infomax(w_init=true / np.linalg.norm(true, axis=1, keepdims=True)).fit(X)
    drawn = Infomax(random_state=0).fit(X)
    assert drawn.trace_[-1]["loss"] == pytest.approx(given.trace_[-1]["loss"], rel=1e-9)
    assert drawn.sub_gaussian_.sum() == 12 and drawn.n_iter_ <= 20
