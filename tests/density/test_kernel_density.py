"""Kernel density against scikit-learn, SciPy, quadrature, finite differences and the distribution it says it has."""

import math
import warnings

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import gaussian_kde, kstest, multivariate_normal, norm
from sklearn.neighbors import KernelDensity as Peer

import unmix
from unmix.algorithms.kernel_sums.leaves import make_leaves
from unmix.density import GlidingHistogram, KernelDensity

pytestmark = pytest.mark.slow_without_jit
rng = np.random.default_rng(0)
MIX = np.array([[2.0, 0.0, 0.0], [1.5, 0.5, 0.0], [0.0, 0.3, 0.2]])


def rows(d, n=300):
    return np.random.default_rng(d).normal(size=(n, 3))[:, :d] @ MIX[:d, :d].T + [10.0, -3.0, 0.0][:d]


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("method", ["exact", "kd_tree", "auto", "grid"])
def test_log_density_is_scikit_learns(d, method):
    if method == "grid" and d > 2:
        pytest.skip("the grid is for one and two dimensions")
    X, Q = rows(d), rows(d, 80) * 1.3
    peer = Peer(bandwidth=0.4).fit(X).score_samples(Q)
    model = KernelDensity(0.4, algorithm=method).fit(X)
    # scikit-learn's own sums, made up of bounds that are added and taken off, are right to about 1e-6
    np.testing.assert_allclose(model.score_samples(Q), peer, atol=1e-5 if method == "exact" else 1.1e-4, rtol=0)
    assert model.score(Q) == pytest.approx(peer.sum(), abs=1e-4 * len(Q))
    np.testing.assert_allclose(model.kernel_covariance_, 0.16 * np.eye(d))
    assert model.bandwidth_ == 0.4 and model.factor_ == 1
    assert np.isnan(model.bandwidth_path_["log_likelihood"]).all()


def test_full_covariance_and_weights_are_scipys():
    X, weights = rows(3), np.random.default_rng(1).random(300)
    peer = gaussian_kde(X.T, weights=weights)
    model = KernelDensity(peer.covariance, rtol=0).fit(X, sample_weight=weights)
    np.testing.assert_allclose(model.score_samples(X), peer.logpdf(X.T), atol=1e-10)
    np.testing.assert_allclose(model.bandwidth_, np.sqrt(np.diag(peer.covariance)))
    np.testing.assert_allclose(model.kernel_root_ @ model.kernel_root_.T, peer.covariance, rtol=1e-12)


def test_widths_of_the_axes():
    X = rows(2)
    model = KernelDensity([0.2, 3.0], rtol=0).fit(X)
    z = (X[:, None] - X) / [0.2, 3.0]
    expected = logsumexp(-0.5 * (z**2).sum(axis=2), axis=1) - math.log(300 * 0.6 * 2 * math.pi)
    np.testing.assert_allclose(model.score_samples(X), expected, atol=1e-10)


@pytest.mark.parametrize("shape", ["axes", "ball", "full"])
@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_rules(rule, shape):
    X = rows(3)
    model = KernelDensity(rule, shape=shape).fit(X)
    factor = {"scott": 300 ** (-1 / 7), "silverman": (300 * 5 / 4) ** (-1 / 7)}[rule]
    S = np.cov(X, rowvar=False, bias=True)
    expected = {"axes": np.diag(np.diag(S)), "ball": np.eye(3) * np.trace(S) / 3, "full": S}[shape]
    assert model.factor_ == pytest.approx(factor)
    np.testing.assert_allclose(model.kernel_covariance_, factor**2 * expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.bandwidth_**2, np.diag(model.kernel_covariance_), rtol=1e-9)


