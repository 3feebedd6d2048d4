"""Intrinsic dimension: known manifolds, the law of concentrating distances, standard errors that tell the truth."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import pdist, squareform

from unmix.algorithms.dimension.spatial_blocks import spatial_blocks
from unmix.decomposition import intrinsic_dimension


def swiss_roll(n, rng):
    turn = 1.5 * np.pi * (1 + 2 * rng.random(n))
    return np.column_stack([turn * np.cos(turn), 21 * rng.random(n), turn * np.sin(turn)])


def sphere(n, rng):
    points = rng.normal(size=(n, 4))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def turned(n, rng, d=5, ambient=20):
    return rng.normal(size=(n, d)) @ np.linalg.qr(rng.normal(size=(ambient, d)))[0].T


MANIFOLDS = {
    "line": (lambda n, rng: rng.random((n, 1)) * [[1.0, 2.0, 3.0]], 1),
    "square": (lambda n, rng: rng.random((n, 2)), 2),
    "swiss roll": (swiss_roll, 2),
    "sphere": (sphere, 3),
    "turned": (turned, 5),
}


@pytest.mark.parametrize("method", ["two_nn", "maximum_likelihood"])
@pytest.mark.parametrize("name", MANIFOLDS)
def test_manifolds_of_known_dimension(name, method):
    make, dimension = MANIFOLDS[name]
    found = intrinsic_dimension(make(2000, np.random.default_rng(0)), method)
    assert round(found.dimension) == dimension
    assert abs(found.dimension - dimension) < 4 * found.error + 0.06 * dimension  # edges and curvature
    assert found.method == method and found.n_rows == 2000


def test_estimates_maximise_their_likelihoods():
    """Of ratios, the largest tenth censored at the next; of all distances within the k-th. Distances by brute force."""
    X = np.random.default_rng(3).random((200, 3))
    distances = np.sort(squareform(pdist(X)), axis=1)[:, 1:]
    logs = np.sort(np.log(distances[:, 1] / distances[:, 0]))

    def minus_censored(D):  # density D exp(-D t) for 180 ratios, exp(-D t) for 20 known to be larger than the last
        return -(180 * np.log(D) - D * logs[:180].sum() - 20 * D * logs[179])

    best = minimize_scalar(minus_censored, bounds=(0.1, 20), method="bounded", options={"xatol": 1e-9}).x
    assert intrinsic_dimension(X).dimension * 180 / 179 == pytest.approx(best, rel=1e-6)
    within = np.log(distances[:, 9:10] / distances[:, :9])
    best = minimize_scalar(lambda D: -(within.size * np.log(D) - D * within.sum()), bounds=(0.1, 20), method="bounded",
                           options={"xatol": 1e-9}).x  # fmt: skip
    found = intrinsic_dimension(X, "maximum_likelihood", n_neighbors=10).dimension
    assert found * within.size / (within.size - 1) == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("D", [2, 10, 50])
def test_law_of_concentrating_distances(D):
    """x ~ N(0, I/D): squared distances have mean 2 and variance 8/D, so D = 2 mean²/variance."""
    X = np.random.default_rng(0).normal(size=(2000, D)) / np.sqrt(D)
    pairs = pdist(X, "sqeuclidean")
    assert abs(pairs.mean() - 2) < 4 * np.sqrt(8 / D / 1000) and abs(pairs.var() - 8 / D) < 0.1 * 8 / D
    found = intrinsic_dimension(X, "distances", random_state=0)
    assert found.dimension == pytest.approx(2 * pairs.mean() ** 2 / pairs.var(), rel=1e-9)
    assert abs(found.dimension - D) < 4 * found.error


def test_unequal_variances_count_by_their_effective_number():
    """Σ over directions: (Σ v)² / Σ v²."""
    variances = np.array([4.0, 1.0, 1.0, 0.25])
    X = np.random.default_rng(1).normal(size=(4000, 4)) * np.sqrt(variances)
    found = intrinsic_dimension(X, "distances", random_state=0)
    assert abs(found.dimension - variances.sum() ** 2 / np.square(variances).sum()) < 4 * found.error


@pytest.mark.parametrize("method", ["two_nn", "maximum_likelihood", "distances"])
def test_standard_errors_are_those_of_repeats(method):
    tables = (turned(600, np.random.default_rng(seed)) for seed in range(30))
    repeats = [intrinsic_dimension(X, method, random_state=0) for X in tables]
    spread = np.std([found.dimension for found in repeats], ddof=1)
    assert 0.6 < np.mean([found.error for found in repeats]) / spread < 1.7


def test_number_of_linear_directions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) @ rng.normal(size=(3, 10)) + 0.3 * rng.normal(size=(300, 10))
    assert intrinsic_dimension(X, "parallel_analysis", random_state=0).dimension == 3
    noise = np.random.default_rng(1).normal(size=(300, 10))
    assert intrinsic_dimension(noise, "parallel_analysis", random_state=0).dimension == 0


def test_scale_repeats_and_sampling_do_not_matter():
    X = swiss_roll(1500, np.random.default_rng(0))
    plain = intrinsic_dimension(X, random_state=0)
    assert intrinsic_dimension(np.repeat(X, 2, axis=0), random_state=0) == plain
    for scale in (1e150, 1e-150):
        assert intrinsic_dimension(X * scale, random_state=0).dimension == pytest.approx(plain.dimension)
    some = intrinsic_dimension(X, max_rows=500, random_state=0)
    assert some.n_rows == 500 and abs(some.dimension - 2) < 4 * some.error + 0.1


def test_degenerate_and_bad_input():
    assert intrinsic_dimension(np.ones((30, 3))).dimension == 0
    assert intrinsic_dimension(np.eye(5), "distances", random_state=0).dimension == np.inf  # all distances are equal
    assert intrinsic_dimension([[0.0], [1.0], [3.0], [7.0]], "distances", random_state=0).dimension > 0
    with pytest.raises(ValueError, match="different rows"):
        intrinsic_dimension(np.eye(3), "distances")
    with pytest.raises(ValueError, match="different rows"):
        intrinsic_dimension(np.eye(3))
    with pytest.raises(ValueError, match="method"):
        intrinsic_dimension(np.eye(3), "best")
    with pytest.raises(ValueError, match="n_neighbors"):
        intrinsic_dimension(np.random.default_rng(0).normal(size=(50, 2)), "maximum_likelihood", n_neighbors=1)
    with pytest.raises(ValueError, match="NaN"):
        intrinsic_dimension([[np.nan, 1.0], [1.0, 2.0]])


def test_cells_are_even_and_local():
    X = np.random.default_rng(0).random((64, 2)) * [8.0, 1.0]
    labels = spatial_blocks(X, 3)
    assert np.bincount(labels).tolist() == [8] * 8
    order = np.sort([X[labels == cell, 0].mean() for cell in range(8)])
    assert np.diff(order).min() > 0.4  # cells follow the long side


@pytest.mark.parametrize("method", ["two_nn", "maximum_likelihood"])
@pytest.mark.parametrize("far", [1e4, 1e12, 1e200, 1e308])
def test_one_far_row_does_not_change_a_local_dimension(method, far):
    X = np.random.default_rng(0).normal(size=(300, 2)) @ np.random.default_rng(1).normal(size=(2, 6))
    expected = intrinsic_dimension(X, method, random_state=0).dimension
    found = intrinsic_dimension(np.vstack([X, np.full(6, far)]), method, random_state=0)
    assert found.dimension == pytest.approx(expected, rel=0.03) and np.isfinite(found.error)


@pytest.mark.parametrize("far", [1e4, 1e8, 1e12])
def test_one_far_row_adds_one_component_beyond_chance(far):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 10)) + 0.05 * rng.normal(size=(200, 10))
    assert intrinsic_dimension(X, "parallel_analysis", random_state=0).dimension == 2
    X = np.vstack([X, np.full(10, far)])
    assert intrinsic_dimension(X, "parallel_analysis", random_state=0).dimension == 3
