"""A density over the rows it was fitted to: a curve in one dimension, regions of equal mass in two."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.arguments import whole_number
from unmix.plot.components import components_of
from unmix.plot.mass_levels import Grid, density_grid, mass_heights
from unmix.plot.style import FONT, accent, dot_size, muted, note, open_axes, outline, style_axes
from unmix.plot.table import (
    MOST_POINTS,
    column_names,
    column_numbers,
    dense_columns,
    drawn_rows,
    read_table,
    row_note,
    unnamed,
)

GRID = {1: 1001, 2: 161}  # points along an axis


class Turned(NamedTuple):
    """All columns of a model, in the order shown."""

    model: Any
    order: np.ndarray

    def score_samples(self, places: np.ndarray) -> Any:
        return self.model.score_samples(places[:, self.order])


class DensityDisplay:
    """The density of a model with ``score_samples``.

    One column: the curve over a histogram and a rug of the rows. Two: the smallest regions that hold given shares of
    the mass, over the rows. Of more columns one or two are shown where the model can be marginalised exactly: Gaussians
    and their mixtures, and models with a method ``marginal(columns)``. Make it with `from_estimator`.

    Parameters
    ----------
    axes : list of one or two arrays of shape (m,)
        Places along the axes.
    density : array of shape (m,) or (m, m)
        At those places, the first axis first.
    points : array of shape (n, 1) or (n, 2)
    levels : tuple of float, default=(0.5, 0.8, 0.95)
        Shares of the mass, for two dimensions.
    axis_names : list of str
    remark : str
        Stands above the figure.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    line_, bars_, rug_ : Line2D, Polygon and LineCollection; one dimension
    contours_, fill_, points_, texts_ : QuadContourSet, QuadContourSet, PathCollection, list of Text; two dimensions
    levels_, heights_ : arrays
        Shares of the mass from the largest down, and the density at the rims of their regions; two dimensions. Where
        one terrace of a step-wise density answers several shares, the largest.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import Gaussian
    >>> from unmix.plot import DensityDisplay
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> display = DensityDisplay.from_estimator(Gaussian().fit(X), X)
    >>> len(display.contours_.levels)
    3
    """

    def __init__(self, axes, density, points, *, levels=(0.5, 0.8, 0.95), axis_names=("", ""), remark=""):
        self.axes = [np.asarray(axis, np.float64) for axis in axes]
        self.density = np.asarray(density, np.float64)
        self.points = np.asarray(points, np.float64)
        self.levels = _checked_levels(levels)
        self.axis_names = axis_names
        self.remark = remark

    @classmethod
    def from_estimator(
        cls, estimator, X, *, columns=None, levels=(0.5, 0.8, 0.95), grid_size=None, max_points=MOST_POINTS,
        random_state=0, ax=None, **kwargs,
    ):  # fmt: skip
        """Draw a fitted density.

        Parameters
        ----------
        estimator : object with ``score_samples``
            scikit-learn's densities as well as unmix's.
        X : array or data frame of shape (n, d)
            Rows to show, and around which the density is looked at.
        columns : int, str, or one or two of them, optional
            Which columns to show; needed for more than two.
        levels : tuple of float, default=(0.5, 0.8, 0.95)
            Shares of the mass.
        grid_size : int, optional
            Places along an axis at which the density is computed: 1001 in one dimension, 161 in two.
        max_points : int, default=5000
            Larger tables: so many rows drawn at random, which is said above the figure.
        random_state : int, RandomState or None, default=0
        ax : matplotlib axes, optional
        **kwargs : for the curve (``ax.plot``), or for the rows (``ax.scatter``) in two dimensions

        Returns
        -------
        DensityDisplay
        """
        if not hasattr(estimator, "score_samples"):
            raise TypeError(f"{type(estimator).__name__} has no score_samples; DensityDisplay draws fitted densities")
        if hasattr(estimator, "categories_"):
            raise TypeError(f"{type(estimator).__name__} has probabilities of categories; nothing lies between them")
        levels = _checked_levels(levels)
        table = read_table(X, allow_nan=True)
        names = column_names(X, estimator, table.shape[1])
        numbers = _chosen(columns, names)
        model = _marginal(estimator, numbers, len(names))
        points = dense_columns(table, numbers)
        points = points[np.isfinite(points).all(axis=1)]
        if not len(points):
            raise ValueError("every row misses a value in the columns shown; choose other columns")
        with unnamed():
            grid = density_grid(model.score_samples, points, _grid_size(grid_size, len(numbers)))
        drawn = drawn_rows(len(points), max_points, random_state)
        return cls(
            grid.axes, grid.density, points[drawn], levels=levels, axis_names=[names[j] for j in numbers],
            remark=row_note(len(drawn), table.shape[0]),
        ).plot(ax, **kwargs)  # fmt: skip

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to the curve, or to the rows in two dimensions."""
        self.figure_, self.ax_ = open_axes(ax)
        if self.density.ndim == 1:
            self._draw_curve(self.ax_, kwargs)
        else:
            self._draw_regions(self.ax_, kwargs)
        if self.remark:
            note(self.ax_, self.remark)
        return self

    def _draw_curve(self, ax, kwargs):
        values = self.points[:, 0]
        self.bars_ = ax.hist(
            values, bins="auto", density=True, histtype="stepfilled", color=muted(ax), alpha=0.3, linewidth=0
        )[2][0]
        self.line_ = ax.plot(self.axes[0], self.density, **{"color": accent(ax), "linewidth": 1.8} | kwargs)[0]
        top = max(ax.get_ylim()[1], 1.05 * float(self.density.max()))
        self.rug_ = ax.vlines(
            values, -0.045 * top, -0.015 * top, color=muted(ax), linewidth=0.5 if len(values) > 100 else 1.0
        )
        ax.set_ylim(-0.06 * top, top)
        style_axes(ax, self.axis_names[0], "density")

    def _draw_regions(self, ax, kwargs):
        from matplotlib.colors import to_rgba

        heights = mass_heights(Grid(self.axes, self.density), self.levels)
        rising = np.append(True, np.diff(heights) > 0)  # terraces of a step-wise density answer several shares at once
        self.levels_, self.heights_ = np.array(self.levels)[rising], heights[rising]
        color, (x, y), values = accent(ax), self.axes, self.density.T
        tints = [to_rgba(color, 0.12 + 0.14 * i) for i in range(len(self.heights_))]
        edges = [*self.heights_, max(float(self.density.max()), self.heights_[-1]) * (1 + 1e-9)]
        self.fill_ = ax.contourf(x, y, values, levels=edges, colors=tints, zorder=0)
        options = {"s": dot_size(len(self.points)), "color": muted(ax), "linewidths": 0, "alpha": 0.6, "zorder": 1}
        self.points_ = ax.scatter(*self.points.T, **options | kwargs)
        self.contours_ = ax.contour(x, y, values, levels=self.heights_, colors=[color], linewidths=1.2, zorder=2)
        self.texts_ = _label(ax, self, color)
        _frame(ax, self)
        style_axes(ax, *self.axis_names)


