"""FastICA: known mixtures unmixed, its fixed point, its contrasts, and the answer of scikit-learn."""

from contextlib import nullcontext

import numpy as np
import pytest
from sklearn.decomposition import FastICA as Peer
from sklearn.exceptions import ConvergenceWarning

import unmix
from unmix.algorithms.independent.whitening import Whitening
from unmix.separation import FastICA, GaussianSourcesWarning, amari_index, match_sources, whiten

from .mixtures import mixture


def arctan(s):
    return np.arctan(s), 1 / (1 + s * s)


def power_and_mean(s, exponent):
    return s**exponent, (exponent * s ** (exponent - 1)).mean(axis=-1)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
@pytest.mark.parametrize("contrast", ["logcosh", "exp", "cube", pytest.param(arctan, id="arctan")])
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_known_mixtures(kind, contrast, algorithm):
    # The kurtosis of heavy tails has a large error of its own, and takes more rows to be known.
    X, _, A = mixture(kind, n=20_000 if contrast == "cube" and kind != "uniform" else 4000)
    model = FastICA(fun=contrast, algorithm=algorithm, random_state=0).fit(X)
    assert amari_index(model.components_, A) < 0.05
    sources = model.transform(X)
    np.testing.assert_allclose(np.cov(sources, rowvar=False, bias=True), np.eye(4), atol=1e-8)
    np.testing.assert_allclose(model.inverse_transform(sources), X, atol=1e-8)
    np.testing.assert_allclose(model.components_ @ model.mixing_, np.eye(4), atol=1e-8)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "settings",
    [
        {"fun": "logcosh"},
        {"fun_args": {"alpha": 1.7}},
        {"fun": "exp"},
        {"fun": "cube"},
        {"fun": power_and_mean, "fun_args": {"exponent": 3}},
    ],
    ids=["logcosh", "another width", "exp", "cube", "a function"],
)
def test_the_answer_of_scikit_learn(settings):
    X, _, _ = mixture("mixed", seed=1)
    ours = FastICA(**settings, tol=1e-12, random_state=0).fit_transform(X)
    theirs = Peer(**settings, tol=1e-12, max_iter=500, random_state=0).fit_transform(X)
    match = match_sources(theirs, ours)
    np.testing.assert_allclose(np.abs(match.scale), 1, atol=1e-5)
    np.testing.assert_allclose(match.sources, theirs, atol=1e-4)


@pytest.mark.slow_without_jit
def test_every_answer_is_a_fixed_point_by_definition():
    X, _, _ = mixture("mixed")
    model = FastICA(tol=1e-13, fun_args={"alpha": 1.5}, random_state=0).fit(X)
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


@pytest.mark.parametrize("whiten_solver", ["auto", "eigh", "svd"])
def test_more_components_than_directions_are_cut_with_a_warning(whiten_solver):
    X = np.random.default_rng(0).laplace(size=(500, 3)) @ np.random.default_rng(1).normal(size=(3, 5))
    with pytest.warns(UserWarning, match="n_components is too large: it will be set to 3"):
        many = FastICA(7, whiten_solver=whiten_solver, random_state=0).fit(X)
    exact = FastICA(3, whiten_solver=whiten_solver, random_state=0).fit(X)
    np.testing.assert_allclose(many.components_, exact.components_, rtol=1e-9)


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
@pytest.mark.parametrize("options", [{}, {"algorithm": "deflation"}, {"fun": "exp"}])
def test_same_bits_on_any_number_of_threads(options):
    X, _, _ = mixture("mixed", n=40_000)
    fits = []
    for threads in (1, 2, 3):
        with unmix.execution(threads=threads):
            fits.append(FastICA(random_state=0, **options).fit(X).components_)
    assert np.array_equal(fits[0], fits[1]) and np.array_equal(fits[0], fits[2])


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
def test_a_function_may_return_the_mean_of_its_derivative(algorithm):
    """As scikit-learn's do; the answer is that of the derivative itself."""
    X, _, _ = mixture("laplace")
    settings = {"algorithm": algorithm, "tol": 1e-10, "random_state": 0}
    whole = FastICA(fun=lambda s: (s**3, 3 * s**2), **settings).fit(X)
    means = FastICA(fun=power_and_mean, fun_args={"exponent": 3}, **settings).fit(X)
    np.testing.assert_allclose(means.components_, whole.components_, rtol=1e-6)
    with pytest.raises(ValueError, match="weights of rows cannot enter"):
        means.fit(X, sample_weight=np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="not the derivative"):
        FastICA(fun=lambda s: (s**3, s.mean(axis=-1)), **settings).fit(X)


