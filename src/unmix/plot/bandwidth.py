"""The width of a kernel density: how well each width tells rows it has not seen."""

from __future__ import annotations

import numpy as np

from unmix.plot.style import FONT, accent, muted, open_axes, outline, plain_log, style_axes, text_color

SHOWN_FACTOR = 10.0  # factor around the best width within which the curve is always seen whole


class BandwidthDisplay:
    """Held-out log-likelihood against the width, with the best width marked.

    A flat top says that the choice hardly matters; a best at the end of the curve, that the range was too short.
    Make it with `from_estimator`.

    Parameters
    ----------
    factors : array of shape (m,)
        Widths, in any unit; for `KernelDensity` multiples of the standard deviations.
    log_likelihoods : array of shape (m,)
        Mean log-density of held-out rows; widths at which it is not finite are left out of the curve.
    best : float, optional
        The chosen width; by default the best of the curve.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    line_ : Line2D
    best_ : Line2D
        The mark, at the chosen width and the height of the curve there.
    text_ : Text

    Examples
    --------
    >>> from unmix.plot import BandwidthDisplay
    >>> display = BandwidthDisplay([0.25, 0.5, 1.0, 2.0], [-3.0, -1.5, -1.4, -1.9]).plot()
    >>> display.text_.get_text()
    'best: 1'
    """

    def __init__(self, factors, log_likelihoods, *, best=None):
        self.factors = np.asarray(factors, np.float64)
        self.log_likelihoods = np.asarray(log_likelihoods, np.float64)
        if self.factors.ndim != 1 or self.factors.shape != self.log_likelihoods.shape or not len(self.factors):
            shapes = f"{self.factors.shape} and {self.log_likelihoods.shape}"
            raise ValueError(f"factors and log_likelihoods have shapes {shapes}; give as many of each, at least one")
        if not (self.factors > 0).all():
            raise ValueError("factors holds a width that is not positive; give positive widths")
        if not np.isfinite(self.log_likelihoods).any():
            raise ValueError("log_likelihoods has no finite value; try larger widths")
        self.best = best

    @classmethod
    def from_estimator(cls, estimator, X=None, *, ax=None, **kwargs):
        """Draw the search of a fitted kernel density.

        Parameters
        ----------
        estimator : object with ``bandwidth_path_``
            A dict with arrays "factor" and "log_likelihood"; ``factor_`` is the choice, where there is one.
        X : ignored
            The path was computed in the fit.
        ax : matplotlib axes, optional
        **kwargs : for ``ax.plot`` of the curve

        Returns
        -------
        BandwidthDisplay
        """
        path = getattr(estimator, "bandwidth_path_", None)
        if path is None or not np.isfinite(path["log_likelihood"]).any():  # a width that was given is not searched for
            raise TypeError(
                f"{type(estimator).__name__} has no search in bandwidth_path_; fit a KernelDensity that chooses "
                "its width by held-out likelihood"
            )
        best = getattr(estimator, "factor_", None)
        return cls(path["factor"], path["log_likelihood"], best=best).plot(ax, **kwargs)

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to ``ax.plot`` of the curve."""
        self.figure_, ax = open_axes(ax)
        self.ax_ = ax
        order = np.argsort(self.factors)
        factors, values = self.factors[order], self.log_likelihoods[order]
        known = np.isfinite(values)
        factors, values = factors[known], values[known]
        style = {"color": accent(ax), "linewidth": 1.6, "marker": "o", "markersize": 3}
        self.line_ = ax.plot(factors, values, **style | kwargs)[0]
        best = float(factors[values.argmax()]) if self.best is None else float(self.best)
        height = float(np.interp(np.log(best), np.log(factors), values))
        self._frame(factors, values, best)
        ax.axvline(best, color=muted(ax), linewidth=0.8, zorder=0)
        self.best_ = ax.plot(best, height, "o", color=self.line_.get_color(), markersize=8, zorder=3)[0]
        ax.set_xscale("log")
        plain_log(ax.xaxis, factors[0], factors[-1])
        inside = "left" if np.log(best) < np.log(factors[[0, -1]]).mean() else "right"
        self.text_ = ax.annotate(
            f"best: {best:.3g}", (best, 0.03), xycoords=("data", "axes fraction"), color=text_color(), fontsize=FONT,
            path_effects=outline(ax), xytext=(5 if inside == "left" else -5, 0), textcoords="offset points", ha=inside,
        )  # fmt: skip
        style_axes(ax, "factor of the width", "log-likelihood of held-out rows")
        return self

    def _frame(self, factors, values, best):
        """Hopelessly narrow widths fall out of the picture, where they would press the rest flat."""
        near = values[(factors >= best / SHOWN_FACTOR) & (factors <= best * SHOWN_FACTOR)]
        top = float(values.max())
        low = float(near.min(initial=top))
        if top - values.min() > SHOWN_FACTOR * (top - low) > 0:
            self.ax_.set_ylim(low - 0.1 * (top - low), top + 0.1 * (top - low))
