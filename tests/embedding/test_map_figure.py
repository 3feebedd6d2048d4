"""The pictures are well-formed, have a cell a node in the right place, and colours that follow the values."""

from xml.etree import ElementTree

import numpy as np
import pandas
import pytest

from unmix.embedding import SelfOrganizingMap, draw_component_planes, draw_u_matrix

SVG = "{http://www.w3.org/2000/svg}"
X = pandas.DataFrame(np.random.default_rng(0).normal(size=(80, 3)), columns=["a", "b <c>", "d"])


def fitted(**options):
    return SelfOrganizingMap(**{"shape": (3, 4), "n_epochs": 3, "random_state": 0, **options}).fit(X)


def cells(figure):
    return list(ElementTree.fromstring(figure.svg).iter(f"{SVG}polygon"))


@pytest.mark.parametrize("topology, corners", [("rectangular", 4), ("hexagonal", 6)])
def test_u_matrix_has_a_cell_a_node_and_neighbours_touch(topology, corners):
    drawn = cells(draw_u_matrix(fitted(topology=topology)))
    points = [np.array([p.split(",") for p in cell.get("points").split()], float) for cell in drawn]
    assert len(drawn) == 12 and all(len(p) == corners for p in points)
    shared = [np.isclose(points[0][:, None], other).all(axis=2).sum() for other in points[1:]]
    assert shared[0] == 2 and shared[3] == 2 and max(shared[5:]) == 0  # right, below, and none far away


def test_brightest_and_darkest_cells_are_the_largest_and_smallest_values():
    model = fitted()
    drawn, values = cells(draw_u_matrix(model)), model.u_matrix().ravel()
    assert drawn[values.argmax()].get("fill") == "#fde725" and drawn[values.argmin()].get("fill") == "#440154"
    assert float(drawn[5].find(f"{SVG}title").text) == pytest.approx(values[5], rel=1e-3)


def test_component_planes_by_number_and_name(tmp_path):
    figure = draw_component_planes(fitted())
    assert len(cells(figure)) == 36 and "b &lt;c&gt;" in figure.svg
    assert draw_component_planes(fitted(), ["d", 0]).svg.count("<g ") == 2
    figure.save(tmp_path / "planes.svg")
    assert (tmp_path / "planes.svg").read_text() == figure._repr_svg_()
    for wrong in (["x"], [3], []):
        with pytest.raises(ValueError, match="columns"):
            draw_component_planes(fitted(), wrong)


def test_a_line_and_a_constant_are_drawn():
    assert len(cells(draw_u_matrix(fitted(shape=5)))) == 5
    constant = SelfOrganizingMap((2, 2)).fit(np.ones((4, 2)))
    assert {cell.get("fill") for cell in cells(draw_u_matrix(constant))} == {"#440154"}