def test_a_wrong_derivative_is_refused():
    with pytest.raises(ValueError, match="not the derivative"):
        FastICA(fun=lambda s: (np.tanh(s), np.tanh(s))).fit(np.ones((4, 2)))
    with pytest.raises(ValueError, match="g and g'"):
        FastICA(fun=lambda s: (np.tanh(s), 1.0)).fit(np.ones((4, 2)))
    with pytest.raises(ValueError, match="g and g'"):
        FastICA(fun=lambda s: np.tanh(s)).fit(np.ones((4, 2)))
    X, _, A = mixture("laplace")
    kink = FastICA(fun=lambda s: (np.clip(s, -1, 1), (np.abs(s) < 1) * 1.0), random_state=0).fit(X)
    assert amari_index(kink.components_, A) < 0.05


@pytest.mark.parametrize(
    "options, word",
    [
        ({"fun": "tanh"}, "fun='tanh'"),
        ({"algorithm": "serial"}, "algorithm"),
        ({"fun_args": {"alpha": 3.0}}, r"alpha must be in \[1,2\]"),
        ({"fun_args": {"a": 1.5}}, "knows no 'a'"),
        ({"fun_args": 1.5}, "fun_args=1.5: give a dict"),
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


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
@pytest.mark.parametrize("contrast", ["logcosh", "exp", "cube"])
@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_the_gradient_climbs_to_the_fixed_point(kind, contrast, algorithm):
    X, _, A = mixture(kind, n=20_000 if contrast == "cube" and kind != "uniform" else 4000)
    options = {"fun": contrast, "algorithm": algorithm, "random_state": 0, "max_iter": 1000, "tol": 1e-9}
    model = FastICA(solver="gradient", **options).fit(X)
    assert amari_index(model.components_, A) < 0.05
    if algorithm == "deflation":  # unit after unit has the same maxima; which is found first may differ
        return
    climbed = [row["contrast"] for row in model.trace_ if "contrast" in row]
    assert (np.diff(climbed) >= 0).all() and len(climbed) > 3
    fixed = FastICA(**{**options, "tol": 1e-13}).fit(X)
    assert amari_index(model.components_, fixed.mixing_) < 0.02  # a fixed point of squares of another weight


@pytest.mark.parametrize("contrast", ["logcosh", "exp", "cube"])
def test_the_direction_of_the_gradient_is_that_of_the_contrast(contrast):
    """By differences of J along each plane, on weighted rows."""
    from unmix.algorithms.independent.contrast import Contrast
    from unmix.algorithms.independent.gradient_ascent import measure
    from unmix.io.dispatch import as_blocks

    z = whiten(mixture("mixed", n=300, k=3)[0]).rows
    weights = np.random.default_rng(0).integers(1, 3, len(z)).astype(float)
    frame = Whitening(float(weights.sum()), np.zeros(3), np.eye(3), np.eye(3))
    B = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]

    def J(units):
        return measure(as_blocks(z), frame, Contrast(contrast, 1.3), weights, units)[0]

    pull = measure(as_blocks(z), frame, Contrast(contrast, 1.3), weights, B)[1]
    for i in range(3):
        for j in range(3):
            step = np.zeros((3, 3))
            step[i, j] = 1e-6
            assert (J(B + step) - J(B - step)) / 2e-6 == pytest.approx(2 * pull[i, j], rel=1e-4, abs=1e-7)


@pytest.mark.slow_without_jit
def test_one_gradient_step_by_hand():
    """Δb = ε γ E[z tanh(b·z)], b ← b / |b|, of the first unit."""
    X = mixture("laplace", k=3)[0]
    z, b = whiten(X).rows, np.eye(3)[0]
    y = z @ b
    gamma = np.log(np.cosh(y)).mean() - 0.37456720749143807
    pull = gamma * z.T @ np.tanh(y) / len(z)
    with pytest.warns(ConvergenceWarning):
        model = FastICA(solver="gradient", algorithm="deflation", w_init=np.eye(3), max_iter=1, tol=0.0).fit(X)
    units = model.components_ @ np.linalg.inv(model.whitening_)
    across = pull - (pull @ b) * b
    turned = [
        np.abs((u - (u @ b) * b) @ across) / np.linalg.norm(u - (u @ b) * b) / np.linalg.norm(across) for u in units
    ]
    assert max(turned) > 1 - 1e-9


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("whitening", ["unit-variance", "arbitrary-variance", False])
def test_whitening_means_what_it_means_in_scikit_learn(whitening):
    X = mixture("mixed", seed=1)[0]
    X = whiten(X).rows if whitening is False else X
    ours = FastICA(whiten=whitening, tol=1e-12, random_state=0).fit(X)
    theirs = Peer(whiten=whitening, tol=1e-12, max_iter=500, random_state=0).fit(X)
    match = match_sources(theirs.transform(X), ours.transform(X))
    np.testing.assert_allclose(np.abs(match.scale), 1, atol=1e-5)
    scale = np.abs(theirs.transform(X)).max()
    np.testing.assert_allclose(match.sources, theirs.transform(X), atol=1e-4 * scale)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), X, atol=1e-8)


