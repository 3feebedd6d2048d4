"""Map figures: a cell for every node where the grid has it, with its value."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from unmix.embedding import PairwiseSOM, SelfOrganizingMap
from unmix.plot import MapDisplay


@pytest.fixture(scope="module", params=["rectangular", "hexagonal"])
def fitted(request):
    X = np.random.default_rng(0).normal(size=(200, 3))
    return X, SelfOrganizingMap((4, 6), topology=request.param, n_epochs=5, random_state=0).fit(X)


def area(polygon):
    x, y = polygon.T
    return 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def test_cells_tile_the_grid_and_carry_the_u_matrix(fitted, ax):
    _, model = fitted
    display = MapDisplay.from_estimator(model, ax=ax)
    assert display.ax_ is ax and display.axes_ == [ax]
    cells = display.cells_[0]
    np.testing.assert_allclose(cells.get_array(), model.u_matrix().ravel())
    polygons = [path.vertices[:-1] for path in cells.get_paths()]
    np.testing.assert_allclose([corners.mean(axis=0) for corners in polygons], model.grid_[:, ::-1], atol=1e-9)
    step = 1.0 if model.topology == "rectangular" else np.sqrt(0.75)  # of rows; one times it is the area of a cell
    np.testing.assert_allclose([area(corners) for corners in polygons], step)
    assert {len(corners) for corners in polygons} == {4 if model.topology == "rectangular" else 6}
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first row of the grid on top


def test_one_panel_a_column(fitted):
    _, model = fitted
    display = MapDisplay.from_estimator(model, planes="columns")
    assert [ax.get_title(loc="left") for ax in display.axes_] == ["column 0", "column 1", "column 2"]
    for j, cells in enumerate(display.cells_):
        np.testing.assert_allclose(cells.get_array(), model.component_planes()[j].ravel())
    chosen = MapDisplay.from_estimator(model, columns=[2])
    np.testing.assert_allclose(chosen.cells_[0].get_array(), model.cluster_centers_[:, 2])
    _, axes = plt.subplots(1, 2)
    both = MapDisplay.from_estimator(model, columns=[2, 0], ax=axes)
    assert both.axes_ == list(axes)


def test_dots_are_as_large_as_the_rows_are_many(fitted):
    X, model = fitted
    display = MapDisplay.from_estimator(model, X)
    counts = np.bincount(model.labels_, minlength=24)
    there = counts > 0
    np.testing.assert_allclose(display.hits_[0].get_offsets(), model.grid_[there][:, ::-1])
    sizes = display.hits_[0].get_sizes()
    np.testing.assert_allclose(sizes / sizes.max(), counts[there] / counts.max())


def test_a_line_of_nodes_and_a_map_of_dissimilarities():
    X = np.linspace(0, 1, 60)[:, None] * [1.0, 2.0]
    line = MapDisplay.from_estimator(SelfOrganizingMap(6, random_state=0).fit(X))
    assert len(line.cells_[0].get_paths()) == 6
    model = PairwiseSOM((2, 3), random_state=0, n_steps=5).fit(X)
    display = MapDisplay.from_estimator(model)
    np.testing.assert_array_equal(display.cells_[0].get_array(), np.bincount(model.labels_, minlength=6))
    with pytest.raises(ValueError, match="give 'counts'"):
        MapDisplay.from_estimator(model, planes="u_matrix")


def test_bad_input_is_refused_in_words(fitted):
    _, model = fitted
    with pytest.raises(TypeError, match="has no grid_"):
        MapDisplay.from_estimator(object())
    with pytest.raises(ValueError, match="planes='umatrix'"):
        MapDisplay.from_estimator(model, planes="umatrix")
    with pytest.raises(ValueError, match=r"columns=\[7\]"):
        MapDisplay.from_estimator(model, columns=[7])
    with pytest.raises(ValueError, match="ax holds 1 axes; give one for each of the 3 panels"):
        MapDisplay.from_estimator(model, planes="columns", ax=plt.subplots()[1])
    with pytest.raises(ValueError, match="planes has shape"):
        MapDisplay(np.zeros((2, 24)), model.grid_, ["one"])
