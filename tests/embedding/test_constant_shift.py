"""Constant shift embedding against PCA, the distances it promises, and all clusterings of a few objects."""

from itertools import product

import numpy as np
import pandas
import pytest
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.utils import get_tags

import unmix
from unmix.embedding import ConstantShiftEmbedding

rng = np.random.default_rng(0)


def squared_distances(A, B=None):
    B = A if B is None else B
    return ((A[:, None] - B[None]) ** 2).sum(axis=2)


def wild(n, seed=0):
    """Dissimilarities that are no metric, not symmetric, partly negative."""
    D = np.random.default_rng(seed).normal(1.0, 1.0, (n, n))
    np.fill_diagonal(D, 0)
    return D


@pytest.mark.parametrize("n, d", [(40, 3), (5, 8), (600, 4)])
def test_squared_euclidean_distances_give_the_scores_of_pca(n, d):
    X = rng.normal(size=(n, d)) * np.arange(d, 0, -1)
    k = min(d, n - 1)
    model = ConstantShiftEmbedding(k, metric="precomputed")
    points, expected = model.fit_transform(squared_distances(X)), PCA(k).fit_transform(X)
    signs = np.sign((points * expected).sum(axis=0))
    np.testing.assert_allclose(points * signs, expected, atol=1e-6)
    assert model.shift_ == 0
    new = rng.normal(size=(7, d))
    np.testing.assert_allclose(
        model.transform(squared_distances(new, X)) * signs, PCA(k).fit(X).transform(new), atol=1e-6
    )


def test_distances_are_the_dissimilarities_plus_a_constant():
    D = wild(12)
    model = ConstantShiftEmbedding(None, metric="precomputed").fit(D)
    expected = 0.5 * (D + D.T) + 2 * model.shift_ * (1 - np.eye(12))
    np.testing.assert_allclose(squared_distances(model.embedding_), expected, atol=1e-9)
    S = -0.5 * (np.eye(12) - 1 / 12) @ (0.5 * (D + D.T)) @ (np.eye(12) - 1 / 12)
    assert model.shift_ == pytest.approx(-np.linalg.eigvalsh(S)[0])
    np.testing.assert_allclose((model.embedding_**2).sum(axis=0), model.eigenvalues_, atol=1e-9)
    np.testing.assert_allclose(model.embedding_.sum(axis=0), 0, atol=1e-9)


def test_pairwise_cost_is_the_cost_of_k_means_plus_a_constant():
    n, k = 7, 3
    D = wild(n, seed=1)
    model = ConstantShiftEmbedding(None, metric="precomputed").fit(D)
    X = model.embedding_
    differences = []
    for labels in product(range(k), repeat=n):
        members = [np.flatnonzero(np.array(labels) == c) for c in range(k)]
        if min(map(len, members)) == 0:
            continue
        pairwise = sum(0.5 * D[np.ix_(m, m)].sum() / len(m) for m in members)
        kmeans = sum(((X[m] - X[m].mean(axis=0)) ** 2).sum() for m in members)
        differences.append(kmeans - pairwise)
    np.testing.assert_allclose(differences, model.shift_ * (n - k), atol=1e-9)


def test_shifting_or_turning_the_dissimilarities_changes_nothing():
    D = wild(10, seed=2)
    expected = ConstantShiftEmbedding(3, metric="precomputed").fit(D)
    shifted = ConstantShiftEmbedding(3, metric="precomputed").fit(D - 4.0 * (1 - np.eye(10)))
    np.testing.assert_allclose(shifted.embedding_, expected.embedding_, atol=1e-9)
    assert shifted.shift_ == pytest.approx(expected.shift_ + 2.0)
    np.testing.assert_allclose(
        ConstantShiftEmbedding(3, metric="precomputed").fit_transform(D.T), expected.embedding_, atol=1e-9
    )


def test_truncation_is_the_leading_part():
    D = wild(15, seed=3)
    every, few = (
        ConstantShiftEmbedding(None, metric="precomputed").fit(D),
        ConstantShiftEmbedding(4, metric="precomputed").fit(D),
    )
    np.testing.assert_allclose(few.embedding_, every.embedding_[:, :4], atol=1e-9)
    assert (np.diff(every.eigenvalues_) <= 1e-12).all()


def test_lanczos_agrees_with_all_eigenvalues():
    from unmix.algorithms.principal.constant_shift import _all_eigenpairs, embed

    D = wild(450, seed=4) + squared_distances(rng.normal(size=(450, 3)) * 4)
    np.fill_diagonal(D, 0)
    found = embed(D, 5)
    values, _, least = _all_eigenpairs(D, found.means, 5)
    np.testing.assert_allclose(found.eigenvalues, values - least, rtol=1e-8)
    assert found.shift == pytest.approx(-least, rel=1e-8)
    below = embed(D - 300.0 * (1 - np.eye(450)), 5)  # now the constant vector alone has no negative eigenvalue
    np.testing.assert_allclose(below.points, found.points, atol=1e-5)


