"""Planes of a self-organising map: nodes as squares or hexagons, coloured by a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.plot.style import FONT, SHADES, open_axes, pyplot
from unmix.plot.table import column_names, column_numbers


class MapDisplay:
    """The U-matrix of a self-organising map, its component planes, or how many rows are at each node.

    In the U-matrix bright ridges divide groups of nodes that are alike; a component plane shows the value of a column
    at every node. `unmix.embedding.draw_u_matrix` makes such pictures as SVG without matplotlib. Make it with
    `from_estimator`.

    Parameters
    ----------
    planes : array of shape (m, k)
        A value of every node for each panel.
    grid : array of shape (k, 1) or (k, 2)
        Where the nodes are: row and column, a step between neighbours.
    titles : list of str
    hexagonal : bool, default=False
    hits : array of shape (k,), optional
        Rows at each node, drawn as dots of that area.

    Attributes
    ----------
    axes_ : list of matplotlib axes
        One for each panel.
    ax_, figure_ : the first of them, and the figure
    cells_ : list of PolyCollection
    color_bars_ : list of Colorbar
    hits_ : list of PathCollection

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import SelfOrganizingMap
    >>> from unmix.plot import MapDisplay
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> model = SelfOrganizingMap((4, 5), topology="hexagonal", random_state=0).fit(X)
    >>> len(MapDisplay.from_estimator(model, planes="columns").axes_)
    3
    """

    def __init__(self, planes, grid, titles, *, hexagonal=False, hits=None):
        self.grid = np.asarray(grid, np.float64)
        self.planes = np.atleast_2d(np.asarray(planes, np.float64))
        self.titles = list(titles)
        self.hexagonal = bool(hexagonal) and self.grid.shape[1] == 2
        self.hits = None if hits is None else np.asarray(hits, np.float64)
        if self.planes.shape != (len(self.titles), len(self.grid)):
            expected = (len(self.titles), len(self.grid))
            raise ValueError(f"planes has shape {self.planes.shape}; give {expected}, a row for each title")

    @classmethod
    def from_estimator(cls, estimator, X=None, *, planes=None, columns=None, ax=None, **kwargs):
        """Draw a fitted map.

        Parameters
        ----------
        estimator : SelfOrganizingMap or PairwiseSOM
        X : array or data frame of shape (n, d), optional
            Rows whose number at each node is drawn as dots.
        planes : {"u_matrix", "columns", "counts"}, optional
            Distances between neighbouring nodes, the values of the columns, or the numbers of rows of the fit. By
            default the first, or the last for a map of dissimilarities, whose nodes have no place in the data.
        columns : list of int or str, optional
            Which columns for ``planes="columns"``; all by default.
        ax : matplotlib axes, or a list of them, optional
            One for each panel.
        **kwargs : for the cells (PolyCollection)

        Returns
        -------
        MapDisplay
        """
        if not hasattr(estimator, "grid_"):
            raise TypeError(f"{type(estimator).__name__} has no grid_; fit a SelfOrganizingMap")
        if planes is None:
            planes = "u_matrix" if hasattr(estimator, "u_matrix") and columns is None else "columns"
            planes = planes if hasattr(estimator, "cluster_centers_") else "counts"
        values, titles = _values(estimator, planes, columns)
        hits = None if X is None else np.bincount(estimator.predict(X), minlength=len(estimator.grid_))
        hexagonal = getattr(estimator, "topology", "rectangular") == "hexagonal"
        return cls(values, estimator.grid_, titles, hexagonal=hexagonal, hits=hits).plot(ax, **kwargs)

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, one for each panel, or into a new figure; ``kwargs`` go to the cells."""
        self.axes_ = self._open(ax)
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].get_figure()
        self.cells_, self.color_bars_, self.hits_ = [], [], []
        for ax, values, title in zip(self.axes_, self.planes, self.titles):
            self._panel(ax, values, title, kwargs)
        return self

    def _open(self, ax) -> list[Any]:
        n = len(self.planes)
        if ax is None and n > 1:
            across = int(np.ceil(np.sqrt(n)))
            size = (2.4 * across, 2.1 * -(-n // across))
            figure, axes = pyplot().subplots(-(-n // across), across, figsize=size, squeeze=False, layout="constrained")
            for spare in axes.ravel()[n:]:
                figure.delaxes(spare)
            return list(axes.ravel()[:n])
        axes = [open_axes(one)[1] for one in ([None] if ax is None else np.atleast_1d(np.asarray(ax, object)).ravel())]
        if len(axes) != n:
            raise ValueError(f"ax holds {len(axes)} axes; give one for each of the {n} panels")
        return axes

    def _panel(self, ax, values, title, kwargs):
        from matplotlib.collections import PolyCollection

        across, down = self.grid[:, -1], self.grid[:, 0] if self.grid.shape[1] == 2 else np.zeros(len(self.grid))
        middles = np.column_stack([across, down])
        shapes = middles[:, None] + _corners(self.hexagonal)
        cells = PolyCollection(
            shapes, array=values, **{"cmap": SHADES, "edgecolors": "face", "linewidths": 0.4} | kwargs
        )
        ax.add_collection(cells)
        ax.set_aspect("equal")
        reach = np.abs(_corners(self.hexagonal)).max(axis=0)
        ax.set_xlim(across.min() - reach[0], across.max() + reach[0])
        ax.set_ylim(down.max() + reach[1], down.min() - reach[1])  # the first row of the grid on top
        ax.set_axis_off()
        ax.set_title(title, fontsize=9, loc="left")
        bar = ax.get_figure().colorbar(cells, ax=ax, shrink=0.7, aspect=18, pad=0.02)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=FONT)
        self.cells_.append(cells)
        self.color_bars_.append(bar)
        if self.hits is not None:
            self.hits_.append(self._draw_hits(ax, middles))

    def _draw_hits(self, ax, middles):
        there = self.hits > 0
        area = 60.0 * self.hits[there] / max(self.hits.max(), 1)
        style = {"facecolor": "white", "edgecolor": "#1b1f26", "linewidths": 0.4, "zorder": 3}
        return ax.scatter(*middles[there].T, s=area, **style)


def _corners(hexagonal: bool) -> np.ndarray:
    """Of a cell around its middle; flat sides are one step apart."""
    if hexagonal:
        turn = np.pi / 6 + np.pi / 3 * np.arange(6)
        return np.column_stack([np.cos(turn), np.sin(turn)]) / np.sqrt(3)
    return np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def _values(estimator: Any, planes: Any, columns: Any) -> tuple[np.ndarray, list[str]]:
    if planes not in ("u_matrix", "columns", "counts"):
        raise ValueError(f"planes={planes!r}: give 'u_matrix', 'columns' or 'counts'")
    k = len(estimator.grid_)
    if planes == "counts":
        return np.bincount(estimator.labels_, minlength=k)[None], ["rows at the node"]
    if not hasattr(estimator, "cluster_centers_"):
        raise ValueError(f"planes={planes!r}: nodes of {type(estimator).__name__} have no place; give 'counts'")
    if planes == "u_matrix":
        return estimator.u_matrix().reshape(1, k), ["distance to neighbours"]
    names = column_names(None, estimator, estimator.n_features_in_)
    every = range(len(names))
    numbers = every if columns is None else column_numbers(columns, names, range(1, len(names) + 1))
    return estimator.cluster_centers_[:, list(numbers)].T, [names[j] for j in numbers]
