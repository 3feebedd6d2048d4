"""Silhouettes: for every row, how much nearer it is to its own cluster than to the next."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.plot.style import FONT, note, open_axes, palette, style_axes, text_color
from unmix.plot.table import checked_labels, labels_for, read_table, row_note

MOST_ROWS = 5000
MOST_LABELLED = 12  # clusters beyond which only their numbers are written
GAP = 0.02  # between clusters, as a share of all rows


class Labelled(NamedTuple):
    """What the criterion asks of a clusterer."""

    labels_: np.ndarray


class SilhouetteDisplay:
    """Silhouette widths as bars sorted within each cluster, and their mean as a line.

    A width near 1 is well inside its cluster, near 0 between two, and below 0 nearer to another. Rows labelled -1 are
    left out. Make it with `from_estimator` or `from_predictions`.

    Parameters
    ----------
    widths : array of shape (n,)
        NaN for rows that were not looked at.
    labels : array of shape (n,)
    remark : str
        Stands above the figure.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : list of FillBetweenPolyCollection
        One for each cluster, in the order of the labels, from the top down.
    mean_ : Line2D
    texts_ : list of Text

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> from unmix.plot import SilhouetteDisplay
    >>> X, y = blobs(120, 2, 3, random_state=0)
    >>> display = SilhouetteDisplay.from_estimator(KMeans(3, random_state=0).fit(X), X)
    >>> len(display.bars_)
    3
    """

    def __init__(self, widths, labels, *, remark=""):
        self.widths = np.asarray(widths, np.float64)
        if self.widths.ndim != 1:
            raise ValueError(f"widths has shape {self.widths.shape}; give one number for each row")
        self.label_names, self.labels = checked_labels(labels, len(self.widths))
        if not np.isfinite(self.widths).any():
            raise ValueError("no row has a silhouette: there must be two or more clusters, and fewer than rows")
        self.remark = remark

    @classmethod
    def from_estimator(cls, estimator, X, *, metric="euclidean", max_rows=MOST_ROWS, random_state=0, ax=None, **kwargs):
        """Draw the silhouettes of a fitted clusterer.

        Parameters
        ----------
        estimator : object with ``predict`` or ``labels_``
        X : array or data frame of shape (n, d)
            Or dissimilarities (n, n) for ``metric="precomputed"``.
        metric : {"euclidean", "sqeuclidean", "precomputed"}, default="euclidean"
        max_rows : int, default=5000
            Larger tables: so many rows drawn at random, each compared with all others. It is said above the figure.
        random_state : int, RandomState or None, default=0
        ax : matplotlib axes, optional
        **kwargs : for ``ax.fill_betweenx`` of the bars

        Returns
        -------
        SilhouetteDisplay
        """
        labels = labels_for(estimator, X, np.shape(X)[0])
        options = {"metric": metric, "max_rows": max_rows, "random_state": random_state}
        return cls.from_predictions(X, labels, ax=ax, **options, **kwargs)

    @classmethod
    def from_predictions(cls, X, labels, *, metric="euclidean", max_rows=MOST_ROWS, random_state=0, ax=None, **kwargs):
        """Draw the silhouettes of given labels; the rest as `from_estimator`."""
        from sklearn.utils import check_random_state

        from unmix.validation.criteria.silhouette import Silhouette

        table = read_table(X)
        if hasattr(table, "toarray"):
            table = table.toarray()
        places = checked_labels(labels, len(table))[1]
        rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
        widths = Silhouette(metric, _checked_rows(max_rows)).rows(Labelled(places), table, rng)
        looked_at = int(np.isfinite(widths).sum())
        remark = row_note(looked_at, len(table)) if looked_at < int((places >= 0).sum()) else ""
        return cls(widths, labels, remark=remark).plot(ax, **kwargs)

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to ``ax.fill_betweenx`` of the bars."""
        self.figure_, ax = open_axes(ax)
        self.ax_ = ax
        known = np.isfinite(self.widths) & (self.labels >= 0)
        gap, below = max(1.0, GAP * known.sum()), 0.0
        self.bars_, self.texts_ = [], []
        for c, color in enumerate(palette(ax, len(self.label_names))):
            widths = np.sort(self.widths[known & (self.labels == c)])[::-1]
            edges = below + np.arange(len(widths) + 1)
            steps = np.append(widths, widths[-1:])
            style = {"step": "post", "color": color, "linewidth": 0} | kwargs
            self.bars_.append(ax.fill_betweenx(edges, 0, steps, **style))
            self._name(ax, c, below + len(widths) / 2, widths)
            below += len(widths) + gap
        mean = float(self.widths[known].mean())
        self.mean_ = ax.axvline(mean, color=text_color(), linewidth=1, linestyle=(0, (4, 3)))
        head = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points", "fontsize": FONT}
        self.texts_.append(ax.annotate(f"mean {mean:.2f}", (mean, 1.0), (0, 2), ha="center", va="bottom", **head))
        ax.set_ylim(below - gap / 2, -gap / 2)  # the first cluster on top
        ax.set_yticks([])
        style_axes(ax, "silhouette")
        ax.spines["left"].set_visible(False)
        ax.set_xlim(right=1.0)
        if self.remark:
            note(ax, self.remark).set_position((1.0, 1.07))
        return self

    def _name(self, ax, c, middle, widths):
        words = str(self.label_names[c])
        if len(widths) and len(self.label_names) <= MOST_LABELLED:
            words += f"  ({len(widths):,} rows, {widths.mean():.2f})"
        at = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "fontsize": FONT}
        self.texts_.append(ax.annotate(words, (0.0, middle), (-4, 0), ha="right", va="center", **at))


def _checked_rows(max_rows: Any) -> int:
    if not isinstance(max_rows, int | np.integer) or isinstance(max_rows, bool) or max_rows < 1:
        raise ValueError(f"max_rows={max_rows!r}: give a whole number from 1 up")
    return int(max_rows)