@pytest.mark.parametrize("kernel", ["gaussian", "box"])
def test_integrates_to_one_in_one_and_two_dimensions(kernel):
    X = np.array([[0.0], [0.3], [5.0]])
    line = np.linspace(-10, 15, 100_001)[:, None]
    density = np.exp(KernelDensity(0.5, kernel=kernel).fit(X).score_samples(line))
    assert density.sum() * 2.5e-4 == pytest.approx(1, abs=1e-6 if kernel == "gaussian" else 1e-3)
    side = np.linspace(-6, 6, 601)
    plane = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    model = KernelDensity([1.2, 0.5], kernel=kernel).fit(rng.normal(size=(40, 2)) * 0.7)
    assert np.exp(model.score_samples(plane)).sum() * 0.02**2 == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("kernel, shape", [("gaussian", "full"), ("gaussian", "axes"), ("box", "axes")])
def test_integrates_to_one_in_four_dimensions(kernel, shape):
    """By importance sampling from a wider Gaussian; four standard errors."""
    X = rng.normal(size=(200, 4)) @ np.diag([1.0, 2.0, 0.5, 1.0])
    proposal = multivariate_normal(X.mean(axis=0), 1.6 * np.cov(X, rowvar=False))
    draws = proposal.rvs(40_000, random_state=0)
    model = KernelDensity("scott", kernel=kernel, shape=shape).fit(X)
    ratio = np.exp(model.score_samples(draws) - proposal.logpdf(draws))
    error = ratio.std() / math.sqrt(len(ratio))
    assert error < 0.02 and abs(ratio.mean() - 1) < 4 * error


@pytest.mark.parametrize("shape", ["axes", "full"])
def test_samples_have_the_density(shape):
    """The margins of the density are mixtures of known distributions, also along a slanted direction."""
    X, weights = rows(2, 60), np.random.default_rng(0).random(60)
    model = KernelDensity("scott", shape=shape, random_state=3).fit(X, sample_weight=weights)
    draws = model.sample(4000)
    for direction in (np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([-0.6, 0.8])):
        width = math.sqrt(direction @ model.kernel_covariance_ @ direction)

        def cdf(t, direction=direction, width=width):
            return norm.cdf((t[:, None] - X @ direction) / width) @ (weights / weights.sum())

        assert kstest(draws @ direction, cdf).pvalue > 1e-3
        assert kstest(draws @ direction, lambda t, cdf=cdf: cdf(t * 1.2)).pvalue < 1e-6  # the test can fail
    assert np.array_equal(draws, model.sample(4000))


def test_gradient_is_the_finite_difference():
    for d, shape in ((1, "axes"), (2, "full"), (3, "axes")):
        X, Q = rows(d), rows(d, 20) * 1.2
        model = KernelDensity("scott", shape=shape, rtol=1e-8).fit(X)
        step = 1e-5
        slopes = [
            (model.score_samples(Q + step * e) - model.score_samples(Q - step * e)) / (2 * step) for e in np.eye(d)
        ]
        np.testing.assert_allclose(model.gradient(Q), np.column_stack(slopes), rtol=1e-3, atol=2e-3)
        loose = KernelDensity("scott", shape=shape, rtol=1e-2).fit(X)
        turned = np.linalg.norm((loose.gradient(Q) - model.gradient(Q)) @ model.kernel_root_, axis=1)
        assert (turned <= 1e-2 * (1 + np.linalg.norm(model.gradient(Q) @ model.kernel_root_, axis=1))).all()


def test_gradient_far_away_points_to_the_nearest_row():
    model = KernelDensity(0.5).fit(np.array([[0.0, 0.0], [1.0, 1.0]]))
    np.testing.assert_allclose(model.gradient([[100.0, 100.0]]), [[-99 / 0.25, -99 / 0.25]], rtol=1e-12)
    with pytest.raises(ValueError, match="gradient needs kernel"):
        GlidingHistogram(1.0).fit(rows(1)).gradient(rows(1))