def _label(ax: Any, display: DensityDisplay, color: Any) -> list[Any]:
    """The share of every level, written once on one of its rims, each as far from the others as can be."""
    extent = np.array([np.ptp(axis) for axis in display.axes])
    placed: list[np.ndarray] = []
    texts = []
    for level, segments in zip(display.levels_, display.contours_.allsegs):
        rims = np.concatenate([np.empty((0, 2)), *segments])
        if not len(rims):  # a region smaller than a cell of the grid
            continue
        away = [np.linalg.norm((rims - at) / extent, axis=1) for at in placed] or [rims[:, 1]]
        placed.append(rims[np.min(away, axis=0).argmax()])
        style = {"fontsize": FONT, "ha": "center", "va": "center", "color": color, "path_effects": outline(ax)}
        texts.append(ax.text(*placed[-1], f"{100 * level:.3g} %", zorder=3, **style))
    return texts


def _frame(ax: Any, display: DensityDisplay) -> None:
    """The box shows rows and the outermost region, not the whole grid, which may have been widened far."""
    inside = display.density >= display.heights_[0]
    for axis, points, other, limit in zip(display.axes, display.points.T, (1, 0), (ax.set_xlim, ax.set_ylim)):
        held = axis[inside.any(axis=other)]
        low, high = min(points.min(), held[0]), max(points.max(), held[-1])
        limit(low - 0.04 * (high - low), high + 0.04 * (high - low))


def _checked_levels(levels: Any) -> tuple[float, ...]:
    """From the largest share down, as heights rise."""
    given = sorted({float(level) for level in np.atleast_1d(np.asarray(levels, np.float64))}, reverse=True)
    if not given or not all(0 < level < 1 for level in given):
        raise ValueError(f"levels={levels!r}: give shares of the mass between 0 and 1, such as (0.5, 0.8, 0.95)")
    return tuple(given)


def _grid_size(size: Any, d: int) -> int:
    if size is None:
        return GRID[d]
    return whole_number("grid_size", size, 10)


def _chosen(columns: Any, names: list[str]) -> list[int]:
    if columns is not None:
        return column_numbers(columns, names, (1, 2))
    if len(names) > 2:
        raise ValueError(f"X has {len(names)} columns and a figure shows one or two; choose them by columns=(0, 1)")
    return list(range(len(names)))


def _marginal(estimator: Any, numbers: list[int], d: int) -> Any:
    """The density of the chosen columns alone."""
    if len(numbers) == d:
        return Turned(estimator, np.argsort(numbers))
    if hasattr(estimator, "marginal"):
        return estimator.marginal(numbers)
    found = components_of(estimator)
    if found is None:
        raise ValueError(
            f"{type(estimator).__name__} of {d} columns cannot be reduced to columns {numbers} alone; fit it to those "
            f"columns, X[:, {numbers}], and draw that"
        )
    return found.marginal(numbers)
