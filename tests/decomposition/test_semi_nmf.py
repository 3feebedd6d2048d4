"""SemiNMF: K-means as its hard case, planted mixtures, either sign, odd tables."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from unmix.cluster import KMeans
from unmix.decomposition import SemiNMF

pytestmark = pytest.mark.slow_without_jit


def orthogonal_groups(seed=0):
    """Groups in orthogonal directions, either sign: no mixture of the others helps a row."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(3), 30)
    centres = np.array([[9.0, 0, 0, 0, 0, 0], [0, -9.0, 0, 0, 0, 0], [0, 0, 9.0, -9.0, 0, 0]])
    return centres[labels] + 0.05 * rng.normal(size=(90, 6)), labels, centres


@pytest.mark.parametrize("solver", ["hals", "multiplicative"])
def test_the_partition_is_that_of_kmeans_where_codes_are_nearly_orthogonal(solver):
    X, labels, centres = orthogonal_groups()
    model = SemiNMF(3, solver=solver, random_state=0, max_iter=5000, tol=1e-5)
    Z = model.fit_transform(X)
    kmeans = KMeans(3, random_state=0).fit(X)
    assert adjusted_rand_score(Z.argmax(axis=1), kmeans.labels_) == 1
    assert adjusted_rand_score(Z.argmax(axis=1), labels) == 1
    if solver == "multiplicative":
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
    for solver in ("hals", "multiplicative"):
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
