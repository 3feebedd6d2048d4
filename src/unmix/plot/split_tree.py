"""The tree of splits that deterministic annealing went through, on a logarithmic axis of temperature."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from unmix.plot.style import FONT, accent, muted, open_axes, palette, plain_log, style_axes

MOST_LABELLED = 10  # clusters beyond which only their numbers are written


class Join(NamedTuple):
    """Two branches side by side, and the temperature at which they were one."""

    left: float
    right: float
    temperature: float


class SplitTreeDisplay:
    """Clusters as branches that part when the temperature falls below a critical one.

    Temperature falls downwards; a horizontal line joins what a split took apart, at the temperature where it was seen,
    with a dot where it was predicted from the covariance of the cluster alone. At the right stands how many clusters
    there are between splits. Long branches are clusters that stay one over a wide range of resolution. Make it with
    `from_estimator`.

    Parameters
    ----------
    children : array of int, shape (s, 2)
        A number below s + 1 is a cluster, s + 1 + i what split i took apart.
    temperatures : array of shape (s,)
    predicted : array of shape (s,), optional
    weights : array of shape (s + 1,), optional
        Masses of the clusters, written below them; the heavier branch stands left.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    joins_ : LineCollection
        One bracket of four points for each split, in the order of ``children``.
    predicted_ : PathCollection or None
    places_ : array of shape (s + 1,)
        Where each cluster stands along the axis.
    counts_ : list of Text
    texts_ : list of Text

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.cluster import SoftKMeans
    >>> from unmix.plot import SplitTreeDisplay
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0.0, 0], [20, 0], [0, 9]], 20, axis=0)
    >>> display = SplitTreeDisplay.from_estimator(SoftKMeans(3).fit(X))
    >>> len(display.joins_.get_segments())
    2
    """

    def __init__(self, children, temperatures, *, predicted=None, weights=None):
        self.children = np.asarray(children, np.int64).reshape(-1, 2)
        self.temperatures = np.asarray(temperatures, np.float64)
        self.predicted = None if predicted is None else np.asarray(predicted, np.float64)
        s = len(self.children)
        if s == 0:
            raise ValueError(
                "there was no split, so there is no tree; ask for more clusters, or end at a lower temperature"
            )
        if self.temperatures.shape != (s,) or not (self.temperatures > 0).all():
            raise ValueError(f"temperatures must be {s} positive numbers, one for each split")
        self.weights = None if weights is None else np.asarray(weights, np.float64)
        if self.weights is not None and self.weights.shape != (s + 1,):
            raise ValueError(f"weights has shape {self.weights.shape}; {s} splits make {s + 1} clusters, give one each")

    @classmethod
    def from_estimator(cls, estimator, X=None, *, ax=None, **kwargs):
        """Draw the tree of a fit by deterministic annealing.

        Parameters
        ----------
        estimator : object with ``hierarchy_``
            SoftKMeans, HistogramClustering or ParametricDistributionalClustering.
        X : ignored
        ax : matplotlib axes, optional
        **kwargs : for the branches (LineCollection)

        Returns
        -------
        SplitTreeDisplay
        """
        tree = getattr(estimator, "hierarchy_", None)
        if tree is None:
            raise TypeError(
                f"{type(estimator).__name__} has no hierarchy_; fit a SoftKMeans with "
                "inference='deterministic_annealing'"
            )
        weights = getattr(estimator, "weights_", None)
        return cls(tree["children"], tree["temperatures"], predicted=tree["predicted"], weights=weights).plot(
            ax, **kwargs
        )

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to the branches."""
        from matplotlib.collections import LineCollection

        self.figure_, ax = open_axes(ax)
        self.ax_ = ax
        self.places_, joins = self._lay_out()
        low, high = self.temperatures.min() / 2.0, self.temperatures.max() * 1.6
        starts = self._starts(low)
        brackets = [
            [(join.left, a), (join.left, join.temperature), (join.right, join.temperature), (join.right, b)]
            for join, (a, b) in zip(joins, starts)
        ]
        style: dict[str, Any] = {"colors": accent(ax), "linewidths": 1.5, "capstyle": "round"}
        self.joins_ = LineCollection(brackets, **style | kwargs)
        ax.add_collection(self.joins_)
        root = (joins[-1].left + joins[-1].right) / 2
        ax.plot([root, root], [joins[-1].temperature, high], color=accent(ax), linewidth=1.5)
        self.predicted_ = None if self.predicted is None else self._draw_predicted(ax, joins)
        ax.set_yscale("log")
        ax.set_ylim(low, high)
        plain_log(ax.yaxis, low, high)
        ax.set_xlim(-0.6, len(self.places_) - 0.4)
        self._name(ax)
        self._count(ax, low, high)
        style_axes(ax, "cluster and its share" if self._has_shares() else "cluster", "temperature")
        ax.spines["bottom"].set_visible(False)
        return self

    def _has_shares(self) -> bool:
        return self.weights is not None and len(self.weights) <= MOST_LABELLED

    def _masses(self) -> np.ndarray:
        """Of every node, clusters first."""
        k = len(self.children) + 1
        masses = np.append(np.ones(k) if self.weights is None else self.weights, np.zeros(k - 1))
        for i, pair in enumerate(self.children):
            masses[k + i] = masses[pair].sum()
        return masses

    def _lay_out(self) -> tuple[np.ndarray, list[Join]]:
        """Clusters side by side without crossings, a node above the middle of what it took apart."""
        k, masses = len(self.children) + 1, self._masses()
        order, waiting = [], [2 * k - 2]
        while waiting:
            node = waiting.pop()
            if node < k:
                order.append(node)
            else:
                waiting.extend(sorted(self.children[node - k], key=lambda child: masses[child]))
        places = np.empty(2 * k - 1)
        places[order] = np.arange(k)
        joins = []
        for i, pair in enumerate(self.children):
            left, right = np.sort(places[pair])
            joins.append(Join(left, right, self.temperatures[i]))
            places[k + i] = (left + right) / 2
        return places[:k], joins

    def _starts(self, low: float) -> list[tuple[float, float]]:
        """Where the two legs of every bracket end: at the split of the child, or at the lower end."""
        k = len(self.children) + 1
        height = np.append(np.full(k, low), self.temperatures)
        places = np.append(self.places_, np.empty(k - 1))
        ends = []
        for i, pair in enumerate(self.children):
            left, right = sorted(pair, key=lambda child: places[child])
            ends.append((float(height[left]), float(height[right])))
            places[k + i] = places[pair].mean()
        return ends

    def _draw_predicted(self, ax, joins):
        middles = [(join.left + join.right) / 2 for join in joins]
        return ax.scatter(middles, self.predicted, s=16, color=palette(ax, 2)[1], zorder=3)

    def _name(self, ax):
        order = np.argsort(self.places_)
        if self._has_shares():
            names = [f"{c}\n{self.weights[c]:.0%}" for c in order]
        else:
            names = [str(c) for c in order]
        ax.set_xticks(np.arange(len(order)), names, fontsize=FONT)
        ax.tick_params(axis="x", length=0)
        self.texts_ = ax.get_xticklabels()

    def _count(self, ax, low, high):
        """How many clusters there are between one split and the next, where there is room to write it."""
        edges = np.concatenate([[high], np.sort(self.temperatures)[::-1], [low]])
        room = 0.045 * np.log(high / low)
        at = {"transform": ax.get_yaxis_transform(), "fontsize": FONT, "color": muted(ax), "va": "center"}
        self.counts_ = [
            ax.text(1.01, np.sqrt(above * below), str(i + 1), **at)
            for i, (above, below) in enumerate(pairwise(edges))
            if np.log(above / below) >= room
        ]
        title = at | {"transform": ax.transAxes, "va": "bottom", "ha": "right"}
        self.counts_.append(ax.text(1.03, 1.01, "clusters", **title))
