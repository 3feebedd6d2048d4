"""A figure as a small PNG file, and whether a file still shows what is drawn today.

Pictures are compared by the means of squares of 8 x 8 pixels: fonts and the last bit of a number may differ between
machines, a line or a group of points that moved may not. Words and numbers in a picture are compared as they are.
"""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

SQUARE = 8  # pixels
VISIBLE = 0.1  # of the range from black to white: a square that differs by more is another one
MOST_DIFFERENT = 0.01  # share of such squares in pictures of the same thing
COLOURS = 96  # in a file
BLUE, ORANGE, GREEN, PURPLE, GREY = "#2b6cb0", "#dd6b20", "#2f855a", "#805ad5", "#8a94a6"
STYLE = {
    "figure.figsize": (4.8, 3.2),
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": matplotlib.cycler(color=[BLUE, ORANGE, GREEN, PURPLE, "#d53f8c", "#00838f"]),
    "image.cmap": "gray",
    "legend.frameon": False,
    "savefig.facecolor": "white",
}


def begin() -> None:
    """A clean sheet in the style of the pages, whatever was drawn before."""
    plt.close("all")
    matplotlib.rcdefaults()
    matplotlib.use("Agg")
    matplotlib.rcParams.update(STYLE)


def rendered(figure: Figure) -> Image.Image:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=100)
    return Image.open(file).convert("RGB")


def save(figure: Figure, path: Path) -> None:
    """In few colours, unless one sees that some are missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = rendered(figure)
    few = whole.quantize(COLOURS, dither=Image.Dither.NONE)
    (few if different(whole, few) == 0 else whole).save(path, optimize=True)


def squares(image: Image.Image) -> np.ndarray:
    """The mean colour of every square, between 0 and 1."""
    pixels = np.asarray(image.convert("RGB"), dtype=float) / 255
    h, w = (size // SQUARE for size in pixels.shape[:2])
    return pixels[: h * SQUARE, : w * SQUARE].reshape(h, SQUARE, w, SQUARE, 3).mean(axis=(1, 3))


def different(one: Image.Image, other: Image.Image) -> float:
    """The share of squares in which two images differ visibly; 1 where their sizes differ."""
    a, b = squares(one), squares(other)
    return float((np.abs(a - b).max(axis=2) > VISIBLE).mean()) if a.shape == b.shape else 1.0


def difference(figure: Figure, path: Path) -> float:
    """The share of squares in which the file differs visibly from the figure."""
    return different(rendered(figure), Image.open(path))


def words(figure: Figure) -> list[str]:
    """What can be read in a figure, ticks left aside: titles, names of axes, notes and legends."""
    legends = [axis.get_legend() for axis in figure.axes if axis.get_legend()]
    found = [
        figure.get_suptitle(),
        *(text.get_text() for text in figure.texts if text.get_text() != figure.get_suptitle()),
    ]
    for axis in figure.axes:
        found += [axis.get_title(loc) for loc in ("left", "center", "right")] + [axis.get_xlabel(), axis.get_ylabel()]
        found += [text.get_text() for text in axis.texts]
    found += [text.get_text() for legend in legends for text in legend.get_texts()]
    return [text for text in found if text.strip()]
