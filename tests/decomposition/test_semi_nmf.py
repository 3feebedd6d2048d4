"""SemiNMF: K-means as its hard case, planted mixtures, either sign, odd tables."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from unmix.algorithms.nonnegative.fits.semi import least_squares
from unmix.algorithms.nonnegative.hals import Statistics
from unmix.cluster import KMeans
from unmix.decomposition import SemiNMF

pytestmark = pytest.mark.slow_without_jit


def orthogonal_groups(seed=0):
    """Groups in orthogonal directions, either sign: no mixture of the others helps a row."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(3), 30)
    centres = np.array([[9.0, 0, 0, 0, 0, 0], [0, -9.0, 0, 0, 0, 0], [0, 0, 9.0, -9.0, 0, 0]])
    return centres[labels] + 0.05 * rng.normal(size=(90, 6)), labels, centres


@pytest.mark.parametrize("solver", ["hals", "mu"])
def test_the_partition_is_that_of_kmeans_where_codes_are_nearly_orthogonal(solver):
    X, labels, centres = orthogonal_groups()
    model = SemiNMF(3, solver=solver, random_state=0, max_iter=5000, tol=1e-5)
    Z = model.fit_transform(X)
    kmeans = KMeans(3, random_state=0).fit(X)
    assert adjusted_rand_score(Z.argmax(axis=1), kmeans.labels_) == 1
    assert adjusted_rand_score(Z.argmax(axis=1), labels) == 1
    if solver == "mu":
        return  # its codes stay mixed: the start adds to all of them, and an exact fit leaves the mixture open
    unit = Z / np.linalg.norm(Z, axis=0)
    np.testing.assert_allclose(unit.T @ unit, np.eye(3), atol=0.05)
    # in the unit of one-hot codes, prototypes are the centres
    order = [int(np.argmax(np.abs(row @ centres.T))) for row in model.components_]
    np.testing.assert_allclose(model.components_, kmeans.cluster_centers_[_nearest(kmeans, centres[order])], atol=0.5)


def _nearest(kmeans, rows):
    return ((kmeans.cluster_centers_[None] - rows[:, None]) ** 2).sum(axis=2).argmin(axis=1)


def test_better_than_kmeans_and_no_better_than_svd():
    X = np.random.default_rng(0).normal(size=(80, 7))
    model = SemiNMF(3, random_state=0, max_iter=2000).fit(X)
    singular = np.linalg.svd(X, compute_uv=False)
    assert np.sqrt((singular[3:] ** 2).sum()) <= model.reconstruction_err_ < np.sqrt(KMeans(3).fit(X).inertia_)


def test_solvers_agree_on_an_exact_mixture():
    rng = np.random.default_rng(1)
    X = rng.gamma(1.0, size=(60, 2)) @ rng.normal(size=(2, 5))
    for solver in ("hals", "mu"):
        model = SemiNMF(2, solver=solver, random_state=0, max_iter=20_000, tol=1e-9)
        Z = model.fit_transform(X)
        assert (Z >= 0).all()
        np.testing.assert_allclose(model.inverse_transform(Z), X, atol=1e-3)


def test_codes_error_and_given_prototypes():
    X, _, centres = orthogonal_groups()
    model = SemiNMF(3, init=centres, max_iter=1000)
    Z = model.fit_transform(X)
    np.testing.assert_array_equal(Z, model.transform(X))
    assert model.reconstruction_err_ == pytest.approx(np.linalg.norm(X - Z @ model.components_), rel=1e-9)
    np.testing.assert_allclose(model.components_, centres, atol=0.5)
    np.testing.assert_allclose(SemiNMF(3, init=centres, max_iter=1000).fit(csr_array(X)).components_, model.components_)