def test_new_objects_are_placed_as_the_shifted_geometry_says():
    """A new object at D + 2 shift from all old ones: its inner products with the old points give its coordinates."""
    D, n = wild(11, seed=5), 10
    model = ConstantShiftEmbedding(None, metric="precomputed").fit(D[:n, :n])
    new = D[n:, :n]
    X = model.embedding_
    squared = new + 2 * model.shift_
    # ‖x - x_j‖² = ‖x‖² - 2 x·x_j + ‖x_j‖²; differences between j and their mean leave x·x_j alone
    right = -0.5 * (squared - (X**2).sum(axis=1))
    expected = np.linalg.lstsq(X, (right - right.mean()).T, rcond=1e-10)[0].T
    np.testing.assert_allclose(model.transform(new), expected, atol=1e-8)


def test_precision_containers_tags_and_files(tmp_path):
    D = squared_distances(rng.normal(size=(30, 3)))
    model = ConstantShiftEmbedding(2, metric="precomputed").fit(D.astype(np.float32))
    assert model.embedding_.dtype == model.transform(D[:3].astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(
        model.embedding_, ConstantShiftEmbedding(2, metric="precomputed").fit_transform(D), atol=1e-4
    )
    assert get_tags(model).input_tags.pairwise
    frame = pandas.DataFrame(D, columns=[f"o{i}" for i in range(30)])
    out = ConstantShiftEmbedding(2, metric="precomputed").set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns) == ["constantshiftembedding0", "constantshiftembedding1"]
    model.save(tmp_path / "m.unmix")
    new = D[:4].astype(np.float32)
    assert np.array_equal(unmix.load(tmp_path / "m.unmix").transform(new), model.transform(new))


def test_equal_objects():
    model = ConstantShiftEmbedding(2, metric="precomputed").fit(np.zeros((4, 4)))
    assert model.shift_ == 0 and not model.embedding_.any()
    assert not model.transform(np.ones((1, 4))).any()
    equal = ConstantShiftEmbedding(None, metric="precomputed").fit(1 - np.eye(4))  # a regular tetrahedron
    np.testing.assert_allclose(squared_distances(equal.embedding_), 1 - np.eye(4), atol=1e-12)


@pytest.mark.parametrize(
    "D, k, sentence",
    [
        (np.zeros((3, 4)), 1, "square"),
        (np.eye(3), 1, "diagonal"),
        (np.zeros((3, 3)), 3, "n_components"),
        (np.zeros((3, 3)), 0, "n_components"),
        (np.full((3, 3), np.nan), 1, "NaN"),
    ],
)
def test_bad_input_is_named(D, k, sentence):
    with pytest.raises(ValueError, match=sentence):
        ConstantShiftEmbedding(k, metric="precomputed").fit(D)


@pytest.mark.parametrize("dtype, error", [(np.float64, 1e-3), (np.float32, 1e-2)])
@pytest.mark.parametrize("far", [1e4, 1e8, 1e12])
def test_one_far_object_leaves_the_others_their_coordinates(far, dtype, error):
    """Squared distances of points: the coordinates are those of the singular value decomposition."""
    points = np.random.default_rng(0).normal(size=(61, 3))
    points[-1] = np.sqrt(far), 0, 0
    D = np.square(points[:, None] - points[None]).sum(axis=2)
    model = ConstantShiftEmbedding(3, metric="precomputed").fit(D.astype(dtype))
    left, sizes, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(model.eigenvalues_, sizes**2, rtol=error)
    np.testing.assert_allclose(np.abs(model.embedding_[:, 1:]), np.abs(left * sizes)[:, 1:], atol=error * 3)
    assert model.shift_ == 0


def test_a_diagonal_is_not_excused_by_one_far_object():
    D = np.ones((6, 6))
    D[0, 5] = D[5, 0] = 1e9
    with pytest.raises(ValueError, match="diagonal"):
        ConstantShiftEmbedding(2, metric="precomputed").fit(D)


@pytest.mark.parametrize("metric", ["sqeuclidean", "cityblock"])
def test_rows_are_embedded_by_their_dissimilarities(metric):
    X, new = rng.normal(size=(40, 3)), rng.normal(size=(6, 3))
    D, to_new = cdist(X, X, metric), cdist(new, X, metric)
    model = ConstantShiftEmbedding(2, metric=metric).fit(X)
    given = ConstantShiftEmbedding(2, metric="precomputed").fit(D)
    np.testing.assert_allclose(model.embedding_, given.embedding_, atol=1e-9)
    np.testing.assert_allclose(model.transform(new), given.transform(to_new), atol=1e-9)
    np.testing.assert_array_equal(model.distortion(X), given.distortion(D))
    assert get_tags(given).input_tags.pairwise and not get_tags(model).input_tags.pairwise
