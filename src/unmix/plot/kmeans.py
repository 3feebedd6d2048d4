"""Clusters in the plane: rows, centres and the borders between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.plot.cells import assigns_to_nearest, cell_borders
from unmix.plot.plane import project
from unmix.plot.style import FONT, background, dot_size, muted, note, open_axes, palette, style_axes, text_color
from unmix.plot.table import MOST_POINTS, checked_labels, drawn_rows, labels_for, read_table, row_note

MOST_CELLS = 200  # a finer net says nothing, and takes long
MOST_NUMBERED_CENTERS = 60  # centres beyond which numbers in them would cover the rows


class KMeansDisplay:
    """Rows in the plane coloured by cluster, with the centres and, for two columns, the borders of nearest centres.

    Tables of more than two columns are shown by two of them or by their first two principal components. There the
    borders are not drawn: cells of many dimensions overlap in the plane. They are left out too where rows do not
    go to the nearest centre, and beyond 200 clusters. Make it with `from_estimator`, for any clusterer, or with
    `from_predictions`.

    Parameters
    ----------
    points : array of shape (n, 2)
    labels : array of shape (n,)
        -1 for rows that belong to no cluster.
    centers : array of shape (k, 2), optional
        In the order of the sorted labels.
    borders : bool, default=False
        Draw the cells of nearest centres.
    axis_names : pair of str
    remark : str
        Stands above the figure.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    points_ : PathCollection
        The rows.
    centers_ : PathCollection or None
    borders_ : LineCollection or None
    texts_ : list of Text
        The numbers of the clusters.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import KMeans
    >>> from unmix.plot import KMeansDisplay
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0.0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> display = KMeansDisplay.from_estimator(KMeans(3, random_state=0).fit(X), X)
    >>> len(display.borders_.get_segments())
    3
    """

    def __init__(self, points, labels, *, centers=None, borders=False, axis_names=("", ""), remark=""):
        self.points = np.asarray(points, np.float64)
        self.label_names, self.labels = checked_labels(labels, len(self.points))
        self.centers = None if centers is None else np.asarray(centers, np.float64)
        if self.centers is not None and self.centers.ndim != 2:
            raise ValueError(f"centers has shape {self.centers.shape}; give one row for each cluster")
        self.borders = borders
        self.axis_names = axis_names
        self.remark = remark

    @classmethod
    def from_estimator(cls, estimator, X, *, columns=None, max_points=MOST_POINTS, random_state=0, ax=None, **kwargs):
        """Draw a fitted clusterer.

        Parameters
        ----------
        estimator : object with ``predict`` or ``labels_``
            Centres are its ``cluster_centers_`` or ``means_``, else the means of the rows.
        X : array, data frame or sparse matrix of shape (n, d)
        columns : pair of int or str, optional
            Which two columns to show; by default both of two, and principal components of more.
        max_points : int, default=5000
            Larger tables: so many rows drawn at random, which is said above the figure.
        random_state : int, RandomState or None, default=0
            For the choice of these rows.
        ax : matplotlib axes, optional
        **kwargs : for ``ax.scatter`` of the rows

        Returns
        -------
        KMeansDisplay
        """
        table = read_table(X)
        labels = labels_for(estimator, X, table.shape[0])
        centers = getattr(estimator, "cluster_centers_", getattr(estimator, "means_", None))
        options = {"columns": columns, "max_points": max_points, "random_state": random_state}
        return cls._make(table, X, labels, centers, estimator, **options).plot(ax, **kwargs)

    @classmethod
    def from_predictions(
        cls, X, labels, *, centers=None, columns=None, max_points=MOST_POINTS, random_state=0, ax=None, **kwargs
    ):
        """Draw given labels, with given centres (k, d) or the means of the clusters; the rest as `from_estimator`."""
        options = {"columns": columns, "max_points": max_points, "random_state": random_state}
        return cls._make(read_table(X), X, labels, centers, None, **options).plot(ax, **kwargs)

    @classmethod
    def _make(cls, table, X, labels, centers, estimator, *, columns, max_points, random_state):
        n = table.shape[0]
        names, places = checked_labels(labels, n)
        if centers is None or np.shape(centers)[1:] != (table.shape[1],):
            centers = _means(table, places, len(names))
        elif len(centers) != len(names) and names.dtype.kind in "iu" and len(names) and names.max() < len(centers):
            centers = np.asarray(centers)[names]  # clusters that hold none of these rows are not shown
        plane = project(table, X, estimator, columns)
        drawn = drawn_rows(n, max_points, random_state)
        placed, shown = plane.place(np.asarray(centers)), plane.points[drawn]
        known = places[drawn] >= 0
        borders = plane.whole and len(placed) == len(names) <= MOST_CELLS
        borders = borders and assigns_to_nearest(shown[known], placed, places[drawn][known])
        made = cls(shown, places[drawn], centers=placed, borders=borders, axis_names=plane.names)
        made.label_names, made.labels = names, places[drawn]  # of all rows: a cluster may have none among those drawn
        made.remark = row_note(len(drawn), n)
        return made

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to ``ax.scatter`` of the rows."""
        self.figure_, ax = open_axes(ax)
        self.ax_ = ax
        colors = np.array([*palette(ax, len(self.label_names)), muted(ax)])
        options = {"s": dot_size(len(self.points)), "linewidths": 0, "alpha": 0.75, "zorder": 2}
        self.points_ = ax.scatter(*self.points.T, c=colors[self.labels], **options | kwargs)
        style_axes(ax, *self.axis_names)
        self.borders_ = self._draw_borders(ax) if self.borders else None
        self.centers_, self.texts_ = None, []
        if self.centers is not None:
            self._draw_centers(ax, colors)
        if self.remark:
            note(ax, self.remark)
        return self

    def _draw_borders(self, ax):
        from matplotlib.collections import LineCollection

        (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
        low, high = np.array([left, bottom]), np.array([right, top])
        lines = LineCollection(list(cell_borders(self.centers, low, high)), colors=muted(ax), linewidths=0.8, zorder=1)
        ax.add_collection(lines, autolim=False)
        return lines

    def _draw_centers(self, ax, colors):
        few = len(self.centers) <= MOST_NUMBERED_CENTERS
        matched = colors[: len(self.centers)] if len(self.centers) == len(self.label_names) else text_color()
        self.centers_ = ax.scatter(
            *self.centers.T, s=120 if few else 24, c=matched, edgecolors=background(ax), linewidths=1.2, zorder=3
        )
        if few and len(self.centers) == len(self.label_names):
            style = {"ha": "center", "va": "center_baseline", "weight": "bold", "color": background(ax)}
            self.texts_ = [
                ax.text(*at, str(name), zorder=4, fontsize=FONT, **style)
                for at, name in zip(self.centers, self.label_names)
            ]


def _means(table: Any, places: np.ndarray, k: int) -> np.ndarray:
    """Mean (k, d) of the rows of each cluster."""
    from scipy.sparse import csr_array

    rows = np.flatnonzero(places >= 0)
    shares = 1.0 / np.bincount(places[rows], minlength=max(k, 1))[places[rows]]
    means = csr_array((shares, (places[rows], rows)), shape=(k, table.shape[0])) @ table
    return means.toarray() if hasattr(means, "toarray") else np.asarray(means)
