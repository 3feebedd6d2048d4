"""Kernels of the distance alone, other distances, and widths that are one number."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.distance import cdist
from sklearn.neighbors import KernelDensity as Peer

from unmix.algorithms.kernel_sums import radial
from unmix.algorithms.kernel_sums.profile import COMPACT, RADIAL, log_height, profile, variance
from unmix.density import KernelDensity

SHAPES = {
    "gaussian": lambda r: np.exp(-0.5 * r * r),
    "tophat": lambda r: 1.0 * (r < 1),
    "epanechnikov": lambda r: np.maximum(1 - r * r, 0),
    "exponential": lambda r: np.exp(-r),
    "linear": lambda r: np.maximum(1 - r, 0),
    "cosine": lambda r: np.where(r < 1, np.cos(0.5 * np.pi * np.minimum(r, 1)), 0),
}


def height(kernel, d):
    """One over the integral in shells."""
    reach = 1 if kernel in COMPACT else 200
    whole = quad(lambda r: r ** (d - 1) * SHAPES[kernel](r), 0, reach, limit=400)[0]
    return math.gamma(d / 2) / (2 * math.pi ** (d / 2) * whole)


def table(d, n=200):
    return np.random.default_rng(d).normal(size=(n, d))


@pytest.mark.parametrize("kernel", SHAPES)
@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_densities_are_sums_over_all_pairs(kernel, d):
    X, Q = table(d), 1.2 * table(d, 60)
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    h = 0.7 if d < 4 else 3.0
    terms = SHAPES[kernel](cdist(Q, X) / h) @ weights
    expected = terms / weights.sum() * height(kernel, d) / h**d
    model = KernelDensity(bandwidth=h, kernel=kernel, rtol=0).fit(X, sample_weight=weights)
    np.testing.assert_allclose(np.exp(model.score_samples(Q)), expected, rtol=1e-8)
    assert model.score(Q[:5]) == pytest.approx(np.log(expected[:5]).sum()) or not expected[:5].all()


@pytest.mark.parametrize("kernel", RADIAL)
@pytest.mark.parametrize("d", [1, 2, 5, 60])
def test_heights_and_variances_of_kernels(kernel, d):
    if d < 60:
        assert log_height(kernel, d) == pytest.approx(math.log(height(kernel, d)), rel=1e-9)
    closed = {
        "tophat": 1 / (d + 2),
        "epanechnikov": 1 / (d + 4),
        "linear": (d + 1) / ((d + 2) * (d + 3)),
        "exponential": d + 1,
    }
    if kernel in closed:
        assert variance(kernel, d) == pytest.approx(closed[kernel], rel=1e-9)
    peer = Peer(kernel=kernel).fit(np.zeros((1, d))).score_samples(np.full((1, d), 0.3 / math.sqrt(d)))
    if not (kernel == "cosine" and d % 2 == 0):  # where its series lacks the last term
        assert log_height(kernel, d) + math.log(profile(kernel, np.array([0.3]))[0]) == pytest.approx(peer[0])


@pytest.mark.parametrize("kernel", RADIAL)
@pytest.mark.parametrize("d", [1, 3])
def test_draws_follow_the_kernel(kernel, d):
    model = KernelDensity(bandwidth=2.0, kernel=kernel).fit(np.full((1, d), 10.0))
    drawn = model.sample(40_000, random_state=0) - 10
    spread = 4 * variance(kernel, d)
    np.testing.assert_allclose(np.atleast_2d(np.cov(drawn.T)) / spread, np.eye(d), atol=0.07)
    np.testing.assert_allclose(drawn.mean(axis=0) / math.sqrt(spread), 0, atol=0.03)
    lengths = np.linalg.norm(drawn, axis=1) / 2
    share = quad(lambda r: r ** (d - 1) * SHAPES[kernel](r), 0, 0.5)[0]
    whole = quad(lambda r: r ** (d - 1) * SHAPES[kernel](r), 0, 1 if kernel in COMPACT else 60)[0]
    assert (lengths < 0.5).mean() == pytest.approx(share / whole, abs=0.01)
    np.testing.assert_allclose(model.kernel_covariance_, 4 * variance(kernel, d) * np.eye(d))


@pytest.mark.parametrize("kernel", [name for name in SHAPES if name != "cosine"])  # of two columns its series is short
@pytest.mark.parametrize(
    ("metric", "params"),
    [("manhattan", None), ("chebyshev", None), ("minkowski", {"p": 3}), ("haversine", None), ("canberra", None)],
)
def test_other_distances_are_those_of_the_peer(kernel, metric, params):
    X, Q = table(2, 80) / 2, table(2, 30) / 2
    options = {"kernel": kernel, "metric": metric, "metric_params": params, "bandwidth": 0.8}
    ours, peer = (kind(**options).fit(X) for kind in (KernelDensity, Peer))
    np.testing.assert_allclose(np.exp(ours.score_samples(Q)), np.exp(peer.score_samples(Q)), rtol=1e-6, atol=1e-9)


def test_names_of_the_plain_distance():
    X = table(3)
    plain = KernelDensity().fit(X).score_samples(X)
    for metric, params in (("l2", None), ("minkowski", None), ("minkowski", {"p": 2}), ("p", {"p": 2})):
        other = KernelDensity(metric=metric, metric_params=params).fit(X)
        np.testing.assert_array_equal(other.score_samples(X), plain)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_rules_are_numbers_or_multiply_a_shape(rule):
    X = table(2) * [1.0, 50.0]
    plain = KernelDensity(rule).fit(X)
    assert isinstance(plain.bandwidth_, float) and plain.bandwidth_ == pytest.approx(
        Peer(bandwidth=rule).fit(X).bandwidth_
    )
    shaped = KernelDensity(rule, shape="axes").fit(X)
    np.testing.assert_allclose(shaped.bandwidth_, plain.bandwidth_ * X.std(axis=0))


@pytest.mark.parametrize("kernel", RADIAL)
def test_a_chosen_width_has_the_covariance_of_the_gaussian_one(kernel):
    X = table(2) * [1.0, 50.0]
    bell, other = (KernelDensity("likelihood", kernel=name, random_state=0).fit(X) for name in ("gaussian", kernel))
    np.testing.assert_allclose(other.kernel_covariance_, bell.kernel_covariance_)
    new = other.sample(200, random_state=1)
    assert np.isfinite(other.score_samples(new)).mean() > 0.99


@pytest.mark.parametrize("kernel", RADIAL)
def test_offsets_units_and_portions_do_not_matter(kernel, monkeypatch):
    X, Q = table(2), table(2, 50)
    expected = KernelDensity(0.8, kernel=kernel).fit(X).score_samples(Q)
    for unit in (2.0**400, 2.0**-400):
        found = KernelDensity(0.8 * unit, kernel=kernel).fit(X * unit).score_samples(Q * unit)
        np.testing.assert_allclose(found + 2 * np.log(unit), expected, rtol=1e-9, atol=1e-9)
    far = np.vstack([X, [[1e12, 1e12]]])  # a far row, and queries about it
    asked = np.vstack([Q, [[1e12 + 0.25, 1e12]]])
    weights = np.r_[np.ones(len(X)), 1.0]
    found = KernelDensity(0.8, kernel=kernel).fit(far, sample_weight=weights).score_samples(asked)
    np.testing.assert_allclose(found[:-1] + math.log(201 / 200), expected, atol=1e-9)
    alone = log_height(kernel, 2) - 2 * math.log(0.8) + math.log(profile(kernel, np.array([0.25 / 0.8]))[0] / 201)
    assert found[-1] == pytest.approx(alone, abs=1e-3)
    monkeypatch.setattr(radial, "PAIRS", 300)
    np.testing.assert_allclose(KernelDensity(0.8, kernel=kernel).fit(X).score_samples(Q), expected, atol=1e-12)


def test_beyond_all_reach():
    X = table(2)
    far = np.array([[1e9, 0.0], [1e300, -1e300]])
    assert np.isneginf(KernelDensity(kernel="cosine").fit(X).score_samples(far)).all()
    found = KernelDensity(kernel="exponential").fit(X).score_samples(far)
    assert np.isfinite(found).all() and found[0] == pytest.approx(-1e9, rel=1e-6)


def test_samples_by_weight_are_samples_of_copies():
    X = table(2, 30)
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    for kernel in SHAPES:
        weighted = KernelDensity(kernel=kernel).fit(X, sample_weight=weights).sample(50, random_state=3)
        repeated = KernelDensity(kernel=kernel).fit(np.repeat(X, weights, axis=0)).sample(50, random_state=3)
        np.testing.assert_allclose(weighted, repeated)
    model = KernelDensity(random_state=5).fit(X)
    np.testing.assert_array_equal(model.sample(4), model.sample(4, random_state=5))
    assert (model.sample(4, np.random.RandomState(1)) != model.sample(4)).all()


def test_the_tree_is_there_for_who_asks():
    X = table(2, 30)
    model = KernelDensity(metric="haversine").fit(X)
    assert type(model.tree_).__name__.startswith("BallTree") and model.tree_.data.shape == (30, 2)
    assert type(KernelDensity().fit(X).tree_).__name__.startswith("KDTree")


@pytest.mark.parametrize("size", [1e20, 1e100])
def test_widths_that_are_nothing_beside_the_distances(size):
    X = table(3, 60) * size  # shells of one width are lost in the rounding of such distances
    found = KernelDensity(bandwidth=1.0).fit(X).score_samples(X)
    np.testing.assert_allclose(found, -math.log(60) - 1.5 * math.log(2 * math.pi))
    far = KernelDensity(bandwidth=1.0).fit(table(3, 60)).score_samples(X)
    np.testing.assert_allclose(far, -0.5 * (X**2).sum(axis=1), rtol=1e-9)