@pytest.mark.parametrize("rule", ["likelihood", "k-fold", "scott", "silverman", 0.7])
@pytest.mark.parametrize("kernel", ["gaussian", "box"])
def test_weight_two_is_the_row_twice(rule, kernel):
    X, weights = rows(2, 80), rng.integers(0, 4, 80)
    weighted = KernelDensity(rule, shape="axes", kernel=kernel, random_state=0).fit(X, sample_weight=weights)
    repeated = KernelDensity(rule, shape="axes", kernel=kernel, random_state=0).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.bandwidth_, repeated.bandwidth_, rtol=1e-9)
    np.testing.assert_allclose(weighted.score_samples(X), repeated.score_samples(X), rtol=1e-7)
    assert len(weighted.fit_rows_) == (weights > 0).sum()


def test_constant_columns_have_a_width_of_their_own():
    X = np.column_stack([rng.normal(size=200), np.full(200, 7.0)])
    alone = KernelDensity("likelihood", random_state=0).fit(X[:, :1])
    for shape in ("axes", "ball", "full"):
        with pytest.warns(UserWarning, match="do not vary in 1 of 2"):
            model = KernelDensity("likelihood", shape=shape, random_state=0).fit(X)
        assert model.factor_ == pytest.approx(alone.factor_, rel=1e-6)
        apart = model.score_samples(X) - alone.score_samples(X[:, :1])
        np.testing.assert_allclose(apart, norm.logpdf(0, scale=model.bandwidth_[1]), atol=2e-4)
        best = model.bandwidth_path_["log_likelihood"].max()
        assert best == pytest.approx(alone.bandwidth_path_["log_likelihood"].max() + apart[0], abs=1e-3)


def test_columns_that_repeat_each_other():
    x = rng.normal(size=(150, 1))
    with pytest.warns(UserWarning, match="do not vary in 1 of 2"):
        model = KernelDensity("likelihood", shape="full").fit(np.hstack([x, 2 * x]))
    assert np.isfinite(model.score_samples(np.hstack([x, -x]))).all()


@pytest.mark.parametrize("kernel", ["gaussian", "box"])
def test_one_row_and_equal_rows(kernel):
    for X in (np.array([[3.0, 4.0]]), np.tile([3.0, 4.0], (9, 1))):
        for rule in ("likelihood", "k-fold", "scott"):
            with pytest.warns(UserWarning, match="do not vary in 2 of 2"):
                model = KernelDensity(rule, shape="axes", kernel=kernel).fit(X)
            assert np.isfinite(model.score_samples(X)).all()
            assert np.exp(model.score_samples(X)[0]) > np.exp(model.score_samples([[9.0, 9.0]])[0])
        assert KernelDensity(2.0).fit(X).score_samples(X)[0] == pytest.approx(-math.log(2 * math.pi * 4))