@pytest.mark.parametrize(
    "X, k",
    [
        (np.zeros((5, 3)), 2),
        (np.full((6, 4), -3.0), 2),
        (np.array([[1.0, -2.0]]), 1),
        (np.array([[1.0], [-1.0], [2.0]]), 2),
        (-np.eye(3), 5),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_odd_tables_are_told_exactly(X, k):
    model = SemiNMF(k, random_state=0, max_iter=500).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-6)


def signed_table(dtype=np.float64):
    rng = np.random.default_rng(0)
    return (rng.gamma(1.0, size=(120, 3)) @ rng.normal(size=(3, 12)) + 0.2 * rng.normal(size=(120, 12))).astype(dtype)


@pytest.mark.parametrize("solver", ["hals", "mu"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_unit_of_codes_is_that_of_memberships(solver, weighted):
    X = signed_table()
    weights = np.random.default_rng(1).integers(0, 3, 120) if weighted else None
    model = SemiNMF(3, solver=solver, max_iter=7)
    Z = model.fit_transform(X, sample_weight=weights)
    np.testing.assert_array_equal(Z, model.transform(X))
    weight = np.ones(120) if weights is None else weights
    np.testing.assert_allclose(weight @ Z**2, weight @ Z, rtol=1e-9)
    error = np.sqrt(weight @ ((X - Z @ model.components_) ** 2).sum(axis=1))
    assert model.reconstruction_err_ == pytest.approx(error, rel=1e-9)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, value", [(np.float64, 1e300), (np.float32, 1e20), (np.float32, -9.97e36)])
@pytest.mark.parametrize("solver", ["hals", "mu"])
@pytest.mark.parametrize("init", ["random", "given"])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_of_weight_zero_are_absent_whatever_they_hold(dtype, value, solver, init, kind):
    X, weights = signed_table(dtype), np.ones(120)
    weights[::7] = 0
    settings = {"solver": solver, "init": X[:3].astype(np.float64) if init == "given" else init, "max_iter": 20}
    expected = SemiNMF(3, **settings).fit(kind(X[weights > 0]))
    X[weights == 0] = value
    model = SemiNMF(3, **settings).fit(kind(X), sample_weight=weights)
    rtol = 1e-8 if dtype == np.float64 else 2e-3
    np.testing.assert_allclose(model.components_, expected.components_, rtol=rtol, atol=rtol)
    assert np.isfinite(model.transform(kind(X))).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_the_code_of_a_row_does_not_depend_on_other_rows(dtype, kind):
    X = signed_table(dtype)
    model = SemiNMF(3, tol=1e-2).fit(X)
    X, factors = X[:12], np.ones((12, 1), dtype)
    plain = model.transform(kind(X))
    factors[:6, 0] = 1e4, 1e8, 1e12, 1e30, 1e-12, 1e-28
    together = model.transform(kind(X * factors))
    alone = np.vstack([model.transform(kind(row[None])) for row in X * factors])
    tolerance = 1e-11 if dtype == np.float64 else 1e-5
    np.testing.assert_allclose(together / factors, alone / factors, atol=tolerance)
    np.testing.assert_allclose(together / factors, plain, atol=tolerance)


@pytest.mark.parametrize("seed", [1, 6, 8])
def test_the_objective_never_rises_where_components_grow_without_bound(seed):
    """Three groups in opposite directions: two nearly equal codes with huge opposite components come ever nearer."""
    rng = np.random.default_rng(seed)
    centers = np.array([[8.0] * 5, [-8.0] * 5, [8.0, -8, 8, -8, 8]])
    X = np.repeat(centers, 40, axis=0) + rng.normal(size=(120, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # there is nothing to converge to
        model = SemiNMF(3, random_state=0, max_iter=500).fit(X)
    told = np.array([entry["objective"] for entry in model.trace_])
    assert np.linalg.norm(model.components_, axis=1).max() > 1e3
    assert (np.diff(told) <= 1e-12 * told[:-1]).all()


@pytest.mark.parametrize("rank", [0, 2, 4])
def test_the_components_for_given_codes_are_the_smallest_of_least_error(rank):
    """By NumPy's least squares, which begins from the codes themselves and finds their rank by singular values."""
    rng = np.random.default_rng(rank)
    codes, X = rng.random((30, rank)) @ rng.random((rank, 4)), rng.standard_normal((30, 5))
    found = Statistics(codes.T @ codes, codes.T @ X, 0.0, 0.0)
    expected = np.linalg.lstsq(codes, X, rcond=1e-9)[0]
    np.testing.assert_allclose(least_squares(found), expected, atol=1e-9)
