"""A Gaussian mixture in the plane: an ellipse of equal density for every component, rows coloured by responsibility.

Component c at s standard deviations: {x : (x - u)ᵀ Σ⁻¹ (x - u) = s²}, half axes s √λ along the eigenvectors of Σ.
"""

from __future__ import annotations

import numpy as np

from unmix.plot.components import components_of
from unmix.plot.style import FONT, dot_size, note, open_axes, outline, palette, style_axes, text_color
from unmix.plot.table import MOST_POINTS, column_names, column_numbers, dense_columns, drawn_rows, read_table, row_note


class MixtureDisplay:
    """Ellipses of the components of a Gaussian mixture over the rows.

    Every component is drawn at one and two standard deviations; in the plane these hold 39 % and 86 % of it. Of more
    than two columns two are shown, with the marginal of each component. A row has the colours of the components mixed
    by their probabilities. Make it with `from_estimator`.

    Parameters
    ----------
    means : array of shape (k, 2)
    covariances : array of shape (k, 2, 2)
    weights : array of shape (k,)
    points : array of shape (n, 2), optional
    responsibilities : array of shape (n, k), optional
    deviations : tuple of float, default=(1, 2)
    axis_names : pair of str
    remark : str
        Stands above the figure.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    ellipses_ : list of list of Ellipse
        For every component with rows one for each of the ``deviations``.
    points_ : PathCollection or None
    texts_ : list of Text
        Number and weight of every component, if there are several.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.density import GaussianMixture
    >>> from unmix.plot import MixtureDisplay
    >>> X = np.random.default_rng(0).normal(size=(80, 3)) + np.repeat([[0.0], [6.0]], 40, axis=0)
    >>> display = MixtureDisplay.from_estimator(GaussianMixture(2, random_state=0).fit(X), X, columns=(0, 2))
    >>> [len(component) for component in display.ellipses_]
    [2, 2]
    """

    def __init__(
        self, means, covariances, weights, *, points=None, responsibilities=None, deviations=(1, 2),
        axis_names=("", ""), remark="",
    ):  # fmt: skip
        self.means = np.asarray(means, np.float64)
        self.covariances = np.asarray(covariances, np.float64)
        self.weights = np.asarray(weights, np.float64)
        self.points = points
        self.responsibilities = responsibilities
        self.deviations = tuple(deviations)
        if not self.deviations or not all(0 < s < np.inf for s in self.deviations):
            raise ValueError(f"deviations={deviations!r}: give positive numbers, such as (1, 2)")
        self.axis_names = axis_names
        self.remark = remark

    @classmethod
    def from_estimator(
        cls, estimator, X=None, *, columns=(0, 1), deviations=(1, 2), max_points=MOST_POINTS, random_state=0, ax=None,
        **kwargs,
    ):  # fmt: skip
        """Draw a fitted mixture, or a single Gaussian.

        Parameters
        ----------
        estimator : fitted GaussianMixture or Gaussian, of any covariance type; scikit-learn's as well
        X : array or data frame of shape (n, d), optional
            Rows to show. Those with a missing value in one of the two columns are not drawn.
        columns : pair of int or str, default=(0, 1)
        deviations : tuple of float, default=(1, 2)
            Sizes of the ellipses in standard deviations.
        max_points : int, default=5000
            Larger tables: so many rows drawn at random, which is said above the figure.
        random_state : int, RandomState or None, default=0
        ax : matplotlib axes, optional
        **kwargs : for ``ax.scatter`` of the rows

        Returns
        -------
        MixtureDisplay
        """
        found = components_of(estimator)
        if found is None:
            raise TypeError(
                f"{type(estimator).__name__} has no means and covariances; fit a mixture, or use DensityDisplay"
            )
        d = found.means.shape[1]
        if d < 2:
            raise ValueError("the mixture has one column, and ellipses need two; DensityDisplay draws one column")
        names = column_names(X, estimator, d)
        numbers = column_numbers(columns, names)
        shown = found.marginal(numbers)
        points, q, remark = None, None, ""
        if X is not None:
            table = read_table(X, allow_nan=True)
            points = dense_columns(table, numbers)
            there = np.flatnonzero(np.isfinite(points).all(axis=1))
            rows = there[drawn_rows(len(there), max_points, random_state)]
            q = estimator.predict_proba(X)[rows] if len(found.weights) > 1 else np.ones((len(rows), 1))
            points, remark = points[rows], row_note(len(rows), table.shape[0])
        chosen = names[numbers[0]], names[numbers[1]]
        options = {"points": points, "responsibilities": q, "deviations": deviations}
        return cls(shown.means, shown.covariances, shown.weights, axis_names=chosen, remark=remark, **options).plot(
            ax, **kwargs
        )

    def plot(self, ax=None, **kwargs):
        """Draw into ``ax``, or into a new figure; ``kwargs`` go to ``ax.scatter`` of the rows."""
        self.figure_, ax = open_axes(ax)
        self.ax_ = ax
        colors = palette(ax, len(self.means))
        self.points_ = None if self.points is None else self._draw_rows(ax, colors, kwargs)
        alive = np.flatnonzero(self.weights > 0)  # a component that lost its rows is nowhere
        self.ellipses_ = [self._draw_component(ax, c, colors[c]) for c in alive]
        style = {
            "fontsize": FONT,
            "ha": "center",
            "va": "center",
            "color": text_color(),
            "path_effects": outline(ax),
            "zorder": 4,
        }
        named = alive if len(alive) > 1 else alive[:0]
        self.texts_ = [ax.text(*self.means[c], f"{c}: {self.weights[c]:.0%}", **style) for c in named]
        style_axes(ax, *self.axis_names)
        ax.autoscale_view()
        if self.remark:
            note(ax, self.remark)
        return self

    def _draw_rows(self, ax, colors, kwargs):
        from matplotlib.colors import to_rgb

        mixed = self.responsibilities @ np.array([to_rgb(color) for color in colors])
        options = {"s": dot_size(len(self.points)), "linewidths": 0, "alpha": 0.6, "zorder": 2}
        return ax.scatter(*self.points.T, c=np.clip(mixed, 0, 1), **options | kwargs)

    def _draw_component(self, ax, c, color):
        from matplotlib.patches import Ellipse

        values, vectors = np.linalg.eigh(self.covariances[c])
        short, long = np.sqrt(np.maximum(values, 0))
        angle = np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1]))
        drawn = []
        for i, s in enumerate(sorted(self.deviations)):
            style = {"facecolor": "none", "edgecolor": color, "linewidth": 1.6 - 0.5 * min(i, 2), "zorder": 3}
            drawn.append(ax.add_patch(Ellipse(self.means[c], 2 * s * long, 2 * s * short, angle=angle, **style)))
        return drawn
