"""The spectrum of a decomposition: the share of the variance of each component, and of the first so many together."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.plot.style import FONT, accent, muted, open_axes, outline, palette, style_axes, text_color

MOST_NUMBERED = 15  # components up to which every one is numbered


class SpectrumDisplay:
    """Shares of the variance as bars, their running sum as a line, and what chance would reach, if asked for.

    All three are shares of one total, so one axis serves. Make it with `from_estimator`.

    Parameters
    ----------
    shares : array of shape (k,)
        Share of the variance that each component explains.
    limits : array, optional
        What shuffled columns reach at each component, as shares of the same total; NaN where unknown.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : BarContainer
    cumulative_ : Line2D
    limits_ : Line2D or None
    texts_ : list of Text
        The names of the lines, and the sum at the last component.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import PCA
    >>> from unmix.plot import SpectrumDisplay
    >>> X = np.random.default_rng(0).normal(size=(100, 6)) * [5, 3, 1, 1, 1, 1]
    >>> display = SpectrumDisplay.from_estimator(PCA().fit(X))
    >>> len(display.bars_), bool(np.isclose(display.cumulative_.get_ydata()[-1], 1))
    (6, True)
    """

    def __init__(self, shares, *, limits=None):
        self.shares = np.asarray(shares, np.float64)
        if self.shares.ndim != 1 or not len(self.shares) or not np.isfinite(self.shares).all():
            raise ValueError(f"shares has shape {self.shares.shape}; give one finite share for each component")
        self.limits = None if limits is None else np.asarray(limits, np.float64)[: len(self.shares)]

    @classmethod
    def from_estimator(
        cls, estimator, X=None, *, parallel_analysis=False, n_rounds=None, random_state=0, ax=None, **kwargs
    ):
        """Draw the variances of a fitted PCA or TruncatedSVD.

        Parameters
        ----------
        estimator : object with ``explained_variance_`` and ``explained_variance_ratio_``
        X : array of shape (n, d), optional
            The rows of the fit, for parallel analysis only.
        parallel_analysis : bool, default=False
            Add what the variances of tables with every column shuffled reach; components above are real. Only for
            PCA, whose variances are about the mean as those are.
        n_rounds : int, optional
            Shuffled tables; 100 by default.
        random_state : int, RandomState or None, default=0
        ax : matplotlib axes, optional
        **kwargs : for ``ax.bar``

        Returns
        -------
        SpectrumDisplay
        """
        shares = getattr(estimator, "explained_variance_ratio_", None)
        if shares is None:
            raise TypeError(f"{type(estimator).__name__} has no explained_variance_ratio_; fit a PCA or a TruncatedSVD")
        limits = _limits(estimator, X, n_rounds, random_state) if parallel_analysis else None
        return cls(shares, limits=limits).plot(ax, **kwargs)

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to ``ax.bar``."""
        self.figure_, ax = open_axes(ax)
        self.ax_ = ax
        k, other = len(self.shares), palette(ax, 2)[1]
        places, total = np.arange(1, k + 1), np.cumsum(self.shares)
        self.bars_ = ax.bar(places, self.shares, **{"color": accent(ax), "width": 0.75 if k <= 60 else 1.0} | kwargs)
        marker = {"marker": "o", "markersize": 3} if k <= 30 else {}
        self.cumulative_ = ax.plot(places, total, color=muted(ax), linewidth=1.2, **marker)[0]
        self.texts_ = [
            ax.annotate(f"together\n{total[-1]:.0%}", (k, total[-1]), (6, 0), textcoords="offset points",
                        va="top", fontsize=FONT, color=text_color())
        ]  # fmt: skip
        self.limits_ = None if self.limits is None else self._draw_limits(ax, places, other)
        ax.set_xlim(0.4, k + 0.6)
        ax.set_ylim(0, 1.02 * max(1.0, total[-1]))
        ax.set_xticks(places if k <= MOST_NUMBERED else places[:: -(-k // MOST_NUMBERED)])
        ax.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        style_axes(ax, "component", "share of the variance")
        return self

    def _draw_limits(self, ax, places, color):
        known = np.flatnonzero(np.isfinite(self.limits))
        style = {"color": color, "linewidth": 1.6, "marker": "_", "markersize": 9, "markeredgewidth": 1.6}
        line = ax.plot(places[known], self.limits[known], **style)[0]
        if len(known):
            last = known[-1]
            at = places[last], max(self.limits[last], self.shares[last])
            real = int((self.shares[known] > self.limits[known]).sum())
            words = f"chance; {real} component{'s' * (real != 1)} above it"
            side = ("left", 4) if last <= 0.4 * len(places) else ("right", 0)
            style = {"textcoords": "offset points", "fontsize": FONT, "color": color, "va": "bottom"}
            self.texts_.append(ax.annotate(words, at, (side[1], 5), ha=side[0], path_effects=outline(ax), **style))
        return line


def _limits(estimator: Any, X: Any, n_rounds: Any, random_state: Any) -> np.ndarray:
    from unmix.decomposition.select_components import select_components

    if X is None:
        raise ValueError("parallel_analysis=True shuffles the columns of X; give X, the rows of the fit")
    if getattr(estimator, "mean_", None) is None:
        raise ValueError(
            f"parallel_analysis=True judges variances about the mean, and {type(estimator).__name__} does not subtract "
            "it; use a PCA, or leave parallel_analysis out"
        )
    found = select_components(X, n_rounds=n_rounds, random_state=random_state)
    total = np.asarray(estimator.explained_variance_, np.float64).sum()
    held = np.asarray(estimator.explained_variance_ratio_, np.float64).sum()
    return found.limits * (held / total)
