"""A selection as a row of small pictures: values over the grid with error bars, choices marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unmix.validation.selection.point_names import heading, point_names

if TYPE_CHECKING:
    from unmix.validation.selection.result import Selection

LINE, CHOICE = "#4269d0", "#ff725c"
MOST_TICKS = 16  # grid points up to which every one is written on the axis
LONGEST_LABEL = 12  # letters beyond which settings are numbered instead of written out


class SelectionDisplay:
    """Pictures of a `Selection`, in the manner of scikit-learn's displays.

    A picture for each criterion: its values over the grid with error bars, its choice as a red dot, and the verdict
    as a grey band.

    Attributes
    ----------
    figure_ : the matplotlib figure
    axes_ : one axes for each criterion; ``ax_`` is the first

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> from unmix.validation import BIC, select
    >>> found = select(KMeans(), blobs(60, 2, 2, random_state=0)[0], [1, 2, 3], BIC(), random_state=0)
    >>> SelectionDisplay(found).plot().ax_.get_title(loc="left")    # the same as found.plot()
    'BIC (lower is better)'
    """

    def __init__(self, selection: Selection) -> None:
        self.selection = selection

    def plot(self, *, axes: Any = None) -> SelectionDisplay:
        n = len(self.selection.evaluations)
        self.axes_ = _axes(n) if axes is None else np.atleast_1d(np.asarray(axes, dtype=object)).ravel()
        if len(self.axes_) != n:
            raise ValueError(f"axes holds {len(self.axes_)} axes; give one for each of the {n} criteria")
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        for ax, name in zip(self.axes_, self.selection.evaluations):
            _panel(ax, self.selection, name)
        return self


def _axes(n: int) -> np.ndarray:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot() draws with matplotlib, which is not installed; pip install unmix[plot]") from error
    across = min(n, 4)
    figure, axes = plt.subplots(
        -(-n // across), across, figsize=(3.1 * across, 2.6 * -(-n // across)), squeeze=False, layout="constrained"
    )
    for spare in axes.ravel()[n:]:
        figure.delaxes(spare)
    return axes.ravel()[:n]


def _panel(ax: Any, selection: Selection, name: str) -> None:
    evaluation, names = selection.evaluations[name], point_names(selection)
    values = np.array([score.value for score in evaluation.scores], dtype=float)
    errors = np.nan_to_num(np.array([score.error for score in evaluation.scores], dtype=float))
    places = np.arange(len(values))
    ax.axvline(selection.best_index, color="0.5", alpha=0.25, linewidth=7, zorder=0, label="verdict")
    ax.errorbar(places, values, errors, color=LINE, marker="o", markersize=3.5, linewidth=1.2, capsize=2, zorder=2)
    choice = evaluation.choice
    if choice is not None and np.isfinite(values[choice]):
        ax.plot(choice, values[choice], "o", color=CHOICE, markersize=8, zorder=3, label="choice")
    elif choice is not None:  # one cluster has no value to mark, so the mark sits on the axis
        ax.plot(choice, 0.0, "o", color=CHOICE, markersize=8, zorder=3, clip_on=False, label="choice",
                transform=ax.get_xaxis_transform())  # fmt: skip
    _name_points(ax, names, heading(selection))
    direction = "higher" if selection.higher_is_better[name] else "lower"
    ax.set_title(f"{name} ({direction} is better)", fontsize=10, loc="left")
    ax.spines[["top", "right"]].set_visible(False)


def _name_points(ax: Any, names: list[str], title: str) -> None:
    shown = range(0, len(names), -(-len(names) // MOST_TICKS))
    longest = max(len(text) for text in names)
    if longest > LONGEST_LABEL:
        names, title = [str(i) for i in range(len(names))], f"{title}, by place in params"
    tilted = 4 < longest <= LONGEST_LABEL
    ax.set_xticks(shown, [names[i] for i in shown], rotation=30 if tilted else 0, ha="right" if tilted else "center")
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_xlabel(title)
