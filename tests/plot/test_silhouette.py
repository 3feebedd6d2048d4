"""Silhouette figures against scikit-learn's own widths."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN
from sklearn.metrics import silhouette_samples

from unmix.cluster import KMeans
from unmix.plot import SilhouetteDisplay


def drawn_widths(bars):
    """One width a row, read off the corners of the bars from the top down."""
    corners = bars.get_paths()[0].vertices
    edges = np.unique(corners[:, 1])
    middles = (edges[1:] + edges[:-1]) / 2
    sides = [
        corners[:-1][np.isclose(corners[:-1, 0], corners[1:, 0])],
        corners[1:][np.isclose(corners[:-1, 0], corners[1:, 0])],
    ]
    widths = []
    for middle in middles:
        spans = [(a[0]) for a, b in zip(*sides) if min(a[1], b[1]) < middle < max(a[1], b[1])]
        widths.append(max(spans, key=abs))
    return np.array(widths)


def test_bars_are_the_sorted_silhouettes_of_each_cluster(groups, ax):
    X, _ = groups
    X = X * 0.4  # near enough for negative ones
    model = KMeans(3, random_state=0).fit(X)
    exact = silhouette_samples(X, model.labels_)
    display = SilhouetteDisplay.from_estimator(model, X, ax=ax)
    assert display.ax_ is ax
    np.testing.assert_allclose(display.widths, exact, atol=1e-9)
    for c, bars in enumerate(display.bars_):
        np.testing.assert_allclose(drawn_widths(bars), np.sort(exact[model.labels_ == c])[::-1], atol=1e-9)
    np.testing.assert_allclose(display.mean_.get_xdata(), exact.mean())
    assert display.texts_[-1].get_text() == f"mean {exact.mean():.2f}"
    assert (
        display.texts_[0].get_text()
        == f"0  ({(model.labels_ == 0).sum()} rows, {exact[model.labels_ == 0].mean():.2f})"
    )


def test_given_labels_and_dissimilarities(groups):
    X, labels = groups
    exact = silhouette_samples(X, labels)
    names = np.array(["a", "b", "c"])[labels]
    np.testing.assert_allclose(SilhouetteDisplay.from_predictions(X, names).widths, exact)
    D = cdist(X, X)
    np.testing.assert_allclose(SilhouetteDisplay.from_predictions(D, names, metric="precomputed").widths, exact)


def test_rows_left_out_take_no_part(groups):
    X, _ = groups
    X = np.vstack([X, [[40.0, 40.0]]])
    model = DBSCAN(eps=1.2).fit(X)
    kept = model.labels_ >= 0
    display = SilhouetteDisplay.from_estimator(model, X)
    np.testing.assert_allclose(display.widths[kept], silhouette_samples(X[kept], model.labels_[kept]))
    assert np.isnan(display.widths[~kept]).all() and len(display.bars_) == model.labels_.max() + 1


def test_large_tables_are_sampled_and_that_is_said(groups):
    X, labels = groups
    exact = silhouette_samples(X, labels)
    display = SilhouetteDisplay.from_predictions(X, labels, max_rows=30)
    seen = np.isfinite(display.widths)
    assert seen.sum() == 30
    np.testing.assert_allclose(display.widths[seen], exact[seen])  # each compared with all rows, not with the sample
    assert "30 of 120 rows drawn" in [text.get_text() for text in display.ax_.texts]


def test_bad_input_is_refused_in_words(groups):
    X, labels = groups
    with pytest.raises(ValueError, match="two or more clusters"):
        SilhouetteDisplay.from_predictions(X, np.zeros(len(X), int))
    with pytest.raises(ValueError, match="labels has shape"):
        SilhouetteDisplay.from_predictions(X, labels[1:])
    with pytest.raises(ValueError, match="max_rows=0"):
        SilhouetteDisplay.from_predictions(X, labels, max_rows=0)
    with pytest.raises(ValueError, match="metric='cosine'"):
        SilhouetteDisplay.from_predictions(X, labels, metric="cosine")
    with pytest.raises(TypeError, match="neither labels_ nor predict"):
        SilhouetteDisplay.from_estimator(object(), X)
