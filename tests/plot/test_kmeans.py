"""Cluster figures: the drawn points, centres and borders against distances computed apart."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy.sparse import csr_array
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.mixture import GaussianMixture as TheirMixture

from unmix.cluster import KMeans
from unmix.plot import KMeansDisplay
from unmix.plot.cells import cell_borders
from unmix.plot.style import LIGHT


def distances(places, centers):
    return np.sqrt(((places[:, None] - centers) ** 2).sum(axis=2))


@pytest.mark.parametrize("k", [2, 3, 7, 12])
def test_borders_are_where_the_two_nearest_centres_are_equally_near(k):
    centers = np.random.default_rng(k).normal(size=(k, 2))
    low, high = np.array([-3.0, -3.0]), np.array([3.0, 3.0])
    segments = cell_borders(centers, low, high)
    assert len(segments) >= 1
    for share in (0.02, 0.5, 0.98):
        places = (1 - share) * segments[:, 0] + share * segments[:, 1]
        assert ((places >= low - 1e-9) & (places <= high + 1e-9)).all()
        near = np.sort(distances(places, centers), axis=1)
        np.testing.assert_allclose(near[:, 0], near[:, 1], rtol=1e-9)


def test_borders_are_complete():
    """Walking along lines across the box, the nearest centre changes only where a border is crossed."""
    rng = np.random.default_rng(3)
    centers, low, high = rng.normal(size=(9, 2)), np.array([-2.0, -2.0]), np.array([2.0, 2.0])
    segments = cell_borders(centers, low, high)
    for y in np.linspace(-1.9, 1.9, 13):
        a, b = segments[:, 0], segments[:, 1]
        crossed = (a[:, 1] - y) * (b[:, 1] - y) < 0
        walk = np.column_stack([np.linspace(-2, 2, 20001), np.full(20001, y)])
        changes = (np.diff(distances(walk, centers).argmin(axis=1)) != 0).sum()
        assert crossed.sum() == changes


def test_two_centres_and_centres_on_a_line_have_straight_borders():
    low, high = np.array([0.0, 0.0]), np.array([10.0, 4.0])
    segments = cell_borders(np.array([[1.0, 1.0], [5.0, 1.0], [9.0, 1.0]]), low, high)
    np.testing.assert_allclose(np.sort(segments[:, :, 0].mean(axis=1)), [3.0, 7.0])
    np.testing.assert_allclose(np.sort(segments[:, :, 1], axis=1), [[0.0, 4.0]] * 2)
    assert len(cell_borders(np.array([[1.0, 1.0], [1.0, 1.0]]), low, high)) == 0


def test_the_drawn_rows_and_centres_are_those_of_the_model(groups, ax):
    X, _ = groups
    model = KMeans(3, random_state=0).fit(X)
    display = KMeansDisplay.from_estimator(model, X, ax=ax)
    assert display.ax_ is ax and display.figure_ is ax.figure
    np.testing.assert_array_equal(display.points_.get_offsets(), X)
    np.testing.assert_allclose(display.centers_.get_offsets(), model.cluster_centers_)
    colors = [to_hex(color) for color in display.points_.get_facecolors()]
    assert colors == [LIGHT[label] for label in model.labels_]
    assert [text.get_text() for text in display.texts_] == ["0", "1", "2"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("column 0", "column 1")
    assert len(display.borders_.get_segments()) == 3


def test_no_borders_where_rows_do_not_go_to_the_nearest_centre():
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(150, 2)) * [6, 0.3], rng.normal(size=(150, 2)) * [6, 0.3] + [4, 3]])
    model = TheirMixture(2, random_state=0, means_init=[[0, 0], [4, 3]]).fit(X)
    assert (model.predict(X) != distances(X, model.means_).argmin(axis=1)).any()
    display = KMeansDisplay.from_estimator(model, X)
    assert display.borders_ is None
    np.testing.assert_allclose(display.centers_.get_offsets(), model.means_)


def test_more_columns_are_laid_on_their_principal_plane():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 5)) * [9, 4, 1, 1, 1]
    model = TheirKMeans(3, n_init=3, random_state=0).fit(X)
    display = KMeansDisplay.from_estimator(model, X)
    left, values, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    drawn = np.asarray(display.points_.get_offsets())
    np.testing.assert_allclose(np.abs(drawn), np.abs(left[:, :2] * values[:2]), atol=1e-6)
    means = [drawn[model.labels_ == c].mean(axis=0) for c in range(3)]  # projections of means are means of projections
    np.testing.assert_allclose(display.centers_.get_offsets(), means, atol=1e-6)
    share = values[0] ** 2 / (values**2).sum()
    assert display.borders_ is None and display.ax_.get_xlabel() == f"component 1 ({share:.0%})"


def test_columns_are_chosen_by_name_or_number():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=["a", "b", "c"])
    model = KMeans(2, random_state=0).fit(frame)
    display = KMeansDisplay.from_estimator(model, frame, columns=("c", 0))
    np.testing.assert_array_equal(display.points_.get_offsets(), frame[["c", "a"]])
    np.testing.assert_allclose(display.centers_.get_offsets(), model.cluster_centers_[:, [2, 0]])
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("c", "a")


def test_rows_left_out_are_grey_and_clusters_without_centres_get_means(groups):
    X, _ = groups
    X = np.vstack([X, [[40.0, 40.0]]])
    display = KMeansDisplay.from_estimator(DBSCAN(eps=2).fit(X), X)
    assert to_hex(display.points_.get_facecolors()[-1]) not in LIGHT
    model = AgglomerativeClustering(2).fit(X)
    display = KMeansDisplay.from_estimator(model, X)
    means = [X[model.labels_ == c].mean(axis=0) for c in range(2)]
    np.testing.assert_allclose(display.centers_.get_offsets(), means)


def test_sparse_rows(groups):
    X, labels = groups
    for columns in (X, np.hstack([X, X])):
        dense = KMeansDisplay.from_predictions(columns, labels)
        sparse = KMeansDisplay.from_predictions(csr_array(columns), labels)
        np.testing.assert_allclose(np.abs(sparse.points_.get_offsets()), np.abs(dense.points_.get_offsets()), atol=1e-6)
        np.testing.assert_allclose(
            np.abs(sparse.centers_.get_offsets()), np.abs(dense.centers_.get_offsets()), atol=1e-6
        )


def test_large_tables_are_thinned_out_and_that_is_said(groups):
    X, labels = groups
    display = KMeansDisplay.from_predictions(X, labels, max_points=50)
    assert len(display.points_.get_offsets()) == 50
    assert "50 of 120 rows drawn" in [text.get_text() for text in display.ax_.texts]
    again = KMeansDisplay.from_predictions(X, labels, max_points=50)
    np.testing.assert_array_equal(again.points_.get_offsets(), display.points_.get_offsets())
    few = KMeansDisplay.from_predictions(X, labels, max_points=1)
    assert len(few.centers_.get_offsets()) == 3 and len(few.texts_) == 3


def test_many_clusters_have_no_numbers_and_colours_come_again():
    X = np.random.default_rng(0).normal(size=(300, 2))
    display = KMeansDisplay.from_predictions(X, np.arange(300) % 70)
    assert display.texts_ == [] and len(display.centers_.get_offsets()) == 70


def test_bad_input_is_refused_in_words(groups):
    X, labels = groups
    with pytest.raises(ValueError, match="X has one column"):
        KMeansDisplay.from_predictions(X[:, :1], labels)
    with pytest.raises(ValueError, match="labels has shape"):
        KMeansDisplay.from_predictions(X, labels[:5])
    with pytest.raises(ValueError, match=r"columns=\(0, 5\): give 2 different of the 2 columns"):
        KMeansDisplay.from_predictions(X, labels, columns=(0, 5))
    with pytest.raises(ValueError, match="max_points=0"):
        KMeansDisplay.from_predictions(X, labels, max_points=0)
    with pytest.raises(TypeError, match="neither labels_ nor predict"):
        KMeansDisplay.from_estimator(object(), X)
    with pytest.raises(ValueError, match="give the rows of the fit"):
        KMeansDisplay.from_estimator(DBSCAN().fit(X), X[:7])
    with pytest.raises(TypeError, match="X is a str; figures take tables in memory"):
        KMeansDisplay.from_predictions("table.csv", labels)
    with pytest.raises(TypeError, match="ax is a str"):
        KMeansDisplay.from_predictions(X, labels, ax="here")
