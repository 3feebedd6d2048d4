"""Maps: drawn places and colours are those of the embedding, thumbnails do not cover each other."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, Isomap

from unmix.embedding import LocallyLinearEmbedding
from unmix.plot import EmbeddingDisplay
from unmix.plot.style import LIGHT


@pytest.fixture(scope="module")
def sheet():
    t, height = np.random.default_rng(0).uniform(0, 4, (2, 150))
    X = np.column_stack([np.cos(t), np.sin(t), height])
    return X, LocallyLinearEmbedding(3, n_neighbors=10).fit(X)


def test_the_map_of_the_fit_is_coloured_by_its_distortion(sheet, ax):
    X, model = sheet
    display = EmbeddingDisplay.from_estimator(model, ax=ax)
    assert display.ax_ is ax
    np.testing.assert_array_equal(display.points_.get_offsets(), model.embedding_[:, :2])
    np.testing.assert_array_equal(display.points_.get_array(), model.distortion_)
    assert display.color_bar_.ax.get_ylabel() == "share of false neighbours"
    placed = EmbeddingDisplay.from_estimator(model, X, columns=(2, 0))
    np.testing.assert_allclose(placed.points_.get_offsets(), model.embedding_[:, [2, 0]], atol=1e-9)
    assert placed.ax_.get_xlabel() == "coordinate 3"


def test_new_rows_are_placed_by_transform(sheet):
    X, model = sheet
    display = EmbeddingDisplay.from_estimator(model, X[:20] + 0.01)
    np.testing.assert_allclose(display.points_.get_offsets(), model.transform(X[:20] + 0.01)[:, :2])
    assert display.color_bar_ is None  # the distortion is that of other rows


def test_other_embeddings(sheet):
    X, _ = sheet
    for model in (PCA(2), Isomap(n_neighbors=8)):
        display = EmbeddingDisplay.from_estimator(model.fit(X), X)
        np.testing.assert_allclose(display.points_.get_offsets(), model.transform(X))
    model = TSNE(2, max_iter=250, init="random", random_state=0).fit(X[:60])
    np.testing.assert_array_equal(
        EmbeddingDisplay.from_estimator(model, X[:60]).points_.get_offsets(), model.embedding_
    )


def test_numbers_get_shades_and_groups_get_names(sheet):
    X, model = sheet
    shades = EmbeddingDisplay.from_estimator(model, values=X[:, 2], value_name="height")
    np.testing.assert_array_equal(shades.points_.get_array(), X[:, 2])
    assert shades.color_bar_.ax.get_ylabel() == "height"
    names = np.where(X[:, 2] > 2, "high", "low")
    groups = EmbeddingDisplay.from_estimator(model, values=names)
    assert [text.get_text() for text in groups.texts_] == ["high", "low"] and groups.color_bar_ is None
    colors = np.array([to_hex(color) for color in groups.points_.get_facecolors()])
    assert (colors == np.where(X[:, 2] > 2, LIGHT[0], LIGHT[1])).all()
    assert EmbeddingDisplay.from_estimator(model, values=np.arange(150) % 12).color_bar_ is None
    assert EmbeddingDisplay.from_estimator(model, values=np.arange(150)).color_bar_ is not None


@pytest.mark.parametrize("shape", [(8, 8), (6, 12), (12, 6, 3)])
def test_thumbnails_show_their_own_rows_and_do_not_overlap(sheet, ax, shape):
    _, model = sheet
    images = np.random.default_rng(0).uniform(size=(150, *shape))
    display = EmbeddingDisplay.from_estimator(model, images=images, n_images=100, ax=ax)
    rows = display.image_rows_
    assert 10 <= len(rows) < 100 and len(display.images_) == len(rows)  # as many as there is room for
    ax.figure.canvas.draw()
    boxes = [box.get_window_extent() for box in display.images_]
    for row, artist in zip(rows, display.images_):
        np.testing.assert_array_equal(artist.offsetbox.get_data(), images[row])
        np.testing.assert_allclose(artist.xy, model.embedding_[row, :2])
    wide = 0.09 * ax.get_window_extent().width
    for i, box in enumerate(boxes):
        assert box.width == pytest.approx(wide, abs=2.5)
        assert not any(box.shrunk(0.97, 0.97).overlaps(other) for other in boxes[:i])


def test_bad_input_is_refused_in_words(sheet):
    X, model = sheet
    with pytest.raises(TypeError, match="has no embedding_; give X"):
        EmbeddingDisplay.from_estimator(PCA(2).fit(X))
    with pytest.raises(TypeError, match="has no embedding_; give a fitted"):
        EmbeddingDisplay.from_estimator(object())
    with pytest.raises(ValueError, match="one coordinate"):
        EmbeddingDisplay.from_estimator(PCA(1).fit(X), X)
    with pytest.raises(ValueError, match="values has shape"):
        EmbeddingDisplay.from_estimator(model, values=[1, 2])
    with pytest.raises(ValueError, match="images has shape"):
        EmbeddingDisplay.from_estimator(model, images=np.zeros((150, 64)))
    with pytest.raises(ValueError, match="points has shape"):
        EmbeddingDisplay(X)
    tsne = TSNE(2, max_iter=250, init="random", random_state=0).fit(X[:40])
    with pytest.raises(ValueError, match="without transform, give X=None"):
        EmbeddingDisplay.from_estimator(tsne, X)
