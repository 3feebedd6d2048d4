"""Pictures of a self-organising map as SVG: nodes as squares or hexagons, coloured by a value.

They need no plotting library, show themselves in a notebook, and are saved as text.
"""

from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unmix.core.storage.archive import replacing

CELL, TITLE, BAR = 14.0, 22.0, 30.0  # units: a grid step, the line of the title, the legend below
COLORS = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]  # dark to bright, equal steps


class Figure(NamedTuple):
    """An SVG; `save` writes it, a notebook shows it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        with replacing(path) as file:
            file.write(self.svg.encode("utf-8"))


def draw_u_matrix(model) -> Figure:
    """The U-matrix of a fitted `SelfOrganizingMap`: bright ridges divide groups of nodes that are alike."""
    check_is_fitted(model)
    return _arrange([_panel(model, "distance to neighbours", model.u_matrix().ravel())], 1)


def draw_component_planes(model, columns=None) -> Figure:
    """One map a column of the data, coloured by its value at every node.

    Parameters
    ----------
    model : SelfOrganizingMap
        A fitted map.
    columns : list of int or str, optional
        Which columns, by number or name; all of them by default.
    """
    check_is_fitted(model)
    names = [str(name) for name in getattr(model, "feature_names_in_", range(model.n_features_in_))]
    if columns is None:
        columns = range(model.n_features_in_)
    numbers = [_column(column, names) for column in columns]
    if not numbers:
        raise ValueError("columns is empty: name at least one column, or leave it out for all")
    panels = [_panel(model, names[j], model.cluster_centers_[:, j]) for j in numbers]
    return _arrange(panels, int(np.ceil(np.sqrt(len(panels)))))


def _column(column, names: list[str]) -> int:
    if isinstance(column, str):
        if column in names:
            return names.index(column)
    elif 0 <= column < len(names):
        return int(column)
    raise ValueError(f"columns names {column!r}; the map has {', '.join(names)}")


class Panel(NamedTuple):
    width: float
    height: float
    content: str


def _panel(model, title: str, values: np.ndarray) -> Panel:
    """One map with its title and the range of its colours."""
    values = np.asarray(values, np.float64)
    low, high = float(values.min()), float(values.max())
    shades = (values / 2 - low / 2) / (high / 2 - low / 2) if high > low else np.zeros_like(values)  # halves: 1e308
    places = _places(np.asarray(model.grid_, np.float64))
    corners = _corners(model.topology == "hexagonal" and model.grid_.shape[1] == 2)
    width = max(float(places[:, 0].max()) + 1.5 * CELL, 140.0)
    bottom = float(places[:, 1].max()) + 2 * CELL + TITLE
    cells = "".join(_cell(place, corners, shade, value) for place, shade, value in zip(places, shades, values))
    bar = "".join(
        f'<rect x="{CELL + i * 100 / 20:.1f}" y="{bottom:.1f}" width="5.5" height="7" fill="{_color(i / 19)}"/>'
        for i in range(20)
    )
    ends = f'<text x="{CELL}" y="{bottom + 18:.1f}">{low:.3g}</text>'
    ends += f'<text x="{CELL + 100}" y="{bottom + 18:.1f}" text-anchor="end">{high:.3g}</text>'
    head = f'<text x="{CELL / 2}" y="15" font-size="12">{escape(title)}</text>'
    return Panel(width, bottom + BAR, head + cells + bar + ends)


def _places(grid: np.ndarray) -> np.ndarray:
    """Middles (k, 2) of the cells on the page: across by column, down by row."""
    across, down = grid[:, -1], grid[:, 0] if grid.shape[1] == 2 else np.zeros(len(grid))
    return CELL * np.column_stack([across + 1, down + 1])


def _corners(hexagonal: bool) -> np.ndarray:
    """Of a cell around its middle; a hexagon's flat sides are one step apart."""
    if hexagonal:
        turn = np.pi / 6 + np.pi / 3 * np.arange(6)
        return CELL / np.sqrt(3) * np.column_stack([np.cos(turn), np.sin(turn)])
    return CELL / 2 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def _cell(place: np.ndarray, corners: np.ndarray, shade: float, value: float) -> str:
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in place + corners + [0.0, TITLE])
    color = _color(shade)
    return f'<polygon points="{points}" fill="{color}" stroke="{color}"><title>{value:.4g}</title></polygon>'


def _color(share: float) -> str:
    at = float(share) * (len(COLORS) - 1)
    i = min(int(at), len(COLORS) - 2)
    mixed = (round(a + (b - a) * (at - i)) for a, b in zip(COLORS[i], COLORS[i + 1]))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _arrange(panels: list[Panel], across: int) -> Figure:
    width, height = panels[0].width, panels[0].height
    placed = "".join(
        f'<g transform="translate({width * (i % across):.1f} {height * (i // across):.1f})">{panel.content}</g>'
        for i, panel in enumerate(panels)
    )
    whole = (width * min(across, len(panels)), height * -(-len(panels) // across))
    return Figure(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole[0]:.0f}" height="{whole[1]:.0f}" '
        f'viewBox="0 0 {whole[0]:.1f} {whole[1]:.1f}" font-family="sans-serif" font-size="10" role="img">'
        f'<rect width="100%" height="100%" fill="#fff"/>{placed}</svg>'
    )