@pytest.mark.parametrize("n", [600, 3000])  # by leaves and by the grid
@pytest.mark.parametrize("rule", ["likelihood", "k-fold"])
def test_rounded_rows_get_the_width_of_the_rows_behind_them(n, rule):
    ratios = []
    for seed in range(5):  # folds of rounded rows are others, and with them the width of a single table
        draw = np.random.default_rng(seed)
        x = np.concatenate([draw.normal(-2, 1, n // 2), draw.normal(2, 0.7, n // 2)])[:, None]
        exact, rounded = (KernelDensity(rule, shape="axes", random_state=0).fit(X) for X in (x, np.round(x, 1)))
        ratios.append(rounded.bandwidth_[0] / exact.bandwidth_[0])
    assert np.median(ratios) == pytest.approx(1, abs=0.05)
    coarse = KernelDensity(rule, shape="axes", random_state=0).fit(np.round(x))
    assert 0.9999 <= coarse.bandwidth_[0] < 1.3  # not narrower than the step
    counted, counts = np.unique(np.round(x, 1), return_counts=True)
    weighted = KernelDensity(rule, shape="axes", random_state=0).fit(counted[:, None], sample_weight=counts)
    assert weighted.bandwidth_[0] == pytest.approx(rounded.bandwidth_[0], rel=1e-6)


def test_copies_do_not_drive_the_width_to_nothing():
    smooth = rng.normal(size=(200, 2))
    single, double = (
        KernelDensity("likelihood").fit(smooth),
        KernelDensity("likelihood").fit(np.vstack([smooth, smooth])),
    )
    assert double.factor_ == pytest.approx(single.factor_, rel=1e-6)


@pytest.mark.parametrize("scale", [1e307, 1e-290])
@pytest.mark.parametrize("shape", ["axes", "full"])
def test_extreme_scales(scale, shape):
    X, Q = rows(2, 100), rows(2, 30)
    units = np.array([scale, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = KernelDensity("likelihood", shape=shape, random_state=0).fit(X)
        model = KernelDensity("likelihood", shape=shape, random_state=0).fit(X * units)
        moved = model.score_samples(Q * units) + math.log(scale)
    assert model.factor_ == pytest.approx(plain.factor_, rel=1e-6)
    np.testing.assert_allclose(moved, plain.score_samples(Q), atol=1e-4)
    assert np.isfinite(model.gradient(Q * units)).all()


def test_far_away_is_finite_for_gaussians_and_empty_for_boxes():
    X = rows(1)
    far = np.array([[1e6], [1e300], [-1e300]])
    assert np.isfinite(KernelDensity(0.1).fit(X).score_samples(far)).all()
    assert np.isfinite(KernelDensity(0.1).fit(X.astype("f4")).score_samples(np.array([[1e30]], "f4"))).all()
    assert (GlidingHistogram(0.1).fit(X).score_samples(far) == -np.inf).all()


def log_density_in_long_double(X, weights, queries, width):
    X, queries, width = X.astype(np.longdouble), queries.astype(np.longdouble), np.longdouble(width)
    halves = ((queries[:, None] - X) ** 2).sum(axis=2) / (2 * width**2)
    least = halves.min(axis=1)
    sums = (weights * np.exp(least[:, None] - halves)).sum(axis=1) / weights.sum()
    return np.log(sums) - least - X.shape[1] * (np.log(width) + np.log(2 * np.longdouble(np.pi)) / 2)


@pytest.mark.parametrize("far", [1e7, 1e12, 1e16])
@pytest.mark.parametrize(("d", "method"), [(1, "exact"), (1, "grid"), (2, "auto"), (2, "grid"), (3, "kd_tree")])
def test_rows_far_away_take_no_digits(d, method, far):
    """Neither the bulk, nor a group far away, nor what is asked between them."""
    rng = np.random.default_rng(d)
    X = np.concatenate([rng.normal(size=(1500, d)), far + rng.normal(size=(20, d)), -np.full((1, d), far)])
    queries = [rng.normal(size=(100, d)), far + rng.normal(size=(20, d)), rng.normal(size=(4, d)) * far / 3]
    asked, weights = np.concatenate(queries), rng.integers(1, 4, len(X)) + 0.0
    expected = log_density_in_long_double(X, weights, asked, 0.3)
    found = KernelDensity(0.3, algorithm=method).fit(X, sample_weight=weights).score_samples(asked)
    rounding = 4 * np.spacing(np.abs(expected).astype(np.float64))
    assert (np.abs(found - expected) <= np.maximum(1e-8 if method == "exact" else 1e-4, rounding)).all()


def test_slanted_kernels_and_gradients_far_away_are_those_of_the_origin():
    """Shifts by whole numbers are exact, so groups far apart say what each would say alone."""
    rng = np.random.default_rng(0)
    X, queries = np.round(rng.normal(size=(60, 2)) * 256) / 256, np.round(rng.normal(size=(20, 2)) * 256) / 256
    covariance = np.array([[0.5, 0.3], [0.3, 0.4]])
    alone = KernelDensity(covariance, rtol=0).fit(X)
    shift = 2.0**40
    both = KernelDensity(covariance, rtol=0).fit(np.concatenate([X, X + shift]))
    for moved in (queries, queries + shift):
        np.testing.assert_allclose(both.score_samples(moved), alone.score_samples(queries) - math.log(2), atol=1e-12)
        np.testing.assert_allclose(both.gradient(moved), alone.gradient(queries), atol=1e-10)


def test_a_far_row_does_not_mix_up_the_leaves_of_the_others():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(4096, 2))
    alone = make_leaves(points, 6)
    points[0] = 1e13
    beside = make_leaves(points, 6)
    assert np.median(beside.high - beside.low) < 1.2 * np.median(alone.high - alone.low)


def test_single_precision():
    X = rows(2).astype("f4")
    model = KernelDensity("likelihood", random_state=0).fit(X)
    assert model.gradient(X).dtype == model.sample(5).dtype == model.bandwidth_.dtype == np.float32
    double = KernelDensity(model.kernel_covariance_.astype("f8"), rtol=0).fit(X.astype("f8"))
    np.testing.assert_allclose(model.score_samples(X), double.score_samples(X), atol=2e-4)


@pytest.mark.parametrize("kernel", ["gaussian", "box"])
def test_saved_and_read_back(kernel, tmp_path):
    for dtype in ("f4", "f8"):
        X = rows(2).astype(dtype)
        for model in (
            KernelDensity("likelihood", kernel=kernel, random_state=0),
            GlidingHistogram("k-fold", random_state=0),
        ):
            model.fit(X).save(tmp_path / "m.unmix")
            back = unmix.load(tmp_path / "m.unmix")
            assert repr(back.get_params()) == repr(model.get_params())
            assert np.array_equal(back.score_samples(X), model.score_samples(X))
            for name, values in model.bandwidth_path_.items():
                assert np.array_equal(back.bandwidth_path_[name], values)
            assert np.array_equal(back.sample(3), model.sample(3))


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"bandwidth": 0}, "bandwidth=0: give a positive number"),
        ({"bandwidth": -1.0}, "bandwidth=-1.0"),
        ({"bandwidth": np.inf}, "bandwidth=inf"),
        ({"bandwidth": True}, "bandwidth=True"),
        ({"bandwidth": None}, "bandwidth"),
        ({"bandwidth": "best"}, "'likelihood', 'k-fold', 'scott', 'silverman'"),
        ({"bandwidth": [1.0, 2.0, 3.0]}, r"bandwidth has shape \(3,\), X has 2"),
        ({"bandwidth": [[1.0, 2.0], [2.0, 1.0]]}, "positive definite"),
        ({"bandwidth": np.eye(2), "kernel": "box"}, "length of their sides"),
        ({"shape": "round"}, "shape='round'"),
        ({"shape": "full", "kernel": "box"}, "one width along each axis"),
        ({"shape": "full", "kernel": "linear"}, "one width along each axis"),
        ({"bandwidth": np.eye(2), "kernel": "cosine"}, "needs Gaussian kernels"),
        ({"atol": -1}, "atol=-1"),
        ({"leaf_size": 0}, "leaf_size=0"),
        ({"metric": "angle"}, "metric='angle': invalid metric"),
        ({"metric": "haversine", "algorithm": "kd_tree"}, "invalid metric for algorithm='kd_tree'"),
        ({"metric": "manhattan", "bandwidth": "likelihood"}, "metric='manhattan' needs"),
        ({"metric": "manhattan", "kernel": "box"}, "metric='manhattan' needs"),
        ({"metric_params": 3}, "metric_params=3"),
        ({"kernel": "square"}, "kernel='square'"),
        ({"algorithm": "tree"}, "algorithm='tree'"),
        ({"rtol": -1e-4}, "rtol=-0.0001"),
        ({"rtol": 1}, "rtol=1"),
        ({"cv": 1}, "cv=1"),
        ({"cv": [1, 2]}, "cv: give a whole number"),
    ],
)
def test_bad_parameters_are_named(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        KernelDensity(**options).fit(rows(2))


def test_the_grid_is_refused_above_two_dimensions():
    with pytest.raises(ValueError, match='algorithm="grid" needs 1 or 2 columns'):
        KernelDensity(1.0, algorithm="grid").fit(rows(3))
