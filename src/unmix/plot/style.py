"""The look that all figures share: colours that stay apart for colour-blind eyes, thin axes, words beside the marks.

Nothing global is changed. Inks come from the user's own settings (rcParams), and the palette from the background of
the axes drawn into, so that a dark style gets the brighter colours. They are those of the HTML report.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LIGHT = (
    "#2f6cb7", "#cb670e", "#1f957c", "#7a2060", "#6a5500", "#4f24a8",
    "#e8465a", "#128fb4", "#6f8647", "#92618e", "#505c6c", "#8f602e",
)  # fmt: skip
DARK = (
    "#61a3e6", "#f48815", "#6fe6c8", "#d06d98", "#f1d861", "#9077f0",
    "#ea5730", "#50d9ef", "#7aba7c", "#b983c4", "#a2a7bb", "#d2c2a8",
)  # fmt: skip
SHADES = "viridis"  # dark to bright in equal steps, also for colour-blind eyes
FONT = 8  # points: the size of notes and direct labels


def open_axes(ax: Any = None) -> tuple[Any, Any]:
    """The figure and the axes to draw into: those given, or new ones of the user's own size."""
    if ax is None:
        figure, ax = pyplot().subplots(layout="constrained")
        return figure, ax
    if not hasattr(ax, "get_figure"):
        raise TypeError(f"ax is a {type(ax).__name__}; give matplotlib axes, such as plt.subplots()[1], or None")
    return ax.get_figure(), ax


def pyplot() -> Any:
    """matplotlib.pyplot, or one sentence that says how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("figures need matplotlib, which is not installed; pip install unmix[plot]") from error
    return plt


def is_dark(ax: Any) -> bool:
    """Whether the background of the axes, or of the figure where they have none, is nearer to black than to white."""
    from matplotlib.colors import to_rgba

    red, green, blue, opacity = to_rgba(ax.get_facecolor())
    if opacity < 0.5:
        red, green, blue, _ = to_rgba(ax.get_figure().get_facecolor())
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5


def palette(ax: Any, n: int) -> list[str]:
    """One colour each for n groups; beyond twelve they come again."""
    colors = DARK if is_dark(ax) else LIGHT
    return [colors[i % len(colors)] for i in range(n)]


def accent(ax: Any) -> str:
    """The colour of what a figure is about."""
    return palette(ax, 1)[0]


def muted(ax: Any) -> str:
    """The colour of what stands behind."""
    return "#78808b" if is_dark(ax) else "#8a9099"


def background(ax: Any) -> Any:
    """The background, for rims that keep a mark apart from what is under it."""
    return "#191c21" if is_dark(ax) else "#ffffff"


def text_color() -> Any:
    """The user's own colour of text."""
    from matplotlib import rcParams

    return rcParams["text.color"]


def outline(ax: Any, width: float = 2.5) -> list[Any]:
    """Path effects that lift a label or a line off what is behind it."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=width, foreground=background(ax))]


def style_axes(ax: Any, x: str = "", y: str = "") -> None:
    """Two thin axes with their names."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_xlabel(x)
    ax.set_ylabel(y)


def plain_log(axis: Any, low: float, high: float) -> None:
    """A logarithmic axis whose numbers are written as such: 0.5, 1, 2, 5 for few decades, powers of ten for many."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 1e3 * low else (1.0,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def dot_size(n: int) -> float:
    """Area of a row's dot in points²: 22 for a hundred rows, 2 for very many."""
    return float(np.clip(220 / np.sqrt(max(n, 1)), 2.0, 22.0))


def note(ax: Any, text: str) -> Any:
    """A remark above the drawing, right-aligned, where no data are."""
    return ax.text(1.0, 1.01, text, transform=ax.transAxes, ha="right", va="bottom", fontsize=FONT, color=muted(ax))