@pytest.mark.slow_without_jit
def test_zca_and_no_whitening_start_from_the_channels():
    X = mixture("laplace", k=3)[0]
    plain = FastICA(tol=1e-12, random_state=0).fit(X)
    zca = FastICA(whiten="zca", tol=1e-12, random_state=0).fit(X)
    np.testing.assert_allclose(zca.whitening_, zca.whitening_.T, atol=1e-9)
    assert amari_index(zca.components_, plain.mixing_) < 1e-5
    white = whiten(X).rows
    none = FastICA(whiten=False, tol=1e-12, random_state=0).fit(white)
    assert none.whitening_ is None and not none.mean_.any()
    np.testing.assert_allclose(none.components_ @ none.components_.T, np.eye(3), atol=1e-9)
    with pytest.warns(UserWarning, match="Ignoring n_components"):
        FastICA(2, whiten=False, random_state=0).fit(white)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("solver", ["eigh", "svd"])
def test_both_ways_to_whiten_agree(solver):
    X = mixture("laplace", k=3)[0] * [1e-4, 1.0, 1e5] + [1.0, -3.0, 1e5]
    X = np.column_stack([X, X[:, 0], np.full(len(X), 7.0)])
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    plain = FastICA(tol=1e-10, random_state=0).fit(X, sample_weight=weights)
    told = pytest.warns(UserWarning, match="3 of 5 directions") if solver == "eigh" else nullcontext()
    with told:
        other = FastICA(whiten_solver=solver, tol=1e-10, random_state=0).fit(X, sample_weight=weights)
    assert other.components_.shape == (3, 5)
    np.testing.assert_allclose(np.abs(other.transform(X)).std(0), np.abs(plain.transform(X)).std(0), rtol=1e-4)


@pytest.mark.parametrize("options", [{"solver": "newton"}, {"whiten": True}, {"whiten_solver": "qr"}])
def test_unknown_choices_are_named(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        FastICA(**options).fit(mixture(n=50)[0])
    with pytest.raises(ValueError, match="function with"):
        FastICA(fun=arctan, solver="gradient").fit(mixture(n=50)[0])


def test_nothing_is_overwritten_whoever_allows_it():
    X, _, _ = mixture(n=200)
    before = X.copy()
    model = FastICA(random_state=0).fit(X)
    sources = model.transform(X, copy=False)
    kept = sources.copy()
    np.testing.assert_allclose(model.inverse_transform(sources, copy=False), X, atol=1e-8)
    assert np.array_equal(X, before) and np.array_equal(sources, kept)
